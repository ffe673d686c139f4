import { sign, verify } from 'node:crypto';
import type { SigningKey } from '#kernel/crypto/keys/signing-key.ts';
import type { Database } from '#kernel/db/database.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** A signed statement of how long a chain was and where it ended: what is cut off behind it can be seen. */
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
  /** Carries each new checkpoint out of the database, where whoever can edit the chain cannot reach it. */
  onCheckpoint?: (checkpoint: Checkpoint) => void;
}

/** A sealer makes a checkpoint at the latest after this many records; a timer makes one of what is left. */
export const CHECKPOINT_RECORDS = 1000;

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
    from unnest(${checkpoints.map((one) => one.deployment)}::bigint[], ${checkpoints.map((one) => one.size)}::bigint[],
                ${checkpoints.map((one) => one.hash.toString('hex'))}::text[],
                ${checkpoints.map((one) => one.at.toISOString())}::timestamptz[],
                ${checkpoints.map((one) => one.keyId)}::text[],
                ${checkpoints.map((one) => one.signature.toString('hex'))}::text[])
      as made (deployment_id, size, hash, at, key_id, signature)
    on conflict (deployment_id, size) do nothing`;
}

/** Checkpoints of the given sizes' range, oldest first. */
export async function listCheckpoints(
  tx: Tx,
  { deployment, after, last }: { deployment: string; after: number; last: number },
): Promise<Checkpoint[]> {
  const rows = await tx.rows`
    select size::float8 as size, hash, (extract(epoch from at) * 1000)::float8 as at_ms, key_id, signature
    from audit_checkpoint where deployment_id = ${deployment} and size > ${after} and size <= ${last} order by size`;
  return rows.map((row) => ({
    deployment,
    size: Number(row['size']),
    hash: row['hash'] as Buffer,
    at: new Date(Number(row['at_ms'])),
    keyId: String(row['key_id']),
    signature: row['signature'] as Buffer,
  }));
}

const BATCH = 500;

/** Makes a checkpoint of every chain that has grown since its last one; gives how many. */
export async function checkpointAll({ db, signer, clock = realClock, onCheckpoint }: SealingContext): Promise<number> {
  let total = 0;
  for (let count = BATCH; count === BATCH; total += count) {
    const made = await db.transaction({ role: 'background', isRead: false }, async (tx) => {
      const at = clock();
      const checkpoints = (await listGrown(tx)).map((end) => signCheckpoint({ ...end, at }, signer));
      if (checkpoints.length > 0) await insertCheckpoints(tx, checkpoints);
      return checkpoints;
    });
    for (const checkpoint of made) onCheckpoint?.(checkpoint);
    count = made.length;
  }
  return total;
}

export const realClock = (): Date => new Date();

/** Steps from chain to chain through the index, so the cost grows with the deployments and not with their records. */
async function listGrown(tx: Tx): Promise<Omit<Statement, 'at'>[]> {
  const first = sql`select deployment_id from audit_seal`;
  const rows = await tx.rows`
    with recursive chain as (
      (${first} order by deployment_id limit 1)
      union all
      select found.deployment_id from chain cross join lateral (
        ${first} where deployment_id > chain.deployment_id order by deployment_id limit 1) found
    )
    select chain.deployment_id as deployment, seal.position, seal.hash
    from chain cross join lateral (
      select position, hash from audit_seal where deployment_id = chain.deployment_id
      order by position desc limit 1) seal
    where not exists (select from audit_checkpoint made
                      where made.deployment_id = chain.deployment_id and made.size >= seal.position)
    limit ${BATCH}`;
  return rows.map((row) => ({
    deployment: String(row['deployment']),
    size: Number(row['position']),
    hash: row['hash'] as Buffer,
  }));
}
