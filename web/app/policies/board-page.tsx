import { Page } from '#web/parts/page.tsx';

export function BoardPage() {
  return <Page title="Ruleboard">…</Page>;
}
