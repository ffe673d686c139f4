import { Page } from '#web/parts/page.tsx';

export function AccessSection() {
  return <Page title="…">…</Page>;
}
