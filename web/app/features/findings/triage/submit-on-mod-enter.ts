import type { KeyboardEvent } from 'react';

/** Ctrl Enter, or ⌘ Enter, sends the form that one types in, and no other. */
export function submitOnModEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.target instanceof HTMLElement) event.target.closest('form')?.requestSubmit();
}
