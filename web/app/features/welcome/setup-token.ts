/** The token in a set-up link, in its part behind `#`, or in what somebody pasted; empty when there is none. */
export const parseSetupToken = (text: string): string => /(?:#t=|^)([\w-]{8,200})$/.exec(text.trim())?.[1] ?? '';

export const MIN_PASSWORD_LENGTH = 12;

/** How far a password is, in words; characters are counted as people count them. */
export function passwordHint(password: string): string {
  const length = [...password].length;
  if (length === 0) return `${MIN_PASSWORD_LENGTH} characters or more; a sentence is good.`;
  if (length < MIN_PASSWORD_LENGTH) return `${MIN_PASSWORD_LENGTH - length} more to go; a sentence is good.`;
  return `Long enough: ${length} characters.`;
}
