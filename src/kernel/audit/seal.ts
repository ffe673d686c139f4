import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { CHAIN_START, canonicalText, chainHash } from './chain.ts';
import {
  CHECKPOINT_RECORDS,
  type Checkpoint,
  insertCheckpoints,
  realClock,
  type SealingContext,
  signCheckpoint,
} from './checkpoint.ts';

export const SEAL_BATCH_SIZE = 1000;
/** The first key of the advisory lock; no other lock of this program uses it. */
const LOCK_CLASS = 1_885_434_483;

const DeploymentId = z.object({ deployment_id: z.string() });
const Lock = z.object({ isLocked: z.boolean() });

/** Seals all waiting records, a batch of each deployment in turn; returns how many. */
export async function sealAll(context: SealingContext, signal?: AbortSignal): Promise<number> {
  let total = 0;
  let isMoreLeft = true;
  while (isMoreLeft && !signal?.aborted) {
    isMoreLeft = false;
    for (const deployment of await listWaiting(context)) {
      if (signal?.aborted) break;
      const count = await sealBatch(context, deployment);
      total += count;
      if (count === SEAL_BATCH_SIZE) isMoreLeft = true;
    }
  }
  return total;
}

/** Steps from deployment to deployment through the index, so the cost does not depend on the length of their queues. */
async function listWaiting({ db }: SealingContext): Promise<string[]> {
  const rows = await db.transaction(
    { role: 'background', isRead: true },
    (tx) => tx.all(DeploymentId)`
      with recursive waiting as (
        (select deployment_id from audit_unsealed order by deployment_id limit 1)
        union all
        select found.deployment_id from waiting cross join lateral (
          select deployment_id from audit_unsealed where deployment_id > waiting.deployment_id
          order by deployment_id limit 1) found
      )
      select deployment_id from waiting`,
  );
  return rows.map(({ deployment_id: deployment }) => deployment);
}

/** Seals the oldest waiting records of a deployment; does nothing while another process seals them. */
export async function sealBatch(context: SealingContext, deployment: string): Promise<number> {
  const { db, signer, clock = realClock, onCheckpoint } = context;
  const { count, checkpoint } = await db.transaction({ role: 'background', isRead: false }, async (tx) => {
    const { isLocked, end, waiting } = await open(tx, deployment);
    if (!isLocked || waiting.length === 0) return { count: 0 };
    const seals = extend(end.hash, waiting);
    await append(tx, deployment, { after: end.size, seals });
    const size = end.size + seals.length;
    if (size - end.checkpointSize < CHECKPOINT_RECORDS) return { count: seals.length };
    const hash = seals.at(-1)?.hash ?? end.hash;
    const signed: Checkpoint = signCheckpoint({ deployment, size, hash, at: clock() }, signer);
    await insertCheckpoints(tx, [signed]);
    return { count: seals.length, checkpoint: signed };
  });
  if (checkpoint) onCheckpoint?.(checkpoint);
  return count;
}

const WaitingRecord = z.object({ id: z.string(), text: z.string() });

type WaitingRecord = z.output<typeof WaitingRecord>;

const ChainEnd = z.object({
  checkpoint_size: z.number(),
  position: z.number().optional(),
  hash: z.instanceof(Buffer).optional(),
});

interface Seal {
  id: string;
  hash: Buffer;
}

function extend(end: Buffer, waiting: readonly WaitingRecord[]): Seal[] {
  let hash = end;
  return waiting.map(({ id, text }) => {
    hash = chainHash(hash, text);
    return { id, hash };
  });
}

/** The statements are sent together; each sees what was committed when the lock was taken. */
async function open(tx: Tx, deployment: string) {
  const [lock, end, waiting] = await Promise.all([
    tx.one(Lock)`select pg_try_advisory_xact_lock(${LOCK_CLASS}, hashint8(${deployment})) as "isLocked"`,
    tx.one(ChainEnd)`
      select (select coalesce(max(size), 0) from audit_checkpoint
              where deployment_id = ${deployment})::float8 as checkpoint_size,
             seal.position::float8 as position, seal.hash
      from (select) as always left join lateral (
        select position, hash from audit_seal where deployment_id = ${deployment} order by position desc limit 1
      ) seal on true`,
    tx.all(WaitingRecord)`
      select record.id, ${canonicalText} as text
      from audit_unsealed unsealed
        join audit_record record on record.deployment_id = unsealed.deployment_id and record.id = unsealed.record_id
      where unsealed.deployment_id = ${deployment}
      order by unsealed.record_id limit ${SEAL_BATCH_SIZE}`,
  ]);
  return {
    isLocked: lock?.isLocked === true,
    end: {
      size: end?.position ?? 0,
      hash: end?.hash ?? CHAIN_START,
      checkpointSize: end?.checkpoint_size ?? 0,
    },
    waiting,
  };
}

async function append(tx: Tx, deployment: string, { after, seals }: { after: number; seals: Seal[] }): Promise<void> {
  const ids = seals.map((seal) => seal.id);
  await tx.run`
    with sealed as (
      delete from audit_unsealed where deployment_id = ${deployment} and record_id = any(${ids}::bigint[])
    )
    insert into audit_seal (deployment_id, position, record_id, hash)
    select ${deployment}::bigint, ${after}::bigint + place, record_id, decode(hash, 'hex')
    from unnest(${ids}::bigint[], ${seals.map((seal) => seal.hash.toString('hex'))}::text[])
      with ordinality as sealed_record (record_id, hash, place)`;
}
