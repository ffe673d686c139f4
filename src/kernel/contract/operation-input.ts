import type { z } from 'zod';
import type { Operation } from './operation.ts';

/** A part of a request that may be left out when the contract names no member of it. */
type Optional<Name extends string, Value> = string extends keyof Value
  ? { [Key in Name]?: Value }
  : { [Key in Name]: Value };

/** What an upload is sent from: at once, or as it comes. */
export type UploadSource = string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;

/** What a call of an operation is given. */
export type OperationInput<Op extends Operation> = Optional<'path', z.input<Op['path']>> &
  Optional<'body', z.input<Op['body']>> & {
    query?: z.input<Op['query']>;
    headers?: Record<string, string>;
    /** For operations that take an upload; its type is the first that they name, unless a header says another. */
    upload?: UploadSource;
  };
