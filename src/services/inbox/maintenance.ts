import { z } from 'zod';
import { filterSql } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { filterOfText } from '#domain/findings/filter/query-filter.ts';
import { heldClosingsSql } from '#domain/findings/ingest/held-closings.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { reasonNameOrEmpty } from './approvals.ts';
import { getExpiring, getFailing, MAX_INBOX_ITEMS } from './contract.ts';
import { severityNameSql } from './review.ts';

const DAY_MS = 86_400_000;
const EXPIRES_SOON_MS = 14 * DAY_MS;
const MAX_SILENCE_MS = 30 * DAY_MS;

const count = (from: Sql): Sql => sql`(select count(*)::integer from (${from}) as counted)`;

/** The filter of findings whose triage decision expires soon. */
export const EXPIRING_QUERY = 'expires:<14d';

const expiringDecisions = (context: CallerContext): Sql => sql`
  select finding.* from finding where ${filterSql(filterOfText(EXPIRING_QUERY, context.now, ''), context)}`;

/** Only for callers who may list tokens. */
const expiringTokens = ({ caller, now }: CallerContext): Sql => sql`
  select token.id, token.name, token.expires_at from api_token as token
  where token.deployment_id = ${caller.deployment} and ${caller.permissions.has('token:read')}::boolean
    and token.revoked_at is null and token.ci_trust_id is null and token.expires_at > ${now}
    and token.expires_at <= ${new Date(now.getTime() + EXPIRES_SOON_MS)}`;

/** Refs and tools whose latest scan failed. */
const failedScans = ({ caller, now }: CallerContext): Sql => sql`
  select * from (
    select distinct on (scan.project_id, scan.ref_id, scan.analysis_key) scan.*, project.name as project_name
    from scan join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    where scan.deployment_id = ${caller.deployment} and scan.started_at >= ${new Date(now.getTime() - MAX_SILENCE_MS)}
      and scan.status in ('completed', 'error', 'never_finished') and project.archived_at is null
      and ${projectVisibilitySql(caller)}
    order by scan.project_id, scan.ref_id, scan.analysis_key, scan.started_at desc, scan.id desc) as last
  where last.status <> 'completed'`;

const silentProjects = ({ caller, now }: CallerContext): Sql => sql`
  select project.id, project.name, project.latest_scan_at from project
  where project.deployment_id = ${caller.deployment} and project.archived_at is null and ${projectVisibilitySql(caller)}
    and coalesce(project.latest_scan_at, project.created_at) < ${new Date(now.getTime() - MAX_SILENCE_MS)}`;

/** Scans whose closings wait for confirmation, for callers who may triage. */
const heldClosings = ({ caller }: CallerContext): Sql => sql`
  select held.* from (${heldClosingsSql(caller)}) as held where ${caller.permissions.has('issue:triage')}::boolean`;

const MaintenanceCounts = z.object({ decisions: z.int(), tokens: z.int(), failing: z.int() });

/** Counts what expires soon and what fails. */
export async function countMaintenance(tx: Tx, context: CallerContext): Promise<z.output<typeof MaintenanceCounts>> {
  const counts = await tx.one(MaintenanceCounts)`
    select ${count(expiringDecisions(context))} as decisions, ${count(expiringTokens(context))} as tokens,
      ${count(failedScans(context))} + ${count(silentProjects(context))} + ${count(heldClosings(context))} as failing`;
  return counts ?? { decisions: 0, tokens: 0, failing: 0 };
}

const ExpiringDecision = getExpiring.reply.shape.decisions.element;
const ExpiringToken = getExpiring.reply.shape.tokens.element;

/** What expires soon, ordered by expiry. */
export async function listExpiring(tx: Tx, context: CallerContext): Promise<z.output<typeof getExpiring.reply>> {
  const decisions = await tx.all(ExpiringDecision)`
    select finding.id as "issueId", finding.title, ${severityNameSql} as severity, project.name as "projectName",
      ${reasonNameOrEmpty(sql`finding.triage_reason`)} as reason, finding.triage_until as until
    from (${expiringDecisions(context)}) as finding
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    order by finding.triage_until, finding.id limit ${MAX_INBOX_ITEMS}::int`;
  const tokens = await tx.all(ExpiringToken)`
    select id, name, expires_at as "expiresAt" from (${expiringTokens(context)}) as token
    order by expires_at, id limit ${MAX_INBOX_ITEMS}::int`;
  return { decisions, tokens };
}

const FailedScan = getFailing.reply.shape.scans.element;
const HeldClosing = getFailing.reply.shape.heldClosings.element;
const SilentProject = getFailing.reply.shape.projects.element;

/** Failed scans and held closings, newest first, and projects without recent scans, longest silent first. */
export async function listFailing(tx: Tx, context: CallerContext): Promise<z.output<typeof getFailing.reply>> {
  const scans = await tx.all(FailedScan)`
    select failed.id as "scanId", failed.project_id as "projectId", failed.project_name as "projectName",
      coalesce(project_ref.ref, '') as ref, coalesce(failed.completed_at, failed.started_at) as at,
      case when failed.status = 'never_finished' then 'The scan was started and never finished.'
           when failed.exit_code is not null then 'The scanner failed with exit code ' || failed.exit_code || '.'
           else 'The scan failed.' end as reason
    from (${failedScans(context)}) as failed
    left join project_ref on project_ref.deployment_id = failed.deployment_id
      and project_ref.id = failed.ref_id
    order by at desc, failed.id desc limit ${MAX_INBOX_ITEMS}::int`;
  const projects = await tx.all(SilentProject)`
    select silent.id as "projectId", silent.name as "projectName", silent.latest_scan_at as "lastScanAt"
    from (${silentProjects(context)}) as silent
    order by silent.latest_scan_at nulls first, silent.id limit ${MAX_INBOX_ITEMS}::int`;
  const closings = await tx.all(HeldClosing)`
    select scan_id as "scanId", project_id as "projectId", project_name as "projectName", ref, at, count
    from (${heldClosings(context)}) as held order by at desc, scan_id desc limit ${MAX_INBOX_ITEMS}::int`;
  return { scans, projects, heldClosings: closings };
}
