import { z } from 'zod';
import type { Database } from '#kernel/db/database.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** A record as followers see it: what was done to which object, without the credential. */
const RecordedChange = z.object({ id: z.string(), at: z.string(), operation: z.string(), object: z.string() });

export type RecordedChange = z.output<typeof RecordedChange>;

const NewRecord = RecordedChange.extend({ deployment_id: z.string(), is_success: z.boolean() });

type NewRecord = z.output<typeof NewRecord>;

const RecordId = z.object({ id: z.string() });

interface Subscription {
  deployment: string;
  onRecords: (records: readonly RecordedChange[]) => void;
  /** All records up to this id have been delivered. */
  deliveredUpTo: bigint;
  /** The records after it that have been delivered, and when. */
  deliveredAtMs: Map<string, number>;
}

export interface AuditFeedOptions {
  db: Database;
  intervalMs?: number;
}

const INTERVAL_MS = 1000;
/** Records can commit out of order of their ids; a gap is watched for this long. */
const MAX_COMMIT_DELAY_MS = 10_000;
const MAX_TRACKED = 2000;
const MAX_BATCH = 5000;

const columns = sql`record.id, record.at, record.operation, record.object`;
/** Denials are in the trail as well, but changed nothing. */
const isSuccess = sql`record.result like '2%'`;

/** Follows the audit trails of deployments while they have subscribers, with one query per second for all. */
export class AuditFeed {
  readonly #db: Database;
  readonly #intervalMs: number;
  readonly #subscriptions = new Map<string, Subscription>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ db, intervalMs = INTERVAL_MS }: AuditFeedOptions) {
    this.#db = db;
    this.#intervalMs = intervalMs;
  }

  /** Subscribes to the records of a deployment after the given one; a deployment has one subscription at a time. */
  follow(deployment: string, after: string, onRecords: Subscription['onRecords']): () => void {
    const subscription: Subscription = {
      deployment,
      onRecords,
      deliveredUpTo: BigInt(after),
      deliveredAtMs: new Map(),
    };
    this.#subscriptions.set(deployment, subscription);
    this.#scheduleNext();
    return () => {
      if (this.#subscriptions.get(deployment) === subscription) this.#subscriptions.delete(deployment);
    };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #scheduleNext(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#subscriptions.size === 0) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#intervalMs).unref();
  }

  async #poll(): Promise<void> {
    const all = [...this.#subscriptions.values()];
    // After an error the next poll reads the same records again.
    const rows = await this.#db
      .transaction({ role: 'background', isRead: true }, (tx) => listNew(tx, all))
      .catch((): NewRecord[] => []);
    const byDeployment = Map.groupBy(rows, ({ deployment_id: deployment }) => deployment);
    for (const subscription of all)
      if (this.#subscriptions.get(subscription.deployment) === subscription) deliver(subscription, byDeployment);
    this.#timer = undefined;
    this.#scheduleNext();
  }
}

function deliver(subscription: Subscription, byDeployment: ReadonlyMap<string, NewRecord[]>): void {
  const { deliveredAtMs, onRecords } = subscription;
  const nowMs = performance.now();
  const records = (byDeployment.get(subscription.deployment) ?? []).filter(({ id }) => !deliveredAtMs.has(id));
  for (const { id } of records) deliveredAtMs.set(id, nowMs);
  for (const [id, atMs] of deliveredAtMs) {
    if (nowMs - atMs < MAX_COMMIT_DELAY_MS && deliveredAtMs.size <= MAX_TRACKED) break;
    deliveredAtMs.delete(id);
    if (BigInt(id) > subscription.deliveredUpTo) subscription.deliveredUpTo = BigInt(id);
  }
  const changes = records.filter(({ is_success: isSuccess }) => isSuccess);
  if (changes.length > 0) onRecords(changes.map(({ id, at, operation, object }) => ({ id, at, operation, object })));
}

const listNew = (tx: Tx, subscriptions: readonly Subscription[]): Promise<NewRecord[]> =>
  tx.all(NewRecord)`
    select subscription.deployment_id, record.*
    from unnest(${subscriptions.map(({ deployment }) => deployment)}::bigint[],
                ${subscriptions.map(({ deliveredUpTo }) => String(deliveredUpTo))}::bigint[])
      as subscription (deployment_id, delivered_up_to)
    cross join lateral (
      select ${columns}, ${isSuccess} as is_success from audit_record as record
      where record.deployment_id = subscription.deployment_id and record.id > subscription.delivered_up_to
      order by record.id limit ${MAX_BATCH}::int) as record
    order by record.id`;

const ofDeployment = (deployment: string): Sql => sql`record.deployment_id = ${deployment}`;

/** The id of the newest record, after which a new subscription starts. */
export async function newestRecordId(tx: Tx, deployment: string): Promise<string> {
  const newest = await tx.one(RecordId)`
    select coalesce(max(id), 0) as id from audit_record as record where ${ofDeployment(deployment)}`;
  return newest?.id ?? '0';
}

/** The successful records after the given one, oldest first. */
export function listRecordsAfter(
  tx: Tx,
  deployment: string,
  { after, most }: { after: string; most: number },
): Promise<RecordedChange[]> {
  return tx.all(RecordedChange)`
    select ${columns} from audit_record as record
    where ${ofDeployment(deployment)} and record.id > ${after} and ${isSuccess} order by record.id limit ${most}::int`;
}
