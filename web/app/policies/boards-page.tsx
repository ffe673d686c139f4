import { Page } from '#web/parts/page.tsx';

export function BoardsPage() {
  return <Page title="Policies">…</Page>;
}
