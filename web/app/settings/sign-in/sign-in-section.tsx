import { Page } from '#web/parts/page.tsx';

export function SignInSection() {
  return <Page title="…">…</Page>;
}
