const STRICT = /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i;

/** True if a request asks with `Prefer: handling=strict` (RFC 7240) to be refused rather than read leniently. */
export const prefersStrictHandling = (header = ''): boolean =>
  header.split(',').some((preference) => STRICT.test(preference));
