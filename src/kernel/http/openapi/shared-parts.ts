import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './schema-writer.ts';

/** Parts of the API description that operations refer to, instead of each having a copy. */
export class SharedParts {
  readonly #kind: 'parameters' | 'responses';
  readonly #parts = new Map<string, JsonSchema>();

  constructor(kind: 'parameters' | 'responses') {
    this.#kind = kind;
  }

  /** A reference to the part of this name; a part that differs from it stays where it is. */
  refer(name: string, part: JsonSchema): JsonSchema {
    const known = this.#parts.get(name) ?? part;
    if (!isDeepStrictEqual(known, part)) return part;
    this.#parts.set(name, part);
    return { $ref: `#/components/${this.#kind}/${name}` };
  }

  all(): JsonSchema {
    return Object.fromEntries([...this.#parts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
