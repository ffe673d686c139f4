/** The UTF-8 bytes of a text, refusing lone surrogates because UTF-8 would silently replace them. */
export function bytesOf(value: Uint8Array | string): Uint8Array {
  if (typeof value !== 'string') return value;
  if (!value.isWellFormed()) throw new TypeError('The text holds a lone surrogate and has no UTF-8 form.');
  return Buffer.from(value, 'utf8');
}

/** Decodes base64url only when the text is the one spelling that encoding the bytes again would give. */
export function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
