import { MAX_NOTE_LENGTH } from '#domain/findings/shape.ts';

/** A remark that was made in the other system. */
export interface MovedNote {
  text: string;
  author?: string | undefined;
  at?: string | undefined;
}

/** `2024-05-01T10:00:00Z` as a date; undefined for what is none. */
export const dateOf = (value: string | undefined): string | undefined => /^\d{4}-\d\d-\d\d/.exec(value ?? '')?.[0];

const CUT = '…';

/** One note of several remarks, each with author and date as text; what is too long is cut at its end. */
export function noteText(title: string, notes: readonly MovedNote[]): { note: string; isCut: boolean } {
  const parts = notes.map(({ text, author, at }) => {
    const origin = [author, dateOf(at)].filter((part) => part !== undefined && part !== '').join(', ');
    return origin === '' ? text.trim() : `${origin}: ${text.trim()}`;
  });
  const whole = [`Moved from ${title}.`, ...parts].join('\n');
  if (whole.length <= MAX_NOTE_LENGTH) return { note: whole, isCut: false };
  return { note: whole.slice(0, MAX_NOTE_LENGTH - CUT.length).toWellFormed() + CUT, isCut: true };
}
