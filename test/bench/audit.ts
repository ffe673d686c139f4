import { writeAuditRecord } from '#kernel/audit/audit-record.ts';
import { canonicalText, chainHash } from '#kernel/audit/chain.ts';
import { checkpointAll } from '#kernel/audit/checkpoint.ts';
import { sealAll } from '#kernel/audit/seal.ts';
import { verifyChain } from '#kernel/audit/verify-chain.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { auditKey, entryFor, signer } from '#test/support/world/audit-entry.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';

const WRITERS = 8;
const WRITES = 2000;
const CHAIN = 100_000;

/** The cost of the audit chain for writers, and the speed of sealing and verification, on a disk with fsync. */
export async function benchAudit(): Promise<Record<string, number>> {
  const kernel = await startKernelDatabase({});
  try {
    const lockedPerSecond = await lockedWrites(kernel);
    const unsealedPerSecond = await unsealedWrites(kernel);
    return { lockedPerSecond, unsealedPerSecond, ...(await sealAndVerify(kernel)) };
  } finally {
    await kernel.stop();
  }
}

/** Runs the writers concurrently until all is written, and returns writes per second. */
async function rate({ db }: KernelDatabase, deployment: string, write: (tx: Tx) => Promise<void>): Promise<number> {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let count = 0; count < WRITES / WRITERS; count++)
        await db.transaction({ role: 'app', deployment, isRead: false }, write);
    }),
  );
  return perSecond(WRITES, start);
}

const perSecond = (count: number, start: number) => Math.round((count * 1000) / (performance.now() - start));

/** The alternative design: each writer extends the chain itself and locks its end until commit. */
async function lockedWrites(kernel: KernelDatabase): Promise<number> {
  const superuser = await kernel.superuser();
  await superuser.query(`
    create table bench_end (deployment_id bigint primary key, position bigint not null, hash bytea not null);
    insert into bench_end values (1, 0, decode(repeat('00', 32), 'hex'));
    grant select, update on bench_end to parapet_app;
    create table bench_seal (like audit_seal including all);
    grant insert on bench_seal to parapet_app`);
  return rate(kernel, '1', async (tx) => {
    const [[end], , [written]] = await Promise.all([
      tx.rows`select position, hash from bench_end where deployment_id = 1 for update`,
      writeAuditRecord(tx, auditKey, entryFor('1', 'locked')),
      tx.rows`select record.id, ${canonicalText} as text from audit_record record
        where record.deployment_id = 1 and record.id = currval('audit_record_id_seq')`,
    ]);
    const hash = chainHash(end?.['hash'] as Buffer, String(written?.['text']));
    await Promise.all([
      tx.run`insert into bench_seal values (1, ${end?.['position']}::bigint + 1, ${written?.['id']}, ${hash})`,
      tx.run`update bench_end set position = position + 1, hash = ${hash} where deployment_id = 1`,
    ]);
  });
}

/** The actual design, with the sealer running concurrently. */
async function unsealedWrites(kernel: KernelDatabase): Promise<number> {
  const notary = { db: kernel.db, signer };
  let isWriting = true;
  const sealing = (async () => {
    while (isWriting) {
      await sealAll(notary);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const result = await rate(kernel, '2', (tx) => writeAuditRecord(tx, auditKey, entryFor('2', 'unsealed')));
  isWriting = false;
  await sealing;
  return result;
}

async function sealAndVerify(kernel: KernelDatabase): Promise<Record<string, number>> {
  const notary = { db: kernel.db, signer };
  const superuser = await kernel.superuser();
  await superuser.query(`
    with written as (
      insert into audit_record (deployment_id, request_id, actor_kind, actor, credential, address, operation, object,
                                result, before_digest, after_digest)
      select 3, 'req_' || n, 'token', '', 'token-' || n % 50, '192.0.2.7', 'TeamsService.updateTeam', 'team/' || n,
             '200', encode(sha256(n::text::bytea), 'base64'), encode(sha256(n::text::bytea), 'base64')
      from generate_series(1, ${CHAIN}) n returning deployment_id, id)
    insert into audit_unsealed select deployment_id, id from written`);
  await superuser.query('vacuum analyze');
  const sealStart = performance.now();
  await sealAll(notary);
  const sealedPerSecond = perSecond(CHAIN, sealStart);
  await checkpointAll(notary);
  await superuser.query('vacuum analyze');
  const verifyStart = performance.now();
  const verdict = await verifyChain(kernel.db, { deployment: '3', keys: [signer] });
  const verifiedPerSecond = perSecond(CHAIN, verifyStart);
  if (!verdict.ok || verdict.records !== CHAIN) throw new Error('The audit chain of the benchmark is not valid.');
  return { sealedPerSecond, verifiedPerSecond };
}
