import type { SigningKey } from '#kernel/crypto/keys/signing-key.ts';
import type { Database } from '#kernel/db/database.ts';
import type { SqlRow, Tx } from '#kernel/db/tx.ts';
import { CHAIN_START, canonicalText, chainHash } from './chain.ts';
import { CHECKPOINT_RECORDS, type Checkpoint, isSignedBy, listCheckpoints } from './checkpoint.ts';
import { SEAL_BATCH } from './seal.ts';

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
  /** The place in the chain, or the id of a record that has none. */
  where: string;
}

export interface ChainVerdict {
  ok: boolean;
  records: number;
  /** At most a hundred; a chain with so many is beyond doubt. */
  problems: ChainProblem[];
}

export interface ChainQuery {
  deployment: string;
  /** The keys that may have signed checkpoints: the present one, and those before it. */
  keys: readonly Pick<SigningKey, 'publicKey' | 'keyId'>[];
  /** Checkpoints kept outside of the database, which nobody could remove together with the records. */
  externalCheckpoints?: readonly Checkpoint[];
  /** Only so many records at the end of the chain; what the hash before them says is believed. */
  newestRecords?: number;
}

export type ChainReader = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const BATCH = 5000;
const FETCHES_AHEAD = 2;
const PROBLEMS_MAX = 100;
/** A sealer checks after every batch, so no chain can be further ahead of its last checkpoint than this. */
const LEAD_MAX = CHECKPOINT_RECORDS + SEAL_BATCH;

/** Reads the whole chain of a deployment and says whether anything in it was changed, removed, added or moved. */
export const verifyChain = (db: Database, question: ChainQuery): Promise<ChainVerdict> =>
  verifyChainWith((work) => db.transaction({ role: 'background', isRead: true }, work), question);

/** The same through any way of reading; the chain may grow meanwhile, what was there at the beginning is verified. */
export async function verifyChainWith(read: ChainReader, question: ChainQuery): Promise<ChainVerdict> {
  const problems: ChainProblem[] = [];
  const report = (kind: ChainProblem['kind'], where: number | string) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ kind, where: String(where) });
  };
  const start = await read((tx) => survey(tx, question.deployment));
  const after = Math.max(0, start.size - (question.newestRecords ?? start.size));
  const edge = after === 0 ? undefined : await read((tx) => findSeal(tx, question.deployment, after));
  const walk = new Walk(question, report);
  if (after > 0) walk.startAfter(after, edge?.hash);
  for await (const { seals, checkpoints } of fetchAhead(read, question.deployment, { after, size: start.size })) {
    walk.pass(seals, checkpoints);
    // So long a gap is one problem already, and its end may be made up to keep us busy.
    if (seals.length === 0) break;
  }
  walk.end(start);
  const surplus = after === 0 ? start.records - walk.records - start.waiting : 1;
  const floor = edge?.recordId ?? '0';
  for (const id of await read((tx) => listAdded(tx, question.deployment, { surplus, floor })))
    report('record added', id);
  return { ok: problems.length === 0, records: walk.records, problems };
}

interface Survey {
  size: number;
  checkpointSize: number;
  records: number;
  waiting: number;
  lost: string[];
}

/** One snapshot of the numbers, so that they fit each other while records are written and sealed. */
async function survey(tx: Tx, deployment: string): Promise<Survey> {
  const [row] = await tx.rows`
    select (select coalesce(max(position), 0) from audit_seal where deployment_id = ${deployment}) as size,
           (select coalesce(max(size), 0) from audit_checkpoint where deployment_id = ${deployment}) as checkpoint_size,
           (select count(*) from audit_record where deployment_id = ${deployment}) as records,
           count(record.id) as waiting,
           coalesce(array_agg(unsealed.record_id::text) filter (where record.id is null), '{}') as lost
    from audit_unsealed unsealed
      left join audit_record record on record.deployment_id = unsealed.deployment_id and record.id = unsealed.record_id
    where unsealed.deployment_id = ${deployment}
      and not exists (select from audit_seal seal
                      where seal.deployment_id = ${deployment} and seal.record_id = unsealed.record_id)`;
  return {
    size: Number(row?.['size']),
    checkpointSize: Number(row?.['checkpoint_size']),
    records: Number(row?.['records']),
    waiting: Number(row?.['waiting']),
    lost: row?.['lost'] as string[],
  };
}

/** Gives the chain in batches; the database fetches the next ones while one is hashed. */
async function* fetchAhead(
  read: ChainReader,
  deployment: string,
  { after: start, size }: { after: number; size: number },
) {
  const fetches: ReturnType<typeof fetch>[] = [];
  for (let after = start; after < size || fetches.length > 0; ) {
    for (; fetches.length < FETCHES_AHEAD && after < size; after += BATCH) {
      const range = { after, last: Math.min(after + BATCH, size) };
      const fetching = read((tx) => fetch(tx, deployment, range));
      // Whoever waits for it gets the error; until then it must not count as unhandled.
      fetching.catch(() => undefined);
      fetches.push(fetching);
    }
    const batch = await fetches.shift();
    if (batch) yield batch;
  }
}

async function fetch(tx: Tx, deployment: string, { after, last }: { after: number; last: number }) {
  const seals = await tx.rows`
    select seal.position, seal.hash, case when record.id is not null then ${canonicalText} end as text
    from audit_seal seal
      left join audit_record record on record.deployment_id = seal.deployment_id and record.id = seal.record_id
    where seal.deployment_id = ${deployment} and seal.position > ${after} and seal.position <= ${last}
    order by seal.position`;
  return { seals, checkpoints: await listCheckpoints(tx, { deployment, after, last }) };
}

/** The seal at a place of the chain: where a verification of its end begins. */
async function findSeal(tx: Tx, deployment: string, position: number) {
  const [row] = await tx.rows`
    select hash, record_id from audit_seal where deployment_id = ${deployment} and position = ${position}`;
  return row && { hash: row['hash'] as Buffer, recordId: String(row['record_id']) };
}

/** Records that neither have a seal nor wait for one: somebody wrote them past the program. */
async function listAdded(
  tx: Tx,
  deployment: string,
  { surplus, floor }: { surplus: number; floor: string },
): Promise<string[]> {
  if (surplus <= 0) return [];
  const rows = await tx.rows`
    select id from audit_record record where deployment_id = ${deployment} and id > ${floor}
      and not exists (select from audit_seal seal
                      where seal.deployment_id = ${deployment} and seal.record_id = record.id)
      and not exists (select from audit_unsealed unsealed
                      where unsealed.deployment_id = ${deployment} and unsealed.record_id = record.id)
    order by id limit ${PROBLEMS_MAX}`;
  return rows.map((row) => String(row['id']));
}

/** Goes along the chain; after a broken link it trusts the stored hash, so that one change gives one problem. */
class Walk {
  readonly #question: ChainQuery;
  readonly #kept: readonly Checkpoint[];
  readonly #report: (kind: ChainProblem['kind'], where: number | string) => void;
  #hash = CHAIN_START;
  #position = 0;
  records = 0;

  constructor(question: ChainQuery, report: (kind: ChainProblem['kind'], where: number | string) => void) {
    this.#question = question;
    this.#kept = (question.externalCheckpoints ?? []).filter(({ deployment }) => deployment === question.deployment);
    this.#report = report;
  }

  /** Believes the chain up to here; where its seal is gone, the first step says so. */
  startAfter(position: number, hash: Buffer | undefined): void {
    this.#position = hash ? position : position - 1;
    this.#hash = hash ?? CHAIN_START;
  }

  pass(seals: readonly SqlRow[], checkpoints: readonly Checkpoint[]): void {
    const claims = Map.groupBy([...checkpoints, ...this.#kept], (checkpoint) => checkpoint.size);
    for (const seal of seals) {
      this.#step(Number(seal['position']), seal['hash'] as Buffer, seal['text'] as string | null);
      for (const claim of claims.get(this.#position) ?? []) this.#compare(claim);
    }
    this.#examine(checkpoints);
  }

  #examine(checkpoints: readonly Checkpoint[]): void {
    for (const checkpoint of checkpoints) {
      const isGenuine = this.#question.keys.some((key) => isSignedBy(checkpoint, key));
      if (!isGenuine) this.#report('checkpoint forged', checkpoint.size);
    }
  }

  #step(position: number, hash: Buffer, text: string | null): void {
    if (position !== this.#position + 1) this.#report('seal missing', this.#position + 1);
    else if (text !== null && !chainHash(this.#hash, text).equals(hash)) this.#report('record edited', position);
    if (text === null) this.#report('record missing', position);
    else this.records++;
    this.#position = position;
    this.#hash = hash;
  }

  #compare(claim: Checkpoint): void {
    if (!claim.hash.equals(this.#hash)) this.#report('chain rewritten', claim.size);
  }

  end({ size, checkpointSize, lost }: Survey): void {
    if (this.#position < size) this.#report('seal missing', this.#position + 1);
    this.#examine(this.#kept);
    const claimed = Math.max(checkpointSize, ...this.#kept.map((checkpoint) => checkpoint.size));
    if (claimed > size) this.#report('chain cut off', size);
    if (size - claimed >= LEAD_MAX) this.#report('checkpoint missing', claimed);
    for (const id of lost) this.#report('record missing', id);
  }
}
