import { type LooseObject, text } from '../json/loose-values.ts';

/** `requires login` is what Semgrep writes to those who have not signed in; it says nothing. */
export const usableId = (id: string | undefined): string | undefined => (id === 'requires login' ? undefined : id);

const ENDS_WITH_ORDINAL = /[\da-f]{8}[:_]\d+$/i;

/** Without the number at the end that tells twins apart: the tracker does that better. */
export function withoutOrdinal(id: string): string {
  const end = Math.max(id.lastIndexOf(':'), id.lastIndexOf('_'));
  return end > 0 && ENDS_WITH_ORDINAL.test(id.slice(Math.max(0, end - 8))) ? id.slice(0, end) : id;
}

/** Ids by their kind, those that say something, without ordinals. */
export function fingerprintsOf(ids: LooseObject): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const kind of Object.keys(ids)) {
    const id = usableId(text(ids[kind]));
    // An assignment to this name would not make a member.
    if (id !== undefined && kind !== '__proto__') kept[kind] = withoutOrdinal(id);
  }
  return kept;
}
