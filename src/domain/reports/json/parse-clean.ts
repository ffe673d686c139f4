const MAY_BE_UNCLEAN = /\\u(?:0000|[dD][89a-fA-F])/;

/** JSON.parse, with characters that PostgreSQL cannot store (NUL, lone surrogates) replaced by U+FFFD. */
export function parseClean(text: string): unknown {
  return MAY_BE_UNCLEAN.test(text) ? JSON.parse(text, (_key, value: unknown) => clean(value)) : JSON.parse(text);
}

export const cleanText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const isClean = entries.every(([key]) => cleanText(key) === key);
  return isClean ? value : Object.fromEntries(entries.map(([key, member]) => [cleanText(key), member]));
}
