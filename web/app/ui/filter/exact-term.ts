import { formatTerm } from '#domain/query/format-term.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';

/** A filter term for one exact value, quoted if needed. */
export const exactTerm = (key: FilterKey, value: string): string =>
  formatTerm({ key, isNot: false, values: [{ kind: 'exact', value }] });
