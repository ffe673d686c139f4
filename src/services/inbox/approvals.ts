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
const visible = (asking: CallerContext): Sql => sql`
  exception_request as asked
  join finding on finding.deployment_id = asked.deployment_id and finding.id = asked.finding_id
    and (${inIncludedProjects({}, asking)})
  where asked.deployment_id = ${asking.caller.deployment}`;

const Request = listApprovals.reply.shape.requests.element;

/** One page of pending requests, oldest first. */
export const listWaiting = (
  tx: Tx,
  asking: CallerContext,
  { after, limit }: PageWindow,
): Promise<z.output<typeof Request>[]> =>
  tx.all(Request)`
    with page as materialized (
      select asked.*, finding.rule, finding.title, ${severityNameSql} as severity, finding.project_id
      from ${visible(asking)} and asked.state = 'requested' ${after ? sql`and asked.id > ${after[0]}::bigint` : emptySql}
      order by asked.id limit ${limit + 1}::int
    ),
    record as (
      select finding.rule, count(*)::integer as asked,
        (count(*) filter (where asked.state = 'approved'))::integer as approved
      from ${visible(asking)} and finding.rule in (select rule from page) group by finding.rule
    )
    select page.id as "requestId", page.finding_id as "issueId", page.title, page.severity,
      project.name as "projectName", page.requester, ${reasonNameOrEmpty(sql`page.reason`)} as reason, page.note,
      page.created_at as "createdAt", page.until, record.approved as "sameRuleApproved",
      record.asked as "sameRuleAsked"
    from page join record using (rule)
    join project on project.deployment_id = page.deployment_id and project.id = page.project_id
    order by page.id`;

/** The filter of findings with a pending request. A finding has at most one. */
export const WAITING_APPROVALS_QUERY = 'exception:requested';

export async function countWaiting(tx: Tx, asking: CallerContext): Promise<number> {
  const [row] = await tx.rows`
    select count(*)::integer as count from (
      select from ${visible(asking)} and asked.state = 'requested' limit ${MAX_INBOX_COUNT}::int) as waiting`;
  return Number(row?.['count']);
}

/** True if the request exists and the caller may see its finding. */
export async function isVisibleRequest(tx: Tx, asking: CallerContext, request: string): Promise<boolean> {
  const rows = await tx.rows`select from ${visible(asking)} and asked.id = ${request} limit 1`;
  return rows.length > 0;
}

const Held = z.object({
  finding_id: z.string(),
  state: z.string(),
  reason: z.string().optional(),
  note: z.string(),
  until: z.string().optional(),
  reviewer: z.string().optional(),
  reviewed_at: z.string().optional(),
});

/** Locks the finding before its request, in the same order as triage, to avoid deadlocks. */
async function hold(tx: Tx, deployment: string, request: string): Promise<z.output<typeof Held> | undefined> {
  await tx.run`
    select from finding where finding.deployment_id = ${deployment} and finding.id = (
      select finding_id from exception_request where deployment_id = ${deployment} and id = ${request})
    for no key update`;
  return tx.one(Held)`
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
  asking: CallerContext,
  { request, verdict: { isApproved, note, until } }: { request: string; verdict: ApprovalDecision },
): Promise<string | undefined> {
  const { caller, now } = asking;
  const { deployment } = caller;
  const held = await hold(tx, deployment, request);
  if (held?.state !== 'requested') {
    const { state = 'withdrawn', reviewer = '', reviewed_at: reviewedAt = '' } = held ?? {};
    throw ALREADY_DECIDED({ state, reviewer }, { members: { state: state.toUpperCase(), reviewer, reviewedAt } });
  }
  const end = until ?? (held.until === undefined ? undefined : new Date(held.until));
  const isAhead = end !== undefined && end > now;
  const decision = {
    state: 'ignored' as const,
    ...(held.reason !== undefined && { reason: held.reason as TriageReason }),
    note: note ?? held.note,
    ...(isAhead && { until: end }),
  };
  const done = isApproved
    ? await triageFindings(tx, asking, { filter: { ids: [held.finding_id] }, decision })
    : undefined;
  await tx.run`
    update exception_request set state = ${isApproved ? 'approved' : 'rejected'}, reviewer = ${actorOf(caller)},
      reviewer_name = ${caller.name}, reviewed_at = ${now}, review_note = ${note ?? null}
    where deployment_id = ${deployment} and id = ${request}`;
  return done?.batch;
}
