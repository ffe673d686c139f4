import { validateHeaderValue } from 'node:http';
import type { Operation } from '#kernel/contract/operation.ts';
import type { ByteStream, OutgoingResponse } from '../message.ts';
import { essenceOf } from '../request/media-type.ts';

interface RawParts {
  headers: Record<string, string>;
  body: string | ByteStream;
}

/**
 * A reply that is not JSON: a text, a page or a download. A stream reads from the database through `read`, in pieces,
 * because the transaction of the call has ended when the stream begins.
 */
export class RawReply {
  readonly headers: Record<string, string>;
  readonly body: string | ByteStream;

  constructor({ headers, body }: RawParts) {
    this.headers = headers;
    this.body = body;
  }
}

/** Renders a raw reply; one that the contract does not declare is a defect of the handler. */
export function renderRawReply(operation: Operation, raw: RawReply, headers: Record<string, string>): OutgoingResponse {
  const all = { ...headers, ...raw.headers };
  if (!operation.raw?.types.includes(essenceOf(all['content-type'])))
    throw new Error(`${operation.template} answers with a media type that it does not declare.`);
  for (const [name, value] of Object.entries(raw.headers)) validateHeaderValue(name, value);
  // A reply that is stored under an Idempotency-Key must be complete.
  if (typeof raw.body !== 'string' && !operation.isRead && operation.transaction !== 'manual')
    throw new Error(`${operation.template} writes, so it cannot answer with a stream.`);
  return { status: operation.status, headers: all, body: raw.body };
}
