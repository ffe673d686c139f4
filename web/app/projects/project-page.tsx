import { Page } from '#web/parts/page.tsx';

export function ProjectPage() {
  return <Page title="Project">…</Page>;
}
