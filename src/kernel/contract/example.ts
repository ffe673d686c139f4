import type { z } from 'zod';
import type { Operation } from './operation.ts';

/** Gives the id of a thing that is there: in the docs a made-up one, in tests a real one. */
export type ExampleIdOf = (noun: string) => string;

export interface Example<Op extends Operation> {
  path?: z.input<Op['path']>;
  query?: z.input<Op['query']>;
  body?: z.input<Op['body']>;
  /** What is uploaded, as text: for operations that take an upload. */
  upload?: string;
}

/** One valid call per operation of a contract: feeds tests, OpenAPI examples and docs. */
export type Examples<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Operation ? Name : never]: Contract[Name] extends Operation
    ? (of: ExampleIdOf) => Example<Contract[Name]>
    : never;
};
