import { Page } from '#web/parts/page.tsx';

export function FindingsPage() {
  return <Page title="Findings">…</Page>;
}
