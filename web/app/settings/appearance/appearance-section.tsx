import { Page } from '#web/parts/page.tsx';

export function AppearanceSection() {
  return <Page title="…">…</Page>;
}
