import { Page } from '#web/parts/page.tsx';

export function NoOrgPage() {
  return <Page title="No organization">…</Page>;
}
