/** Lists of few repositories change by half on an ordinary day. */
const MIN_KNOWN = 4;

/** True if a list lost so much that the host, or our permission, is more likely to be the reason than people. */
export const isShrunk = ({ known, missing }: { known: number; missing: number }): boolean =>
  known >= MIN_KNOWN && missing * 2 > known;
