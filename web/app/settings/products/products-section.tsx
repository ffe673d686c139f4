import { Page } from '#web/parts/page.tsx';

export function ProductsSection() {
  return <Page title="…">…</Page>;
}
