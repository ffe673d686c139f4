import { Page } from '#web/parts/page.tsx';

export function PartnerSection() {
  return <Page title="…">…</Page>;
}
