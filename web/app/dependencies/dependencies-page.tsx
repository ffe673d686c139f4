import { Page } from '#web/parts/page.tsx';

export function DependenciesPage() {
  return <Page title="Dependencies">…</Page>;
}
