import { validateHeaderValue } from 'node:http';
import type { Operation } from '#kernel/contract/operation.ts';
import { essenceOf } from './media-type.ts';
import type { Outgoing } from './problem.ts';

/** Bytes as they come; they are asked for only as fast as the client takes them. */
export type Stream = AsyncIterable<Uint8Array>;

interface RawParts {
  /** Another status than the declared one: only 303, where the operation says that it may redirect. */
  status?: 303;
  headers: Record<string, string>;
  body: string | Stream;
}

/**
 * An answer that is not JSON: a text, a page, a redirect or a download. What a stream reads from the database it reads
 * through `consult`, piece by piece, because the transaction of the call is over when the stream begins.
 */
export class Raw {
  readonly status: 303 | undefined;
  readonly headers: Record<string, string>;
  readonly body: string | Stream;

  constructor({ status, headers, body }: RawParts) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** A raw answer as the contract declared it; any other is a defect of the handler. */
export function rawOutgoing(operation: Operation, raw: Raw, headers: Record<string, string>): Outgoing {
  const all = { ...headers, ...raw.headers };
  const isDeclared =
    raw.status === undefined
      ? (operation.rawTypes ?? []).includes(essenceOf(all['content-type']))
      : operation.mayRedirect === true && all['location'] !== undefined;
  if (!isDeclared) throw new Error(`${operation.template} answers with what it does not declare.`);
  for (const [name, value] of Object.entries(raw.headers)) validateHeaderValue(name, value);
  // What an Idempotency-Key keeps is kept whole.
  if (typeof raw.body !== 'string' && !operation.isRead && !operation.isOutbound)
    throw new Error(`${operation.template} writes, and so cannot answer with a stream.`);
  return { status: raw.status ?? operation.status, headers: all, body: raw.body };
}
