/** The UTF-8 bytes of a text; lone surrogates are refused, because encoding would silently replace them. */
export function bytesOf(value: Uint8Array | string): Uint8Array {
  if (typeof value !== 'string') return value;
  if (!value.isWellFormed()) throw new TypeError('The text contains a lone surrogate.');
  return Buffer.from(value, 'utf8');
}

/** Decodes canonical base64url; null when encoding the bytes again would give another text. */
export function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
