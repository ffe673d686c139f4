import { Page } from '#web/parts/page.tsx';

export function OverviewPage() {
  return <Page title="Overview">…</Page>;
}
