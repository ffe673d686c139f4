import { Page } from '#web/parts/page.tsx';

export function FindingPage() {
  return <Page title="Finding">…</Page>;
}
