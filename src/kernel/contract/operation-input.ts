import type { z } from 'zod';
import type { Operation } from './operation.ts';

/** A part of a request that is optional when the contract declares no member of it. */
type Optional<Name extends string, Value> = string extends keyof Value
  ? { [Key in Name]?: Value }
  : { [Key in Name]: Value };

/** The content of an upload: complete, or as a stream. */
export type UploadSource = string | Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>;

/** The input of a call of an operation. */
export type OperationInput<Op extends Operation> = Optional<'path', z.input<Op['path']>> &
  Optional<'body', z.input<Op['body']>> & {
    query?: z.input<Op['query']>;
    headers?: Record<string, string>;
    /** For operations that take an upload; the media type is the first declared one unless a header sets another. */
    upload?: UploadSource;
  };
