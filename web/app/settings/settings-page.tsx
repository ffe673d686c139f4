import { Page } from '#web/parts/page.tsx';

export function SettingsPage() {
  return <Page title="Settings">…</Page>;
}
