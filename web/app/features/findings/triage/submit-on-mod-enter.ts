import type { KeyboardEvent } from 'react';

/** Submits the form of the focused field on Ctrl+Enter or ⌘+Enter. */
export function submitOnModEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.target instanceof HTMLElement) event.target.closest('form')?.requestSubmit();
}
