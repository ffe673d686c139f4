import { UNSUPPORTED_MEDIA_TYPE } from '#kernel/contract/common-faults.ts';
import type { UploadSpec } from '#kernel/contract/operation.ts';
import type { IncomingRequest } from '../message.ts';
import { essenceOf } from '../request/media-type.ts';

const CODINGS = [undefined, 'identity', 'gzip'];

/** The bytes of an upload as they were sent, once their type is one that the operation takes. */
export function openUpload({ types, limitBytes }: UploadSpec, incoming: IncomingRequest): AsyncIterable<Buffer> {
  const isTaken = types.includes(essenceOf(incoming.header('content-type')));
  const isReadable = CODINGS.includes(incoming.header('content-encoding')?.toLowerCase());
  if (!isTaken || !isReadable) throw UNSUPPORTED_MEDIA_TYPE({ types: types.join(' or ') });
  return incoming.streamBody(limitBytes);
}

/** What operations have that take no upload. */
export const emptyUpload: AsyncIterable<Buffer> = {
  async *[Symbol.asyncIterator]() {
    // There is nothing to give.
  },
};
