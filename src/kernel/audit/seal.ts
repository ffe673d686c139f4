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

export const SEAL_BATCH = 1000;
/** Any constant will do, as long as no other advisory lock of ours uses it as its first key. */
const LOCK_CLASS = 1_885_434_483;

/** Puts all waiting records into the chains of their deployments, a batch of each in turn; gives how many. */
export async function sealAll(notary: SealingContext, signal?: AbortSignal): Promise<number> {
  let total = 0;
  let isMoreLeft = true;
  while (isMoreLeft && !signal?.aborted) {
    isMoreLeft = false;
    for (const deployment of await listWaiting(notary)) {
      if (signal?.aborted) break;
      const count = await sealBatch(notary, deployment);
      total += count;
      if (count === SEAL_BATCH) isMoreLeft = true;
    }
  }
  return total;
}

/** Steps from deployment to deployment through the index, so a long queue of one costs no more than a short one. */
async function listWaiting({ db }: SealingContext): Promise<string[]> {
  const rows = await db.transaction(
    { role: 'background', isRead: true },
    (tx) => tx.rows`
      with recursive waiting as (
        (select deployment_id from audit_unsealed order by deployment_id limit 1)
        union all
        select found.deployment_id from waiting cross join lateral (
          select deployment_id from audit_unsealed where deployment_id > waiting.deployment_id
          order by deployment_id limit 1) found
      )
      select deployment_id from waiting`,
  );
  return rows.map((row) => String(row['deployment_id']));
}

/** Seals the oldest waiting records of a deployment; does nothing while another sealer is at it. */
export async function sealBatch(notary: SealingContext, deployment: string): Promise<number> {
  const { db, signer, clock = realClock, onCheckpoint } = notary;
  const { count, checkpoint } = await db.transaction({ role: 'background', isRead: false }, async (tx) => {
    const { isMine, end, waiting } = await open(tx, deployment);
    if (!isMine || waiting.length === 0) return { count: 0 };
    const seals = extend(end.hash, waiting);
    await append(tx, deployment, { after: end.size, seals });
    const size = end.size + seals.length;
    if (size - end.checkpointSize < CHECKPOINT_RECORDS) return { count: seals.length };
    const hash = seals.at(-1)?.hash ?? end.hash;
    const made: Checkpoint = signCheckpoint({ deployment, size, hash, at: clock() }, signer);
    await insertCheckpoints(tx, [made]);
    return { count: seals.length, checkpoint: made };
  });
  if (checkpoint) onCheckpoint?.(checkpoint);
  return count;
}

interface Waiting {
  id: string;
  text: string;
}

interface Seal {
  id: string;
  hash: Buffer;
}

function extend(end: Buffer, waiting: readonly Waiting[]): Seal[] {
  let hash = end;
  return waiting.map(({ id, text }) => {
    hash = chainHash(hash, text);
    return { id, hash };
  });
}

/** Sent together: each statement sees what was committed when the lock before it was taken. */
async function open(tx: Tx, deployment: string) {
  const [[lock], [end], waiting] = await Promise.all([
    tx.rows`select pg_try_advisory_xact_lock(${LOCK_CLASS}, hashint8(${deployment})) as "isMine"`,
    tx.rows`
      select (select coalesce(max(size), 0) from audit_checkpoint
              where deployment_id = ${deployment}) as checkpoint_size,
             seal.position, seal.hash
      from (select) as always left join lateral (
        select position, hash from audit_seal where deployment_id = ${deployment} order by position desc limit 1
      ) seal on true`,
    tx.rows`
      select record.id, ${canonicalText} as text
      from audit_unsealed unsealed
        join audit_record record on record.deployment_id = unsealed.deployment_id and record.id = unsealed.record_id
      where unsealed.deployment_id = ${deployment}
      order by unsealed.record_id limit ${SEAL_BATCH}`,
  ]);
  return {
    isMine: lock?.['isMine'] === true,
    end: {
      size: Number(end?.['position'] ?? 0),
      hash: (end?.['hash'] as Buffer | null | undefined) ?? CHAIN_START,
      checkpointSize: Number(end?.['checkpoint_size']),
    },
    waiting: waiting as unknown as Waiting[],
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
      with ordinality as made (record_id, hash, place)`;
}
