let last = 0;

/** A key that nothing else on this page has; `crypto.randomUUID` is absent where a page came without TLS. */
export const uniqueKey = (): string => `key-${++last}`;
