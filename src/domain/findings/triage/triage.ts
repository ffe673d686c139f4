import type { TriagePermission } from '#domain/products/shape.ts';
import { findTriagePermission } from '#domain/products/triage-permission.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { SqlRow, Tx } from '#kernel/db/tx.ts';
import { filterSql } from '../filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '../filter/finding-filter.ts';
import { findingListSql, NEWEST_FIRST, planFindingList } from '../filter/finding-list.ts';
import {
  MAX_FINDINGS_AT_ONCE,
  TOO_MANY_FINDINGS,
  TRIAGE_REFUSED,
  type TriageReason,
  type TriageState,
} from '../shape.ts';
import { actorOf, openTriageBatch, writeDecisions } from './decisions.ts';
import { requestExceptions, reviewExceptions } from './exception-requests.ts';

/** A triage decision; absent members are not changed. */
export interface TriageDecision {
  state?: TriageState;
  /** Only for ignored findings. */
  reason?: TriageReason;
  note?: string;
  /** When the decision expires. */
  until?: Date;
}

export interface TriageOrder {
  filter: FindingFilter;
  decision: TriageDecision;
  /** Id snapshot taken when the caller looked: findings created later are left alone. */
  snapshot?: string;
  /** The maximum number of findings; without it, matching more than one transaction can change is an error. */
  limit?: number;
}

export interface TriageResult {
  /** The batch that can be undone; undefined if nothing changed. */
  batch: string | undefined;
  /** All findings that the decision is about, changed or not. */
  findings: string[];
  changed: number;
  requested: number;
  skipped: number;
}

async function pick(tx: Tx, asking: CallerContext, { filter, snapshot, limit }: TriageOrder): Promise<string[]> {
  const most = limit ?? MAX_FINDINGS_AT_ONCE + 1;
  const condition = snapshot === undefined ? sql`true` : sql`finding.id <= ${snapshot}::bigint`;
  const want = { filter, order: NEWEST_FIRST, after: null, limit: most, condition };
  const rows = await tx.rows`${findingListSql(want, await planFindingList(tx, asking, filter))}`;
  if (limit === undefined && rows.length > MAX_FINDINGS_AT_ONCE)
    throw TOO_MANY_FINDINGS({ most: MAX_FINDINGS_AT_ONCE });
  return rows.map((row) => String(row['id']));
}

/** The triage fields after a decision, and whether they differ: repeating a decision changes nothing. */
export function nextTriage({ state, reason, note, until }: TriageDecision, { actor, at, source }: TriageStamp) {
  const wanted = state === undefined ? sql`finding.triage_state` : sql`${state}::text`;
  const why = state === 'ignored' ? (reason ?? 'no_triage_reason') : null;
  const reasonNow = state === undefined ? sql`finding.triage_reason` : sql`${why}::text`;
  const isNew = sql`(${wanted}, ${reasonNow}) is distinct from (finding.triage_state,
    case when finding.triage_state = 'ignored' then coalesce(finding.triage_reason, 'no_triage_reason') end)`;
  const isDecision = state === undefined ? sql`false` : isNew;
  const noteNow =
    note === undefined ? sql`case when not ${isDecision} then finding.triage_note end` : sql`${note}::text`;
  const untilNow =
    until === undefined
      ? sql`case when not ${isDecision} then finding.triage_until end`
      : sql`${until}::timestamptz(3)`;
  const isChange = sql`(${isDecision} or ${noteNow} is distinct from finding.triage_note
    or ${untilNow} is distinct from finding.triage_until)`;
  return {
    isChange,
    columns: sql`${wanted} as state, ${reasonNow} as reason, ${noteNow} as note, ${untilNow} as until,
      case when ${isDecision} then ${at}::timestamptz else finding.triaged_at end as at,
      case when ${isDecision} then ${actor}::text else finding.triaged_by end as by,
      case when ${isDecision} then ${source}::text else finding.triage_source end as source`,
  };
}

export interface TriageStamp {
  actor: string;
  at: Date;
  source: string;
}

export const triageStampOf = ({ caller, now }: CallerContext): TriageStamp => ({
  actor: actorOf(caller),
  at: now,
  source: caller.kind === 'user' ? 'person' : 'token',
});

export type TriageAccess = TriagePermission;

/** What the caller may do about findings; throws if nothing. */
export async function requireTriageAccess(tx: Tx, { caller }: CallerContext): Promise<TriageAccess> {
  const permission = await findTriagePermission(tx, caller);
  if (permission === 'TRIAGE_PERMISSION_NONE') throw TRIAGE_REFUSED();
  return permission;
}

interface Held {
  /** Locked findings, each with whether the decision changes it. */
  held: readonly SqlRow[];
  decision: TriageDecision;
  permission: TriageAccess;
  stamp: TriageStamp;
  next: ReturnType<typeof nextTriage>;
  /** Opens the batch, or returns the open one. */
  opened: () => Promise<string>;
}

/** Applies a decision to locked findings; if it needs approval, requests exceptions instead. */
export async function applyDecision(
  tx: Tx,
  asking: CallerContext,
  { held, decision, permission, stamp, next, opened }: Held,
): Promise<TriageResult> {
  const { deployment } = asking.caller;
  const findings = held.map((row) => String(row['id']));
  if (decision.state === 'ignored' && permission === 'TRIAGE_PERMISSION_REQUEST') {
    const requested = await requestExceptions(tx, asking, { findings, decision });
    return { batch: undefined, findings, changed: 0, requested, skipped: findings.length - requested };
  }
  const fresh = held.filter((row) => row['is_change'] === true).map((row) => String(row['id']));
  const batch = fresh.length === 0 ? undefined : await opened();
  if (permission === 'TRIAGE_PERMISSION_IGNORE') await reviewExceptions(tx, asking, { findings, decision, batch });
  if (batch === undefined) return { batch, findings, changed: 0, requested: 0, skipped: 0 };
  await writeDecisions(tx, {
    deployment,
    batch,
    at: stamp.at,
    next: sql`select finding.id, ${next.columns} from finding
      where finding.deployment_id = ${deployment} and finding.id = any(${fresh}::bigint[])`,
  });
  return { batch, findings, changed: fresh.length, requested: 0, skipped: 0 };
}

/**
 * Triages all matching findings in one batch that can be undone. They are locked in id order, and those that no longer
 * match by then are left out.
 */
export async function triageFindings(tx: Tx, asking: CallerContext, order: TriageOrder): Promise<TriageResult> {
  const { deployment } = asking.caller;
  const { decision } = order;
  const permission = await requireTriageAccess(tx, asking);
  const stamp = triageStampOf(asking);
  const next = nextTriage(decision, stamp);
  const picked = await pick(tx, asking, order);
  const held = await tx.rows`
    select finding.id, ${next.isChange} as is_change from finding
    where ${filterSql(order.filter, asking)} and finding.id = any(${picked}::bigint[])
    order by finding.id for no key update`;
  const { note } = decision;
  const opened = () =>
    openTriageBatch(tx, { deployment, kind: 'triage', ...stamp, ...(note !== undefined && { note }) });
  return applyDecision(tx, asking, { held, decision, permission, stamp, next, opened });
}
