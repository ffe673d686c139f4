import { UNSUPPORTED_MEDIA_TYPE } from '#kernel/contract/common-faults.ts';
import type { UploadSpec } from '#kernel/contract/operation.ts';
import type { IncomingRequest } from '../message.ts';
import { essenceOf } from '../request/media-type.ts';

const ENCODINGS = [undefined, 'identity', 'gzip'];

/** The bytes of an upload as they were sent, after their type and encoding were checked. */
export function openUpload({ types, limitBytes }: UploadSpec, incoming: IncomingRequest): AsyncIterable<Buffer> {
  const isAccepted = types.includes(essenceOf(incoming.header('content-type')));
  const isReadable = ENCODINGS.includes(incoming.header('content-encoding')?.toLowerCase());
  if (!isAccepted || !isReadable) throw UNSUPPORTED_MEDIA_TYPE({ types: types.join(' or ') });
  return incoming.streamBody(limitBytes);
}

/** The upload of operations that take none. */
export const emptyUpload: AsyncIterable<Buffer> = {
  async *[Symbol.asyncIterator]() {
    // Yields nothing.
  },
};
