import { useState } from 'react';

/** Texts that were typed and not sent; they stay until the page is left, whatever closes in between. */
const drafts = new Map<string, string>();

/** A text that is not lost when its field goes away: it is there again when the field is. */
export function useDraftText(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(key) ?? '');
  const keep = (next: string) => {
    if (next === '') drafts.delete(key);
    else drafts.set(key, next);
    setText(next);
  };
  return [text, keep];
}
