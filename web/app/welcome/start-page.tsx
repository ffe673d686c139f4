import { Page } from '#web/parts/page.tsx';

export function StartPage() {
  return <Page title="Getting started">…</Page>;
}
