import { z } from 'zod';
import { DELIVERY_QUEUE } from '#domain/automations/deliveries/delivery-store.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { enqueueAll, job } from '#kernel/jobs/job.ts';
import { findHost } from './hosts/all-hosts.ts';
import { giteaHost } from './hosts/gitea-host.ts';
import type { HostEvent, ReceivedDelivery } from './hosts/host-delivery.ts';
import type { ScmProvider } from './hosts/host-shape.ts';
import { findHookById, type HookHost, type HookRef, listHookSecrets } from './scm-hooks.ts';

const MAX_DELIVERY_ID_LENGTH = 255;

/** Does what a delivery is about. Bulk jobs do not wake the workers, because such commits would wait for each other. */
export const scmEventJob = job({
  kind: 'scm.event',
  queue: DELIVERY_QUEUE,
  payload: {
    config: z.string(),
    event: z.enum(['repository', 'push', 'pull_request', 'installation']),
    repository: z.string(),
    number: z.string(),
  },
  maxAttempts: 8,
  isUrgent: false,
});

/** A signature that is compared with nothing, so that an unknown address takes as long as a wrong signature. */
const NOBODY = new Secret('nobody signs with this');

async function configsOf(tx: Tx, { deployment }: HookRef, hook: HookHost): Promise<string[]> {
  if (hook.config_id !== undefined) return [hook.config_id];
  const rows = await tx.all(RowId)`
    select id from scm_config where deployment_id = ${deployment} and app_id = ${hook.app_id ?? null} order by id`;
  return rows.map(({ id }) => id);
}

/** Events about the same thing are one job as long as it has not begun. */
const keyOf = (config: string, event: HostEvent): string =>
  [config, event.kind, 'repository' in event ? event.repository : '', 'number' in event ? event.number : ''].join(' ');

/** Stores a delivery and the jobs that follow, once. False if nobody whom we know has signed it. */
export async function receiveDelivery(
  tx: Tx,
  keys: KeyRing,
  ref: HookRef,
  received: ReceivedDelivery,
): Promise<boolean> {
  const hook = await findHookById(tx, ref);
  const host = hook && findHost(hook.provider as ScmProvider);
  if (!hook?.is_active || !host) return false;
  const delivery = host.readDelivery(received, await listHookSecrets(tx, keys, ref, received.at));
  if (!delivery) return false;
  const { event } = delivery;
  if (event.kind === 'ignored') return true;
  const isNew = await tx.run`
    insert into scm_delivery (deployment_id, hook_id, delivery_id, received_at)
    values (${ref.deployment}, ${ref.id}, ${delivery.id.slice(0, MAX_DELIVERY_ID_LENGTH)}, ${received.at})
    on conflict do nothing`;
  if (isNew === 0) return true;
  const configs = await configsOf(tx, ref, hook);
  await enqueueAll(
    tx,
    scmEventJob,
    configs.map((config) => ({
      deployment: ref.deployment,
      payload: {
        config,
        event: event.kind,
        repository: 'repository' in event ? event.repository : '',
        number: 'number' in event ? event.number : '',
      },
      uniqueKey: keyOf(config, event),
    })),
  );
  return true;
}

/** Does the work of a wrong signature for an address that no hook has. */
export const refuseUnknown = (received: ReceivedDelivery): false => {
  giteaHost.readDelivery(received, [NOBODY]);
  return false;
};

export const deleteOldScmDeliveries = (tx: Tx): Promise<number> =>
  tx.run`delete from scm_delivery where received_at < now() - interval '30 days'`;
