import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_TOO_LARGE, MALFORMED_REQUEST } from '#kernel/contract/common-faults.ts';

/** The whole body of a request, which the client is told to send only now where it waits to be told. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): Promise<Uint8Array> {
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) > limitBytes) throw BODY_TOO_LARGE({ limit: limitBytes });
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  const chunks: Uint8Array[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const endEarly = () => reject(MALFORMED_REQUEST({ reason: 'the body ended early' }));
    if (request.destroyed) endEarly();
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else {
        request.pause();
        reject(BODY_TOO_LARGE({ limit: limitBytes }));
      }
    });
    request.once('end', resolve);
    request.once('error', endEarly);
    request.once('close', () => {
      if (!request.readableEnded) endEarly();
    });
  });
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
