import { type Loose, text } from './reading.ts';

/** `requires login` is what Semgrep writes to those who have not signed in; it says nothing. */
export const usable = (id: string | undefined): string | undefined => (id === 'requires login' ? undefined : id);

/** Without the number at the end that tells twins apart: the tracker does that better. */
export const withoutOrdinal = (id: string): string => id.replace(/(?<=[\da-f]{8})[:_]\d+$/i, '');

/** Ids by their kind, those that say something, without ordinals. */
export function fingerprintsOf(ids: Loose): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ids).flatMap(([kind, value]) => {
      const id = usable(text(value));
      return id === undefined ? [] : [[kind, withoutOrdinal(id)] as const];
    }),
  );
}
