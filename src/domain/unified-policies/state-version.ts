import { createHash } from 'node:crypto';

/** Members in the order of their names, so that equal content has equal text. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

export const canonicalText = (content: object): string => JSON.stringify(content, inOrder);

const VERSION_LENGTH = 16;

/** A fingerprint of the content: equal content has an equal version. The caller has sorted lists that have no order. */
export const stateVersionOf = (content: object): string =>
  createHash('sha256').update(canonicalText(content)).digest('hex').slice(0, VERSION_LENGTH);

export const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

export const sortedUnique = (texts: readonly string[]): string[] => [...new Set(texts)].sort(byText);
