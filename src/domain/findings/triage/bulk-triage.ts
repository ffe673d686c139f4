import { z } from 'zod';
import { principalOf } from '#domain/access/principal.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { sql, unestimated, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { filterSql } from '../filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '../filter/finding-filter.ts';
import { allMatchingSql } from '../filter/finding-list.ts';
import { announceBatch } from '../tracking/announce-batch.ts';
import { actorOf, openLongTriageBatch } from './decisions.ts';
import {
  applyDecision,
  lockFindings,
  nextTriage,
  type TriageAccess,
  type TriageDecision,
  triageStampOf,
} from './triage.ts';

/** The number of findings that one transaction changes without delaying others noticeably. */
export const BULK_ROUND_SIZE = 1000;

export interface BulkTriageOrder {
  filter: FindingFilter;
  decision: TriageDecision;
  /** Findings with higher ids are left alone. */
  snapshot: string;
}

const isInSnapshot = (snapshot: string) => sql`finding.id <= ${snapshot}::bigint`;

const BulkPreview = z.object({
  count: z.number(),
  projects: z.array(z.object({ name: z.string(), count: z.number() })),
  worst: z.array(z.object({ id: z.string(), title: z.string(), severity: z.number() })),
});
export type BulkPreview = z.output<typeof BulkPreview>;

/**
 * What a bulk decision would affect: the number of findings, the projects with most of them, and the most severe ones.
 */
export async function previewBulk(
  tx: Tx,
  context: CallerContext,
  { filter, snapshot }: Omit<BulkTriageOrder, 'decision'>,
): Promise<BulkPreview> {
  const preview = await tx.one(BulkPreview)`
    with found as materialized (
      select finding.id, finding.project_id, finding.severity from finding
      where ${await allMatchingSql(tx, context, filter)} and ${isInSnapshot(snapshot)}
    )
    select (select count(*)::integer from found) as count,
      (select coalesce(jsonb_agg(jsonb_build_object('name', project.name, 'count', most.count)
          order by most.count desc, project.name), '[]')
        from (select project_id, count(*) as count from found group by project_id
          order by count(*) desc, project_id limit 5) as most
        join project on project.deployment_id = ${unestimated(context.caller.deployment)}
          and project.id = most.project_id) as projects,
      (select coalesce(jsonb_agg(jsonb_build_object('id', finding.id::text, 'title', finding.title,
          'severity', finding.severity) order by finding.severity desc, finding.id desc), '[]')
        from (select id from found order by severity desc, id desc limit 3) as worst
        join finding on finding.deployment_id = ${unestimated(context.caller.deployment)}
          and finding.id = worst.id) as worst`;
  return preview ?? { count: 0, projects: [], worst: [] };
}

/** Opens the batch that all rounds belong to. */
export async function startBulkTriage(
  tx: Tx,
  { caller, now }: CallerContext,
  { total, note, areWorkflowsMeant }: { total: number; note?: string | undefined; areWorkflowsMeant: boolean },
): Promise<string> {
  const { deployment } = caller;
  const withNote = note === undefined ? {} : { note };
  const opening = { deployment, kind: 'triage', actor: actorOf(caller), at: now, ...withNote } as const;
  const batch = await openLongTriageBatch(tx, opening);
  await tx.run`
    insert into finding_bulk (deployment_id, batch_id, created_by, total, last_workflow_id)
    values (${deployment}, ${batch}, ${principalOf(caller)}, ${total}, ${areWorkflowsMeant ? 0 : null}::bigint)`;
  return batch;
}

const BulkTriage = z.object({
  is_of_rounds: z.boolean(),
  state: z.enum(['running', 'done', 'failed']),
  total: z.int(),
  done: z.int(),
  skipped: z.int(),
  ended_at: z.string().optional(),
  at: z.string(),
  actor: z.string(),
});
export type BulkTriage = z.output<typeof BulkTriage>;

/** Progress of a batch; a batch without rounds is complete, with the number of findings that it changed. */
export const findBulkTriage = (tx: Tx, deployment: string, batch: string): Promise<BulkTriage | undefined> =>
  tx.one(BulkTriage)`
    select bulk.batch_id is not null as is_of_rounds, coalesce(bulk.state, 'done') as state,
      coalesce(bulk.total, changed.count) as total, coalesce(bulk.done, changed.count) as done,
      coalesce(bulk.skipped, 0) as skipped, batch.at, batch.actor,
      case when bulk.batch_id is null then batch.at else bulk.ended_at end as ended_at
    from finding_batch as batch
    left join finding_bulk as bulk on bulk.deployment_id = batch.deployment_id and bulk.batch_id = batch.id
    cross join lateral (
      select case when bulk.batch_id is null then (select count(*)::integer from finding_event as event
        where event.deployment_id = batch.deployment_id and event.batch_id = batch.id) else 0 end as count) as changed
    where batch.deployment_id = ${unestimated(deployment)} and batch.id = ${batch}`;

/** True for the caller who started it, even before anything was changed. */
export async function isOwnBulkTriage(tx: Tx, caller: Caller, batch: string): Promise<boolean> {
  const rows = await tx.rows`
    select from finding_bulk
    where deployment_id = ${unestimated(caller.deployment)} and batch_id = ${batch}
      and created_by = ${principalOf(caller)}`;
  return rows.length > 0;
}

/** Ends a running batch early; a finished one does not change. True if the batch had rounds. */
export async function endBulkTriage(
  tx: Tx,
  { deployment, batch, at }: { deployment: string; batch: string; at: Date },
): Promise<boolean> {
  const rows = await tx.rows`
    update finding_bulk set state = case state when 'running' then 'failed' else state end,
      ended_at = coalesce(ended_at, ${at})
    where deployment_id = ${unestimated(deployment)} and batch_id = ${batch} returning batch_id`;
  if (rows.length > 0) await announceBatch(tx, { deployment, batch });
  return rows.length > 0;
}

/** Where a round continues, and how many items it may take. */
export interface BulkPosition {
  after: string;
  limit: number;
}

/** What a round did. */
export interface BulkRoundCounts {
  /** Items that were examined, changed or not. */
  picked: number;
  done: number;
  lastId: string;
}

export interface BulkTriageRound extends Omit<BulkTriageOrder, 'filter'> {
  batch: string;
  permission: TriageAccess;
  /** Undefined if no findings can match. */
  filter: FindingFilter | undefined;
  /** Decides about the other items of the batch, after its findings. */
  decideOthers?: ((position: BulkPosition) => Promise<BulkRoundCounts>) | undefined;
}

async function decideNext(
  tx: Tx,
  context: CallerContext,
  { batch, filter, decision, snapshot, permission }: BulkTriageRound,
  { after, limit }: BulkPosition,
): Promise<BulkRoundCounts> {
  if (!filter) return { picked: 0, done: 0, lastId: snapshot };
  const stamp = triageStampOf(context);
  const next = nextTriage(decision, stamp);
  const matching = sql`${unprepared(filterSql(filter, context))} and ${isInSnapshot(snapshot)}
    and finding.id > ${after}::bigint
    order by finding.id limit ${limit}::int`;
  const locked = await lockFindings(tx, next, matching);
  const openBatch = async () => batch;
  const { changed, requested } = await applyDecision(tx, context, {
    locked,
    decision,
    permission,
    stamp,
    next,
    openBatch,
  });
  // After the last page nothing has to be read again.
  const lastId = locked.length < limit ? snapshot : (locked.at(-1)?.id ?? snapshot);
  return { picked: locked.length, done: changed + requested, lastId };
}

const BulkProgress = z.object({
  state: z.string(),
  last_id: z.string(),
  last_workflow_id: z.string().optional(),
});

/**
 * Decides about the next findings in id order, and then about the other items, in the caller's transaction; true if
 * there may be more. Rounds of one batch wait for each other, and continue after the last committed one.
 */
export async function runBulkRound(tx: Tx, context: CallerContext, round: BulkTriageRound): Promise<boolean> {
  const { deployment } = context.caller;
  const { batch, decideOthers } = round;
  const bulk = await tx.one(BulkProgress)`
    select state, last_id, last_workflow_id from finding_bulk
    where deployment_id = ${unestimated(deployment)} and batch_id = ${batch} for update`;
  if (bulk?.state !== 'running') return false;
  const own = await decideNext(tx, context, round, { after: bulk.last_id, limit: BULK_ROUND_SIZE });
  const after = bulk.last_workflow_id ?? '0';
  const limit = BULK_ROUND_SIZE - own.picked;
  const other =
    decideOthers && limit > 0 ? await decideOthers({ after, limit }) : { picked: 0, done: 0, lastId: after };
  const picked = own.picked + other.picked;
  const done = own.done + other.done;
  const isLast = picked < BULK_ROUND_SIZE;
  await tx.run`
    update finding_bulk set done = done + ${done}::integer, last_id = ${own.lastId}::bigint,
      last_workflow_id = case when last_workflow_id is not null then ${other.lastId}::bigint end,
      skipped = case when ${isLast}::boolean then greatest(total - done - ${done}::integer, 0)
        else skipped + ${picked - done}::integer end,
      state = case when ${isLast}::boolean then 'done' else state end,
      ended_at = case when ${isLast}::boolean then ${context.now}::timestamptz end
    where deployment_id = ${unestimated(deployment)} and batch_id = ${batch}`;
  if (isLast) await announceBatch(tx, { deployment, batch });
  return !isLast;
}
