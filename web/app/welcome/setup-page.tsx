import { Page } from '#web/parts/page.tsx';

export function SetupPage() {
  return <Page title="Set-up">…</Page>;
}
