import { validateHeaderValue } from 'node:http';
import type { Operation } from '#kernel/contract/operation.ts';
import type { ByteStream, OutgoingResponse } from '../message.ts';
import { essenceOf } from '../request/media-type.ts';

interface RawParts {
  headers: Record<string, string>;
  body: string | ByteStream;
}

/**
 * An answer that is not JSON: a text, a page or a download. What a stream reads from the database it reads
 * through `read`, piece by piece, because the transaction of the call is over when the stream begins.
 */
export class RawReply {
  readonly headers: Record<string, string>;
  readonly body: string | ByteStream;

  constructor({ headers, body }: RawParts) {
    this.headers = headers;
    this.body = body;
  }
}

/** A raw answer as the contract declared it; any other is a defect of the handler. */
export function renderRawReply(operation: Operation, raw: RawReply, headers: Record<string, string>): OutgoingResponse {
  const all = { ...headers, ...raw.headers };
  if (!operation.raw?.types.includes(essenceOf(all['content-type'])))
    throw new Error(`${operation.template} answers with a media type that it does not declare.`);
  for (const [name, value] of Object.entries(raw.headers)) validateHeaderValue(name, value);
  // What an Idempotency-Key keeps is kept whole.
  if (typeof raw.body !== 'string' && !operation.isRead && operation.transaction !== 'manual')
    throw new Error(`${operation.template} writes, and so cannot answer with a stream.`);
  return { status: operation.status, headers: all, body: raw.body };
}
