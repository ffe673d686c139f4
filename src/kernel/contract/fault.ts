/** The placeholders of a fault's sentence: each must be filled when the fault is thrown. */
type Placeholders<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Details<Sentence extends string> = Record<Placeholders<Sentence>, string | number>;

/** An invalid member of a request, addressed by a JSON Pointer fragment, `query/x`, `path/x` or `header/x`. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}

export interface FaultExtras {
  errors?: FieldError[];
  /** Further members of the error body, which existing clients expect. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** True when the transaction commits nevertheless, such as to record a failed sign-in. */
  commits?: boolean;
}

/** A request that cannot be served: a code for programs, a sentence for people, and a status. */
export class Fault extends Error {
  readonly kind: FaultKind;
  readonly extras: FaultExtras;

  constructor(kind: FaultKind, detail: string, extras: FaultExtras = {}) {
    super(detail);
    this.name = 'Fault';
    this.kind = kind;
    this.extras = extras;
  }
}

export interface FaultKind {
  code: string;
  status: number;
  /** The sentence as declared, with its placeholders, for the error reference. */
  sentence: string;
  /** What the caller should do, shown in the reference and as `hint` in the body. */
  hint: string;
}

export interface FaultFactory<Sentence extends string = string> extends FaultKind {
  (
    ...details: Placeholders<Sentence> extends never
      ? [extras?: FaultExtras]
      : [Details<Sentence>, extras?: FaultExtras]
  ): Fault;
}

const MAX_QUOTED_LENGTH = 64;

const MAX_SENTENCE_LENGTH = 2000;

function shorten(value: unknown, maxLength: number): string {
  const line = String(value).replace(/\p{Cc}+/gu, ' ');
  const characters = [...line];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}

/** Quotes text of a request in an error message: short and on one line. */
export const quoteBriefly = (value: unknown): string => shorten(value, MAX_QUOTED_LENGTH);

/** A sentence of the server in an error message, such as a list of accepted values: on one line, and rarely cut. */
export const fitSentence = (value: unknown): string => shorten(value, MAX_SENTENCE_LENGTH);

/** Placeholders for sentences of the server; all others are for text of the request. */
const SENTENCES: ReadonlySet<string> = new Set(['sentence', 'first', 'reason']);

/** Declares a fault: `throw TEAM_NAME_TAKEN({ name })`. */
export function fault<const Sentence extends string>(
  code: string,
  status: number,
  sentence: Sentence,
  hint = '',
): FaultFactory<Sentence> {
  const kind: FaultKind = { code, status, sentence, hint };
  const make = (first?: Record<string, unknown>, second?: FaultExtras) => {
    const hasPlaceholders = sentence.includes('{');
    const details = hasPlaceholders ? (first ?? {}) : {};
    const extras = hasPlaceholders ? second : (first as FaultExtras | undefined);
    const fill = (_: string, name: string) => (SENTENCES.has(name) ? fitSentence : quoteBriefly)(details[name]);
    const detail = sentence.replace(/\{(\w+)\}/g, fill);
    return new Fault(kind, detail, extras);
  };
  return Object.assign(make, kind) as unknown as FaultFactory<Sentence>;
}

/** The database ended a statement that took too long. A retry would take as long again, so nothing retries it. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout';

  constructor(cause: unknown) {
    super('A statement took too long and was cancelled', { cause });
  }
}

/** A disk has too little space: of the server, or of its database. A retry helps only after the operator has acted. */
export class StorageFull extends Error {
  /** Completes the sentence of the fault. */
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`there is too little disk space: ${reason}`, { cause });
    this.name = 'StorageFull';
    this.reason = reason;
  }
}

/** A dependency, such as the database, does not answer; a retry may help. */
export class Outage extends Error {
  readonly dependency: string;
  readonly retryAfterSeconds: number;

  constructor(dependency: string, cause: unknown, retryAfterSeconds = 2) {
    super(`${dependency} is unavailable`, { cause });
    this.name = 'Outage';
    this.dependency = dependency;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
