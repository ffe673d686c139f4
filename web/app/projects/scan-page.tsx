import { Page } from '#web/parts/page.tsx';

export function ScanPage() {
  return <Page title="Scan">…</Page>;
}
