import { Page } from '#web/parts/page.tsx';

export function InboxPage() {
  return <Page title="Inbox">…</Page>;
}
