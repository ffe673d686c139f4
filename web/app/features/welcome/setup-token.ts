/** Extracts the token from a setup link, a URL fragment or pasted text; empty if there is none. */
export const parseSetupToken = (text: string): string => /(?:#t=|^)([\w-]{8,200})$/.exec(text.trim())?.[1] ?? '';

export const MIN_PASSWORD_LENGTH = 12;

/** A hint about the length of a password, counted in code points. */
export function passwordHint(password: string): string {
  const length = [...password].length;
  if (length === 0) return `${MIN_PASSWORD_LENGTH} characters or more; a passphrase works well.`;
  if (length < MIN_PASSWORD_LENGTH) return `${MIN_PASSWORD_LENGTH - length} more to go; a passphrase works well.`;
  return `Long enough: ${length} characters.`;
}
