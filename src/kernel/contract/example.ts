import type { z } from 'zod';
import type { Operation } from './operation.ts';

/** Returns the id of an existing object: a made-up one in the docs, a real one in tests. */
export type ExampleIdOf = (noun: string) => string;

export interface Example<Op extends Operation> {
  path?: z.input<Op['path']>;
  query?: z.input<Op['query']>;
  body?: z.input<Op['body']>;
  /** The uploaded text, for operations that take an upload. */
  upload?: string;
}

/** One valid call per operation of a contract, for tests, OpenAPI examples and docs. */
export type Examples<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Operation ? Name : never]: Contract[Name] extends Operation
    ? (of: ExampleIdOf) => Example<Contract[Name]>
    : never;
};
