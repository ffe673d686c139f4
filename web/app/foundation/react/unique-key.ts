let last = 0;

/** A key that is unique on this page. `crypto.randomUUID` does not exist on pages served without TLS. */
export const uniqueKey = (): string => `key-${++last}`;
