import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';

const MAX_GZIP_OVERHEAD = 1_024;

/** The chunks of a body, at most `maxBytes` after decompression. */
export function readResponseBody(response: IncomingMessage, maxBytes: number): AsyncIterable<Buffer> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return atMost(maxBytes)(response);
  if (encoding !== 'gzip') throw new EgressFailure('bad_response', 'ENCODING');
  // An error of any part reaches the reader, because a pipeline destroys its last stream with it.
  const unpacked = pipeline(response, atMost(maxBytes + MAX_GZIP_OVERHEAD), createGunzip(), () => {});
  return atMost(maxBytes)(unpacked);
}

function atMost(maxBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new EgressFailure('too_large', 'BODY');
      yield chunk;
    }
  };
}
