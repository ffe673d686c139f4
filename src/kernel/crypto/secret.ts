import { inspect } from 'node:util';

const MASK = '[secret]';

let read: <T>(secret: Secret<T>) => T;

/** Carries a value that no log line, error, template or JSON text may show. */
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

/** The one way to the value inside; every call of it is a line for a reviewer to find. */
export function reveal<T>(secret: Secret<T>): T {
  return read(secret);
}
