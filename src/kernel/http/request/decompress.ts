import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BODY_TOO_LARGE, MALFORMED_REQUEST } from '#kernel/contract/common-faults.ts';
import { Fault } from '#kernel/contract/fault.ts';

/** Decompresses an upload, up to a limit: a small gzip file can expand to a very large one. */
export async function* decompress(
  upload: AsyncIterable<Buffer>,
  { coding, limitBytes }: { coding: string; limitBytes: number },
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of coding === 'gzip' ? gunzipped(upload) : upload) {
    size += chunk.length;
    if (size > limitBytes) throw BODY_TOO_LARGE({ limit: limitBytes });
    yield chunk;
  }
}

async function* gunzipped(upload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // The reader below receives the error; the callback would only report it a second time.
  pipeline(upload, gunzip, () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw error instanceof Fault ? error : MALFORMED_REQUEST({ reason: 'the body is not gzip' });
  }
}
