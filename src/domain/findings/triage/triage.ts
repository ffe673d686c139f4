import { z } from 'zod';
import type { TriagePermission } from '#domain/products/shape.ts';
import { findTriagePermission } from '#domain/products/triage-permission.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
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
  /** The account that is to deal with the finding; null for nobody. */
  assignee?: string | null;
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

async function findMatching(
  tx: Tx,
  context: CallerContext,
  { filter, snapshot, limit }: TriageOrder,
): Promise<string[]> {
  const maxCount = limit ?? MAX_FINDINGS_AT_ONCE + 1;
  const condition = snapshot === undefined ? sql`true` : sql`finding.id <= ${snapshot}::bigint`;
  const request = { filter, order: NEWEST_FIRST, after: null, limit: maxCount, condition };
  const rows = await tx.all(RowId)`${findingListSql(request, await planFindingList(tx, context, filter))}`;
  if (limit === undefined && rows.length > MAX_FINDINGS_AT_ONCE)
    throw TOO_MANY_FINDINGS({ most: MAX_FINDINGS_AT_ONCE });
  return rows.map(({ id }) => id);
}

/** The triage fields after a decision, and whether they differ: repeating a decision changes nothing. */
export function nextTriage(
  { state, reason, note, until, assignee }: TriageDecision,
  { actor, at, source }: TriageStamp,
) {
  const nextState = state === undefined ? sql`finding.triage_state` : sql`${state}::text`;
  const storedReason = state === 'ignored' ? (reason ?? 'no_triage_reason') : null;
  const nextReason = state === undefined ? sql`finding.triage_reason` : sql`${storedReason}::text`;
  const isNew = sql`(${nextState}, ${nextReason}) is distinct from (finding.triage_state,
    case when finding.triage_state = 'ignored' then coalesce(finding.triage_reason, 'no_triage_reason') end)`;
  const isDecision = state === undefined ? sql`false` : isNew;
  const nextNote =
    note === undefined ? sql`case when not ${isDecision} then finding.triage_note end` : sql`${note}::text`;
  const nextUntil =
    until === undefined
      ? sql`case when not ${isDecision} then finding.triage_until end`
      : sql`${until}::timestamptz(3)`;
  const nextAssignee = assignee === undefined ? sql`finding.assignee_id` : sql`${assignee}::bigint`;
  const isChange = sql`(${isDecision} or ${nextNote} is distinct from finding.triage_note
    or ${nextUntil} is distinct from finding.triage_until or ${nextAssignee} is distinct from finding.assignee_id)`;
  return {
    isChange,
    columns: sql`${nextState} as state, ${nextReason} as reason, ${nextNote} as note, ${nextUntil} as until,
      case when ${isDecision} then ${at}::timestamptz else finding.triaged_at end as at,
      case when ${isDecision} then ${actor}::text else finding.triaged_by end as by,
      case when ${isDecision} then ${source}::text else finding.triage_source end as source,
      ${nextAssignee} as assignee`,
  };
}

type NextTriage = ReturnType<typeof nextTriage>;

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

const LockedFinding = z.object({ id: z.string(), is_change: z.boolean() });
type LockedFinding = z.output<typeof LockedFinding>;

/** Locks findings in id order, with whether the decision changes them. */
export const lockFindings = (tx: Tx, { isChange }: NextTriage, rest: Sql): Promise<LockedFinding[]> =>
  tx.all(LockedFinding)`
    select finding.id, ${isChange} as is_change from finding where ${rest} for no key update`;

interface DecisionOnLocked {
  /** Locked findings, each with whether the decision changes it. */
  locked: readonly LockedFinding[];
  decision: TriageDecision;
  permission: TriageAccess;
  stamp: TriageStamp;
  next: NextTriage;
  /** Opens the batch, or returns the open one. */
  openBatch: () => Promise<string>;
}

/** Applies a decision to locked findings; if it needs approval, requests exceptions instead. */
export async function applyDecision(
  tx: Tx,
  context: CallerContext,
  { locked, decision, permission, stamp, next, openBatch }: DecisionOnLocked,
): Promise<TriageResult> {
  const { deployment } = context.caller;
  const findings = locked.map(({ id }) => id);
  if (decision.state === 'ignored' && permission === 'TRIAGE_PERMISSION_REQUEST') {
    const requested = await requestExceptions(tx, context, { findings, decision });
    return { batch: undefined, findings, changed: 0, requested, skipped: findings.length - requested };
  }
  const changing = locked.filter(({ is_change: isChange }) => isChange).map(({ id }) => id);
  const batch = changing.length === 0 ? undefined : await openBatch();
  if (permission === 'TRIAGE_PERMISSION_IGNORE') await reviewExceptions(tx, context, { findings, decision, batch });
  if (batch === undefined) return { batch, findings, changed: 0, requested: 0, skipped: 0 };
  await writeDecisions(tx, {
    deployment,
    batch,
    at: stamp.at,
    next: sql`select finding.id, ${next.columns} from finding
      where finding.deployment_id = ${unestimated(deployment)} and finding.id = any(${changing}::bigint[])`,
  });
  return { batch, findings, changed: changing.length, requested: 0, skipped: 0 };
}

/**
 * Triages all matching findings in one batch that can be undone. They are locked in id order, and those that no longer
 * match by then are left out.
 */
export async function triageFindings(tx: Tx, context: CallerContext, order: TriageOrder): Promise<TriageResult> {
  const { deployment } = context.caller;
  const { decision } = order;
  const permission = await requireTriageAccess(tx, context);
  const stamp = triageStampOf(context);
  const next = nextTriage(decision, stamp);
  const found = await findMatching(tx, context, order);
  const matching = sql`${filterSql(order.filter, context)} and finding.id = any(${found}::bigint[])
    order by finding.id`;
  const locked = await lockFindings(tx, next, matching);
  const { note } = decision;
  const openBatch = () =>
    openTriageBatch(tx, { deployment, kind: 'triage', ...stamp, ...(note !== undefined && { note }) });
  return applyDecision(tx, context, { locked, decision, permission, stamp, next, openBatch });
}
