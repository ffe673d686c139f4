import { z } from 'zod';
import { inIncludedProjects } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { TRIAGE_REASONS, type TriageReason } from '#domain/findings/shape.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import { triageFindings } from '#domain/findings/triage/triage.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ALREADY_DECIDED, listApprovals } from './contract.ts';
import { MAX_INBOX_COUNT, severityNameSql } from './review.ts';

const reasons = JSON.stringify(
  Object.fromEntries(Object.entries(TRIAGE_REASONS).map(([reason, { v2 }]) => [reason, v2])),
);

/** The API name of a triage reason; empty if there is none. */
export const reasonNameOrEmpty = (reason: Sql): Sql => sql`coalesce(${reasons}::jsonb->>(${reason}), '')`;

/** Exception requests joined with findings that the caller may see. */
const visible = (context: CallerContext): Sql => sql`
  exception_request as request
  join finding on finding.deployment_id = request.deployment_id and finding.id = request.finding_id
    and (${inIncludedProjects({}, context)})
  where request.deployment_id = ${context.caller.deployment}`;

const ApprovalRequest = listApprovals.reply.shape.requests.element;

/** One page of pending requests, oldest first. */
export const listWaiting = (
  tx: Tx,
  context: CallerContext,
  { after, limit }: PageWindow,
): Promise<z.output<typeof ApprovalRequest>[]> =>
  tx.all(ApprovalRequest)`
    with page as materialized (
      select request.*, finding.rule, finding.title, ${severityNameSql} as severity, finding.project_id
      from ${visible(context)} and request.state = 'requested'
        ${after ? sql`and request.id > ${after[0]}::bigint` : emptySql}
      order by request.id limit ${limit + 1}::int
    ),
    rule_history as (
      select finding.rule, count(*)::integer as requested,
        (count(*) filter (where request.state = 'approved'))::integer as approved
      from ${visible(context)} and finding.rule in (select rule from page) group by finding.rule
    )
    select page.id as "requestId", page.finding_id as "issueId", page.title, page.severity,
      project.name as "projectName", page.requester, ${reasonNameOrEmpty(sql`page.reason`)} as reason, page.note,
      page.created_at as "createdAt", page.until, rule_history.approved as "sameRuleApproved",
      rule_history.requested as "sameRuleAsked"
    from page join rule_history using (rule)
    join project on project.deployment_id = page.deployment_id and project.id = page.project_id
    order by page.id`;

/** The filter of findings with a pending request. A finding has at most one. */
export const WAITING_APPROVALS_QUERY = 'exception:requested';

const CountRow = z.object({ count: z.int() });

export async function countWaiting(tx: Tx, context: CallerContext): Promise<number> {
  const row = await tx.one(CountRow)`
    select count(*)::integer as count from (
      select from ${visible(context)} and request.state = 'requested' limit ${MAX_INBOX_COUNT}::int) as waiting`;
  return row?.count ?? 0;
}

/** True if the request exists and the caller may see its finding. */
export async function isVisibleRequest(tx: Tx, context: CallerContext, request: string): Promise<boolean> {
  const rows = await tx.rows`select from ${visible(context)} and request.id = ${request} limit 1`;
  return rows.length > 0;
}

const LockedRequest = z.object({
  finding_id: z.string(),
  state: z.string(),
  reason: z.string().optional(),
  note: z.string(),
  until: z.string().optional(),
  reviewer: z.string().optional(),
  reviewed_at: z.string().optional(),
});

/** Locks the finding before its request, in the same order as triage, to avoid deadlocks. */
async function lockRequest(
  tx: Tx,
  deployment: string,
  request: string,
): Promise<z.output<typeof LockedRequest> | undefined> {
  await tx.run`
    select from finding where finding.deployment_id = ${deployment} and finding.id = (
      select finding_id from exception_request where deployment_id = ${deployment} and id = ${request})
    for no key update`;
  return tx.one(LockedRequest)`
    select finding_id, state, reason, note, until, reviewer, reviewed_at from exception_request
    where deployment_id = ${deployment} and id = ${request} for no key update`;
}

export interface ApprovalDecision {
  isApproved: boolean;
  note?: string | undefined;
  until?: Date | undefined;
}

/** Approves or rejects a pending request. An approval ignores the finding as requested and returns the batch. */
export async function decideRequest(
  tx: Tx,
  context: CallerContext,
  { request, verdict: { isApproved, note, until } }: { request: string; verdict: ApprovalDecision },
): Promise<string | undefined> {
  const { caller, now } = context;
  const { deployment } = caller;
  const locked = await lockRequest(tx, deployment, request);
  if (locked?.state !== 'requested') {
    const { state = 'withdrawn', reviewer = '', reviewed_at: reviewedAt = '' } = locked ?? {};
    throw ALREADY_DECIDED({ state, reviewer }, { members: { state: state.toUpperCase(), reviewer, reviewedAt } });
  }
  const end = until ?? (locked.until === undefined ? undefined : new Date(locked.until));
  const isInFuture = end !== undefined && end > now;
  const decision = {
    state: 'ignored' as const,
    ...(locked.reason !== undefined && { reason: locked.reason as TriageReason }),
    note: note ?? locked.note,
    ...(isInFuture && { until: end }),
  };
  const triaged = isApproved
    ? await triageFindings(tx, context, { filter: { ids: [locked.finding_id] }, decision })
    : undefined;
  await tx.run`
    update exception_request set state = ${isApproved ? 'approved' : 'rejected'}, reviewer = ${actorOf(caller)},
      reviewer_name = ${caller.name}, reviewed_at = ${now}, review_note = ${note ?? null}
    where deployment_id = ${deployment} and id = ${request}`;
  return triaged?.batch;
}
