import type { Database } from '#kernel/db/database.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { SqlRow, Tx } from '#kernel/db/tx.ts';

/** What followers learn of a record: what was done to what, never by which credential. */
export interface RecordedChange {
  id: string;
  at: string;
  operation: string;
  object: string;
}

interface Followed {
  deployment: string;
  hear: (records: readonly RecordedChange[]) => void;
  /** Records up to here are settled; of those behind it, the ones that were heard of and when. */
  settled: bigint;
  heardAtMs: Map<string, number>;
}

export interface AuditFeedOptions {
  db: Database;
  intervalMs?: number;
}

const INTERVAL_MS = 1000;
/** Between drawing the id of a record and its commit lie milliseconds; so long we look for one that comes late. */
const LATE_MS = 10_000;
const MOST_UNSETTLED = 2000;
const MOST_AT_ONCE = 5000;

const columns = sql`record.id, record.at, record.operation, record.object`;
/** Refusals are in the trail as well, and changed nothing. */
const isDone = sql`record.result like '2%'`;

/** Follows the audit trail of deployments while somebody listens, with one query each second for all of them. */
export class AuditFeed {
  readonly #db: Database;
  readonly #intervalMs: number;
  readonly #followed = new Map<string, Followed>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ db, intervalMs = INTERVAL_MS }: AuditFeedOptions) {
    this.#db = db;
    this.#intervalMs = intervalMs;
  }

  /** Hears of what is recorded in the deployment after this record; each deployment has one follower at a time. */
  follow(deployment: string, after: string, hear: Followed['hear']): () => void {
    const followed: Followed = { deployment, hear, settled: BigInt(after), heardAtMs: new Map() };
    this.#followed.set(deployment, followed);
    this.#plan();
    return () => {
      if (this.#followed.get(deployment) === followed) this.#followed.delete(deployment);
    };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#followed.size === 0) return;
    this.#timer = setTimeout(() => void this.#look(), this.#intervalMs).unref();
  }

  async #look(): Promise<void> {
    const all = [...this.#followed.values()];
    // What cannot be read now is read the next time: nothing is settled before it was heard of.
    const rows = await this.#db
      .transaction({ role: 'background', isRead: true }, (tx) => listNew(tx, all))
      .catch((): SqlRow[] => []);
    const byDeployment = Map.groupBy(rows, (row) => String(row['deployment_id']));
    for (const followed of all) if (this.#followed.get(followed.deployment) === followed) tell(followed, byDeployment);
    this.#timer = undefined;
    this.#plan();
  }
}

function tell(followed: Followed, byDeployment: ReadonlyMap<string, SqlRow[]>): void {
  const { heardAtMs, hear } = followed;
  const nowMs = performance.now();
  const rows = (byDeployment.get(followed.deployment) ?? []).filter((row) => !heardAtMs.has(String(row['id'])));
  for (const row of rows) heardAtMs.set(String(row['id']), nowMs);
  const records = rows.filter((row) => row['is_done'] === true).map(recordedOf);
  for (const [id, atMs] of heardAtMs) {
    if (nowMs - atMs < LATE_MS && heardAtMs.size <= MOST_UNSETTLED) break;
    heardAtMs.delete(id);
    if (BigInt(id) > followed.settled) followed.settled = BigInt(id);
  }
  if (records.length > 0) hear(records);
}

const recordedOf = (row: SqlRow): RecordedChange => ({
  id: String(row['id']),
  at: String(row['at']),
  operation: String(row['operation']),
  object: String(row['object']),
});

const listNew = (tx: Tx, all: readonly Followed[]): Promise<SqlRow[]> =>
  tx.rows`
    select followed.deployment_id, record.*
    from unnest(${all.map(({ deployment }) => deployment)}::bigint[],
                ${all.map(({ settled }) => String(settled))}::bigint[]) as followed (deployment_id, settled)
    cross join lateral (
      select ${columns}, ${isDone} as is_done from audit_record as record
      where record.deployment_id = followed.deployment_id and record.id > followed.settled
      order by record.id limit ${MOST_AT_ONCE}::int) as record
    order by record.id`;

const ofDeployment = (deployment: string): Sql => sql`record.deployment_id = ${deployment}`;

/** The newest record there is: who starts to listen hears of what comes after it. */
export async function newestRecordId(tx: Tx, deployment: string): Promise<string> {
  const [row] = await tx.rows`
    select coalesce(max(id), 0) as id from audit_record as record where ${ofDeployment(deployment)}`;
  return String(row?.['id']);
}

/** What was recorded after this one, oldest first. */
export async function listRecordsAfter(
  tx: Tx,
  deployment: string,
  { after, most }: { after: string; most: number },
): Promise<RecordedChange[]> {
  const rows = await tx.rows`
    select ${columns} from audit_record as record
    where ${ofDeployment(deployment)} and record.id > ${after} and ${isDone} order by record.id limit ${most}::int`;
  return rows.map(recordedOf);
}
