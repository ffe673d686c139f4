import { Page } from '#web/parts/page.tsx';

export function ProjectsPage() {
  return <Page title="Projects">…</Page>;
}
