/** The words in braces of a fault's sentence: each must be given when the fault is thrown. */
type Slots<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;

type Details<Sentence extends string> = Record<Slots<Sentence>, string | number>;

/** One member of a request that is wrong, addressed by a JSON Pointer fragment, `query/x`, `path/x` or `header/x`. */
export interface FieldError {
  pointer: string;
  code: string;
  detail: string;
}

export interface FaultExtras {
  errors?: FieldError[];
  /** Further members of the error body, as existing clients expect them. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The refusal itself changed something that must stay, such as the record of a failed sign-in. */
  commits?: boolean;
}

/** What a caller did that cannot be served: has a code for programs, a sentence for people, and a status. */
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
  /** The sentence as declared, with its slots, for the derived error reference. */
  sentence: string;
  /** What the caller should do next, shown in the reference and as `hint` in the body. */
  hint: string;
}

export interface FaultFactory<Sentence extends string = string> extends FaultKind {
  (
    ...details: Slots<Sentence> extends never ? [extras?: FaultExtras] : [Details<Sentence>, extras?: FaultExtras]
  ): Fault;
}

const LONGEST_ECHO = 64;

/** Text from a request, safe to repeat in an error: short and on one line. */
export function quoteBriefly(value: unknown): string {
  const flat = String(value).replace(/\p{Cc}+/gu, ' ');
  const characters = [...flat];
  return characters.length > LONGEST_ECHO ? `${characters.slice(0, LONGEST_ECHO - 1).join('')}…` : flat;
}

/** Declares a fault: `throw TEAM_NAME_TAKEN({ name })`. */
export function fault<const Sentence extends string>(
  code: string,
  status: number,
  sentence: Sentence,
  hint = '',
): FaultFactory<Sentence> {
  const kind: FaultKind = { code, status, sentence, hint };
  const make = (first?: Record<string, unknown>, second?: FaultExtras) => {
    const hasSlots = sentence.includes('{');
    const details = hasSlots ? (first ?? {}) : {};
    const extras = hasSlots ? second : (first as FaultExtras | undefined);
    const detail = sentence.replace(/\{(\w+)\}/g, (_, name: string) => quoteBriefly(details[name]));
    return new Fault(kind, detail, extras);
  };
  return Object.assign(make, kind) as unknown as FaultFactory<Sentence>;
}

/** A part we lean on does not answer: says which, and that trying again may help. */
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
