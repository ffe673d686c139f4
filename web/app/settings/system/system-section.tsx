import { Page } from '#web/parts/page.tsx';

export function SystemSection() {
  return <Page title="…">…</Page>;
}
