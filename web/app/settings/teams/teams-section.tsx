import { Page } from '#web/parts/page.tsx';

export function TeamsSection() {
  return <Page title="…">…</Page>;
}
