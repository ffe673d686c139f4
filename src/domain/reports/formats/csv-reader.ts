import { cleanText } from '../json/parse-clean.ts';
import { ReportError } from '../report-error.ts';

/** A streaming CSV reader with a header row (RFC 4180). */
export class CsvReader {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #maxValueBytes: number;
  readonly #required: readonly string[];
  readonly #separator: string;
  #header: string[] | undefined;
  #fields: string[] = [];
  #field = '';
  #isQuoted = false;
  #isAfterQuote = false;
  #size = 0;
  #rows: Record<string, string>[] = [];

  constructor(required: readonly string[], { maxValueBytes }: { maxValueBytes: number }, separator = ',') {
    this.#required = required;
    this.#separator = separator;
    this.#maxValueBytes = maxValueBytes;
  }

  push(chunk: Buffer): Record<string, string>[] {
    return this.#read(this.#decoder.decode(chunk, { stream: true }));
  }

  finish(): Record<string, string>[] {
    const rows = this.#read(this.#decoder.decode());
    if (this.#isQuoted) throw new ReportError('NOT_VALID', 'The report ends inside of a quoted field.');
    if (this.#field !== '' || this.#fields.length > 0) this.#endRow();
    if (!this.#header) throw new ReportError('NOT_VALID', 'The report has no header row.');
    return rows;
  }

  #read(text: string): Record<string, string>[] {
    this.#rows = [];
    for (const character of text) {
      if (++this.#size > this.#maxValueBytes) throw new ReportError('TOO_LARGE', 'A row of the report is too long.');
      if (this.#isQuoted) {
        if (character === '"') {
          this.#isQuoted = false;
          this.#isAfterQuote = true;
        } else this.#field += character;
      } else if (character === '"') {
        // Two quotes inside of a quoted field are one quote.
        if (this.#isAfterQuote) this.#field += '"';
        this.#isQuoted = true;
        this.#isAfterQuote = false;
      } else this.#plain(character);
    }
    return this.#rows;
  }

  #plain(character: string): void {
    this.#isAfterQuote = false;
    if (character === this.#separator) this.#endField();
    else if (character === '\n') this.#endRow();
    else if (character !== '\r') this.#field += character;
  }

  #endField(): void {
    this.#fields.push(cleanText(this.#field));
    this.#field = '';
  }

  #checkHeader(header: string[]): string[] {
    const missing = this.#required.filter((name) => !header.includes(name));
    if (missing.length === 0) return header;
    throw new ReportError('NOT_VALID', `The header row lacks the columns ${missing.join(', ')}.`);
  }

  #endRow(): void {
    this.#endField();
    const fields = this.#fields;
    this.#fields = [];
    this.#size = 0;
    if (fields.length === 1 && fields[0] === '') return;
    if (!this.#header) this.#header = this.#checkHeader(fields.map((name) => name.trim()));
    else this.#rows.push(Object.fromEntries(this.#header.map((name, index) => [name, fields[index] ?? ''])));
  }
}
