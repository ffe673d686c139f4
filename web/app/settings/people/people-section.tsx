import { Page } from '#web/parts/page.tsx';

export function PeopleSection() {
  return <Page title="…">…</Page>;
}
