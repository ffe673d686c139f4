import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';

const MAX_GZIP_OVERHEAD = 1_024;

/** Reads a body completely, at most `maxBytes` after decompression; the stream has ended afterwards in every case. */
export async function readResponseBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') {
    await pipeline(response, atMost(maxBytes), collect, { signal });
  } else if (encoding === 'gzip') {
    await pipeline(response, atMost(maxBytes + MAX_GZIP_OVERHEAD), createGunzip(), atMost(maxBytes), collect, {
      signal,
    });
  } else {
    response.destroy();
    throw new EgressFailure('bad_response', 'ENCODING');
  }
  return Buffer.concat(chunks);
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
