import { Page } from '#web/parts/page.tsx';

export function GuardrailsPage() {
  return <Page title="Guardrails">…</Page>;
}
