import { formatTerm } from '#domain/query/format-term.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';

/** A term of the filter bar for one exact value, quoted where it must be. */
export const exactTerm = (key: FilterKey, value: string): string =>
  formatTerm({ key, isNot: false, values: [{ kind: 'exact', value }] });
