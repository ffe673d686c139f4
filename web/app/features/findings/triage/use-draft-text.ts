import { useState } from 'react';

/** Texts that were typed but not sent; kept until the page is reloaded. */
const drafts = new Map<string, string>();

/** A text state that survives unmounting of its field. */
export function useDraftText(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(key) ?? '');
  const save = (next: string) => {
    if (next === '') drafts.delete(key);
    else drafts.set(key, next);
    setText(next);
  };
  return [text, save];
}
