import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { SigningKey } from '#kernel/crypto/keys/signing-key.ts';
import type { Database } from '#kernel/db/database.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** A signed statement of the length and last hash of a chain, which reveals a later truncation. */
export interface Checkpoint {
  deployment: string;
  size: number;
  hash: Buffer;
  at: Date;
  keyId: string;
  signature: Buffer;
}

export interface SealingContext {
  db: Database;
  signer: SigningKey;
  clock?: () => Date;
  /** Exports each new checkpoint, so that nobody who can edit the database can remove it. */
  onCheckpoint?: (checkpoint: Checkpoint) => void;
}

/** A sealer signs a checkpoint after at most this many records; a recurring job signs one for the rest. */
export const CHECKPOINT_RECORDS = 1000;

const CheckpointRow = z.object({
  size: z.number(),
  hash: z.instanceof(Buffer),
  at_ms: z.number(),
  key_id: z.string(),
  signature: z.instanceof(Buffer),
});

const ChainEnd = z.object({ deployment: z.string(), position: z.number(), hash: z.instanceof(Buffer) });

type Statement = Pick<Checkpoint, 'deployment' | 'size' | 'hash' | 'at'>;

const textOf = ({ deployment, size, hash, at }: Statement) =>
  Buffer.from(
    `parapet audit checkpoint v1\ndeployment ${deployment}\nsize ${size}\nhash ${hash.toString('hex')}\n` +
      `at ${at.toISOString()}\n`,
  );

export function signCheckpoint(statement: Statement, { privateKey, keyId }: SigningKey): Checkpoint {
  return { ...statement, keyId, signature: sign(null, textOf(statement), privateKey) };
}

export function isSignedBy(checkpoint: Checkpoint, { publicKey, keyId }: Pick<SigningKey, 'publicKey' | 'keyId'>) {
  return checkpoint.keyId === keyId && verify(null, textOf(checkpoint), publicKey, checkpoint.signature);
}

export async function insertCheckpoints(tx: Tx, checkpoints: readonly Checkpoint[]): Promise<void> {
  await tx.run`
    insert into audit_checkpoint (deployment_id, size, hash, at, key_id, signature)
    select deployment_id, size, decode(hash, 'hex'), at, key_id, decode(signature, 'hex')
    from unnest(${checkpoints.map((checkpoint) => checkpoint.deployment)}::bigint[],
                ${checkpoints.map((checkpoint) => checkpoint.size)}::bigint[],
                ${checkpoints.map((checkpoint) => checkpoint.hash.toString('hex'))}::text[],
                ${checkpoints.map((checkpoint) => checkpoint.at.toISOString())}::timestamptz[],
                ${checkpoints.map((checkpoint) => checkpoint.keyId)}::text[],
                ${checkpoints.map((checkpoint) => checkpoint.signature.toString('hex'))}::text[])
      as made (deployment_id, size, hash, at, key_id, signature)
    on conflict (deployment_id, size) do nothing`;
}

/** The checkpoints of a range of sizes, oldest first. */
export async function listCheckpoints(
  tx: Tx,
  { deployment, after, last }: { deployment: string; after: number; last: number },
): Promise<Checkpoint[]> {
  const rows = await tx.all(CheckpointRow)`
    select size::float8 as size, hash, (extract(epoch from at) * 1000)::float8 as at_ms, key_id, signature
    from audit_checkpoint where deployment_id = ${deployment} and size > ${after} and size <= ${last} order by size`;
  return rows.map(({ at_ms: atMs, key_id: keyId, ...row }) => ({ ...row, deployment, at: new Date(atMs), keyId }));
}

const BATCH = 500;

/** Signs a checkpoint for every chain that has grown since its last one; returns how many. */
export async function checkpointAll({ db, signer, clock = realClock, onCheckpoint }: SealingContext): Promise<number> {
  let total = 0;
  for (let count = BATCH; count === BATCH; total += count) {
    const signed = await db.transaction({ role: 'background', isRead: false }, async (tx) => {
      const at = clock();
      const checkpoints = (await listGrown(tx)).map((end) => signCheckpoint({ ...end, at }, signer));
      if (checkpoints.length > 0) await insertCheckpoints(tx, checkpoints);
      return checkpoints;
    });
    for (const checkpoint of signed) onCheckpoint?.(checkpoint);
    count = signed.length;
  }
  return total;
}

export const realClock = (): Date => new Date();

/** Steps from chain to chain through the index, so the cost grows with the number of deployments, not of records. */
async function listGrown(tx: Tx): Promise<Omit<Statement, 'at'>[]> {
  const first = sql`select deployment_id from audit_seal`;
  const rows = await tx.all(ChainEnd)`
    with recursive chain as (
      (${first} order by deployment_id limit 1)
      union all
      select found.deployment_id from chain cross join lateral (
        ${first} where deployment_id > chain.deployment_id order by deployment_id limit 1) found
    )
    select chain.deployment_id as deployment, seal.position::float8 as position, seal.hash
    from chain cross join lateral (
      select position, hash from audit_seal where deployment_id = chain.deployment_id
      order by position desc limit 1) seal
    where not exists (select from audit_checkpoint made
                      where made.deployment_id = chain.deployment_id and made.size >= seal.position)
    limit ${BATCH}`;
  return rows.map(({ deployment, position, hash }) => ({ deployment, size: position, hash }));
}
