/** The token in a set-up link, in its part behind `#`, or in what somebody pasted; empty when there is none. */
export const tokenIn = (text: string): string => /(?:#t=|^)([\w-]{8,200})$/.exec(text.trim())?.[1] ?? '';

export const SHORTEST_PASSWORD = 12;

/** How far a password is, in words; characters are counted as people count them. */
export function passwordHint(password: string): string {
  const length = [...password].length;
  if (length === 0) return `${SHORTEST_PASSWORD} characters or more; a sentence is good.`;
  if (length < SHORTEST_PASSWORD) return `${SHORTEST_PASSWORD - length} more to go; a sentence is good.`;
  return `Long enough: ${length} characters.`;
}
