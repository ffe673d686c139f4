import { Page } from '#web/parts/page.tsx';

export function AutomationsPage() {
  return <Page title="Automations">…</Page>;
}
