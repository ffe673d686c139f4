import type { Key } from '#domain/query/keys.ts';
import { termText } from '#domain/query/write.ts';

/** A term of the filter bar for one exact value, quoted where it must be. */
export const termOf = (key: Key, value: string): string =>
  termText({ key, isNot: false, values: [{ kind: 'exact', value }] });
