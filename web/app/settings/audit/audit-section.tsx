import { Page } from '#web/parts/page.tsx';

export function AuditSection() {
  return <Page title="…">…</Page>;
}
