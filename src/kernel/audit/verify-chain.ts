import { z } from 'zod';
import type { SigningKey } from '#kernel/crypto/keys/signing-key.ts';
import type { Database } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { CHAIN_START, canonicalText, chainHash } from './chain.ts';
import { CHECKPOINT_RECORDS, type Checkpoint, isSignedBy, listCheckpoints } from './checkpoint.ts';
import { SEAL_BATCH_SIZE } from './seal.ts';

export interface ChainProblem {
  kind:
    | 'record edited'
    | 'record missing'
    | 'record added'
    | 'seal missing'
    | 'checkpoint missing'
    | 'checkpoint forged'
    | 'chain rewritten'
    | 'chain cut off';
  /** The position in the chain, or the id of a record that is not in it. */
  where: string;
}

export interface ChainVerdict {
  ok: boolean;
  records: number;
  /** At most a hundred. */
  problems: ChainProblem[];
}

export interface ChainQuery {
  deployment: string;
  /** The keys that may have signed checkpoints: the current one, and earlier ones. */
  keys: readonly Pick<SigningKey, 'publicKey' | 'keyId'>[];
  /** Checkpoints that were exported from the database, so that nobody could remove them with the records. */
  externalCheckpoints?: readonly Checkpoint[];
  /** Verifies only this many records at the end of the chain; the hash before them is trusted. */
  newestRecords?: number;
}

export type ChainReader = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const BATCH_SIZE = 5000;
const PREFETCHED_BATCHES = 2;
const MAX_PROBLEMS = 100;
/** A sealer checks after every batch, so no chain can be further ahead of its last checkpoint. */
const MAX_LEAD = CHECKPOINT_RECORDS + SEAL_BATCH_SIZE;

/** Reads the chain of a deployment and reports records that were changed, removed, added or moved. */
export const verifyChain = (db: Database, query: ChainQuery): Promise<ChainVerdict> =>
  verifyChainWith((work) => db.transaction({ role: 'background', isRead: true }, work), query);

/** The same through any reader. The chain may grow in the meantime; what existed at the start is verified. */
export async function verifyChainWith(read: ChainReader, query: ChainQuery): Promise<ChainVerdict> {
  const problems: ChainProblem[] = [];
  const report = (kind: ChainProblem['kind'], where: number | string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ kind, where: String(where) });
  };
  const start = await read((tx) => summarize(tx, query.deployment));
  const after = Math.max(0, start.size - (query.newestRecords ?? start.size));
  const startSeal = after === 0 ? undefined : await read((tx) => findSeal(tx, query.deployment, after));
  const walk = new Walk(query, report);
  if (after > 0) walk.startAfter(after, startSeal?.hash);
  for await (const { seals, checkpoints } of fetchAhead(read, query.deployment, { after, size: start.size })) {
    walk.pass(seals, checkpoints);
    // A gap of a whole batch is already a problem, and a forged end could make the walk endless.
    if (seals.length === 0) break;
  }
  walk.end(start);
  const surplus = after === 0 ? start.records - walk.records - start.waiting : 1;
  const minId = startSeal?.recordId ?? '0';
  for (const id of await read((tx) => listAdded(tx, query.deployment, { surplus, minId }))) report('record added', id);
  return { ok: problems.length === 0, records: walk.records, problems };
}

const ChainSummary = z.object({
  size: z.number(),
  checkpointSize: z.number(),
  records: z.number(),
  waiting: z.number(),
  lost: z.array(z.string()),
});

type ChainSummary = z.output<typeof ChainSummary>;

const SealRow = z.object({ position: z.number(), hash: z.instanceof(Buffer), text: z.string().optional() });

type SealRow = z.output<typeof SealRow>;

const StartSeal = z.object({ hash: z.instanceof(Buffer), recordId: z.string() });
const RecordId = z.object({ id: z.string() });

/** Reads the numbers in one snapshot, so that they are consistent while records are written and sealed. */
async function summarize(tx: Tx, deployment: string): Promise<ChainSummary> {
  const summary = await tx.one(ChainSummary)`
    select (select coalesce(max(position), 0) from audit_seal where deployment_id = ${deployment})::float8 as size,
           (select coalesce(max(size), 0) from audit_checkpoint
            where deployment_id = ${deployment})::float8 as "checkpointSize",
           (select count(*) from audit_record where deployment_id = ${deployment})::float8 as records,
           count(record.id)::float8 as waiting,
           coalesce(array_agg(unsealed.record_id::text) filter (where record.id is null), '{}') as lost
    from audit_unsealed unsealed
      left join audit_record record on record.deployment_id = unsealed.deployment_id and record.id = unsealed.record_id
    where unsealed.deployment_id = ${deployment}
      and not exists (select from audit_seal seal
                      where seal.deployment_id = ${deployment} and seal.record_id = unsealed.record_id)`;
  if (!summary) throw new Error('An aggregate without grouping has one row.');
  return summary;
}

/** Yields the chain in batches; the next ones are fetched while one is hashed. */
async function* fetchAhead(
  read: ChainReader,
  deployment: string,
  { after: start, size }: { after: number; size: number },
) {
  const fetches: ReturnType<typeof fetch>[] = [];
  for (let after = start; after < size || fetches.length > 0; ) {
    for (; fetches.length < PREFETCHED_BATCHES && after < size; after += BATCH_SIZE) {
      const range = { after, last: Math.min(after + BATCH_SIZE, size) };
      const fetching = read((tx) => fetch(tx, deployment, range));
      // The error is thrown when the batch is awaited; until then it must not count as unhandled.
      fetching.catch(() => undefined);
      fetches.push(fetching);
    }
    const batch = await fetches.shift();
    if (batch) yield batch;
  }
}

async function fetch(tx: Tx, deployment: string, { after, last }: { after: number; last: number }) {
  const seals = await tx.all(SealRow)`
    select seal.position::float8 as position, seal.hash,
      case when record.id is not null then ${canonicalText} end as text
    from audit_seal seal
      left join audit_record record on record.deployment_id = seal.deployment_id and record.id = seal.record_id
    where seal.deployment_id = ${deployment} and seal.position > ${after} and seal.position <= ${last}
    order by seal.position`;
  return { seals, checkpoints: await listCheckpoints(tx, { deployment, after, last }) };
}

/** The seal at a position of the chain, where the verification of its end starts. */
function findSeal(tx: Tx, deployment: string, position: number) {
  return tx.one(StartSeal)`
    select hash, record_id as "recordId" from audit_seal
    where deployment_id = ${deployment} and position = ${position}`;
}

/** Records that are neither sealed nor waiting to be: they were not written by this program. */
async function listAdded(
  tx: Tx,
  deployment: string,
  { surplus, minId }: { surplus: number; minId: string },
): Promise<string[]> {
  if (surplus <= 0) return [];
  const rows = await tx.all(RecordId)`
    select id from audit_record record where deployment_id = ${deployment} and id > ${minId}
      and not exists (select from audit_seal seal
                      where seal.deployment_id = ${deployment} and seal.record_id = record.id)
      and not exists (select from audit_unsealed unsealed
                      where unsealed.deployment_id = ${deployment} and unsealed.record_id = record.id)
    order by id limit ${MAX_PROBLEMS}`;
  return rows.map(({ id }) => id);
}

/** Walks along the chain; after a broken link it trusts the stored hash, so that one change is one problem. */
class Walk {
  readonly #query: ChainQuery;
  readonly #external: readonly Checkpoint[];
  readonly #report: (kind: ChainProblem['kind'], where: number | string) => void;
  #hash = CHAIN_START;
  #position = 0;
  records = 0;

  constructor(query: ChainQuery, report: (kind: ChainProblem['kind'], where: number | string) => void) {
    this.#query = query;
    this.#external = (query.externalCheckpoints ?? []).filter(({ deployment }) => deployment === query.deployment);
    this.#report = report;
  }

  /** Trusts the chain up to this position; if its seal is missing, the first step reports it. */
  startAfter(position: number, hash: Buffer | undefined): void {
    this.#position = hash ? position : position - 1;
    this.#hash = hash ?? CHAIN_START;
  }

  pass(seals: readonly SealRow[], checkpoints: readonly Checkpoint[]): void {
    const claims = Map.groupBy([...checkpoints, ...this.#external], (checkpoint) => checkpoint.size);
    for (const seal of seals) {
      this.#step(seal);
      for (const claim of claims.get(this.#position) ?? []) this.#compare(claim);
    }
    this.#examine(checkpoints);
  }

  #examine(checkpoints: readonly Checkpoint[]): void {
    for (const checkpoint of checkpoints) {
      const isGenuine = this.#query.keys.some((key) => isSignedBy(checkpoint, key));
      if (!isGenuine) this.#report('checkpoint forged', checkpoint.size);
    }
  }

  #step({ position, hash, text }: SealRow): void {
    if (position !== this.#position + 1) this.#report('seal missing', this.#position + 1);
    else if (text !== undefined && !chainHash(this.#hash, text).equals(hash)) this.#report('record edited', position);
    if (text === undefined) this.#report('record missing', position);
    else this.records++;
    this.#position = position;
    this.#hash = hash;
  }

  #compare(claim: Checkpoint): void {
    if (!claim.hash.equals(this.#hash)) this.#report('chain rewritten', claim.size);
  }

  end({ size, checkpointSize, lost }: ChainSummary): void {
    if (this.#position < size) this.#report('seal missing', this.#position + 1);
    this.#examine(this.#external);
    const claimed = Math.max(checkpointSize, ...this.#external.map((checkpoint) => checkpoint.size));
    if (claimed > size) this.#report('chain cut off', size);
    if (size - claimed >= MAX_LEAD) this.#report('checkpoint missing', claimed);
    for (const id of lost) this.#report('record missing', id);
  }
}
