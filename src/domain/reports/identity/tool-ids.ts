import { type LooseObject, text } from '../json/loose-values.ts';

/** Semgrep writes `requires login` instead of an id if the user is not signed in. */
export const usableId = (id: string | undefined): string | undefined => (id === 'requires login' ? undefined : id);

const ENDS_WITH_ORDINAL = /[\da-f]{8}[:_]\d+$/i;

/** Without the ordinal suffix that distinguishes equal results: the tracker does that better. */
export function withoutOrdinal(id: string): string {
  const end = Math.max(id.lastIndexOf(':'), id.lastIndexOf('_'));
  return end > 0 && ENDS_WITH_ORDINAL.test(id.slice(Math.max(0, end - 8))) ? id.slice(0, end) : id;
}

/** Usable ids by kind, without ordinals. */
export function fingerprintsOf(ids: LooseObject): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const kind of Object.keys(ids)) {
    const id = usableId(text(ids[kind]));
    // Assigning `__proto__` would not create a member.
    if (id !== undefined && kind !== '__proto__') kept[kind] = withoutOrdinal(id);
  }
  return kept;
}
