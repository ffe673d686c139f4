const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const MEMBER = 'token';

/** Scans JSON byte by byte and masks the value of the top-level member `token`, even across chunk boundaries. */
class TokenRedactor {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isKey = true;
  #name = '';
  #isRedacted = false;

  redact(chunk: Buffer): Buffer {
    const bytes = Buffer.from(chunk);
    for (const [index, byte] of chunk.entries()) if (this.#isSecret(byte)) bytes[index] = 0x2a;
    return bytes;
  }

  #isSecret(byte: number): boolean {
    return this.#isInText ? this.#inText(byte) : this.#outside(byte);
  }

  #inText(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInText = false;
      return false;
    }
    if (this.#depth === 1 && this.#isKey && this.#name.length <= MEMBER.length) this.#name += String.fromCharCode(byte);
    return this.#isRedacted;
  }

  #outside(byte: number): boolean {
    if (byte === QUOTE) {
      this.#isInText = true;
      if (this.#depth === 1 && this.#isKey) this.#name = '';
      this.#isRedacted = this.#depth === 1 && !this.#isKey && this.#name === MEMBER;
    } else if (OPENING.has(byte)) this.#depth++;
    else if (CLOSING.has(byte)) this.#depth--;
    else if (byte === COLON && this.#depth === 1) this.#isKey = false;
    else if (byte === COMMA && this.#depth === 1) this.#isKey = true;
    return false;
  }
}

/** Scanners may send a credential of the source-code host: it is masked before anything is stored (SEC-01). */
export async function* redactToken(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const redactor = new TokenRedactor();
  for await (const chunk of source) yield redactor.redact(chunk);
}
