import { inspect } from 'node:util';

const MASK = '[secret]';

let read: <T>(secret: Secret<T>) => T;

/** Wraps a value that must not appear in a log line, error, template or JSON text. */
export class Secret<T = string> {
  readonly #value: T;

  static {
    read = (secret) => secret.#value;
  }

  constructor(value: T) {
    this.#value = value;
    Object.freeze(this);
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

/** The only access to the value; reviewers search for its calls. */
export function reveal<T>(secret: Secret<T>): T {
  return read(secret);
}
