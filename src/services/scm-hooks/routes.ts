import { receiveDelivery, refuseUnknown } from '#domain/scm/receive-delivery.ts';
import { findHookByKey } from '#domain/scm/scm-hooks.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

async function readAll(upload: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of upload) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** ScmHooksService: where code hosts send their webhooks. */
export const scmHooks = group('ScmHooksService', contract, {
  receiveScmDelivery: async ({ path, upload, read, transactIn, services, request, now }) => {
    const { address, header } = request;
    // Counted before the signature is known, and given back if it fits: only failures use it up.
    services.limits.take('hook-failure', address);
    const received = { header, bytes: await readAll(upload), at: now };
    const ref = await read((tx) => findHookByKey(tx, path.hookKey));
    const isAccepted = ref
      ? await transactIn(ref.deployment, (tx) => receiveDelivery(tx, services.keys, ref, received))
      : refuseUnknown(received);
    if (!isAccepted) throw contract.DELIVERY_REFUSED();
    services.limits.giveBack('hook-failure', address);
    return {};
  },
});
