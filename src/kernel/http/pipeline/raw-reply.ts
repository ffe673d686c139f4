import { validateHeaderValue } from 'node:http';
import type { Operation } from '#kernel/contract/operation.ts';
import type { OutgoingResponse } from '../edge/problem.ts';
import { essenceOf } from '../request/media-type.ts';

/** Bytes as they come; they are asked for only as fast as the client takes them. */
export type ByteStream = AsyncIterable<Uint8Array>;

interface RawParts {
  /** Another status than the declared one: only 303, where the operation says that it may redirect. */
  status?: 303;
  headers: Record<string, string>;
  body: string | ByteStream;
}

/**
 * An answer that is not JSON: a text, a page, a redirect or a download. What a stream reads from the database it reads
 * through `read`, piece by piece, because the transaction of the call is over when the stream begins.
 */
export class RawReply {
  readonly status: 303 | undefined;
  readonly headers: Record<string, string>;
  readonly body: string | ByteStream;

  constructor({ status, headers, body }: RawParts) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** A raw answer as the contract declared it; any other is a defect of the handler. */
export function renderRawReply(operation: Operation, raw: RawReply, headers: Record<string, string>): OutgoingResponse {
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
