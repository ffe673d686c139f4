import type { z } from 'zod';
import { type Asking, isWanted } from '#domain/findings/filter.ts';
import { filterOfText } from '#domain/findings/query-filter.ts';
import { projectIsVisible } from '#domain/teams/reach.ts';
import { type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { reasonName } from './approvals.ts';
import { getExpiring, getFailing, MOST_LISTED } from './contract.ts';
import { severityName } from './review.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;
const SILENT_MS = 30 * DAY_MS;

const count = (from: Sql): Sql => sql`(select count(*)::integer from (${from}) as counted)`;

/** Findings about which a decision ends soon, as the filter bar has it. */
export const ENDING = 'expires:<14d';

const endingDecisions = (asking: Asking): Sql => sql`
  select finding.* from finding where ${isWanted(filterOfText(ENDING, asking.now, ''), asking)}`;

/** Only for those who see the list of tokens. */
const endingTokens = ({ caller, now }: Asking): Sql => sql`
  select token.id, token.name, token.expires_at from api_token as token
  where token.deployment_id = ${caller.deployment} and ${caller.permissions.has('token:read')}::boolean
    and token.revoked_at is null and token.expires_at > ${now}
    and token.expires_at <= ${new Date(now.getTime() + SOON_MS)}`;

/** The last scan of each ref by each tool, where that one failed. */
const failedScans = ({ caller, now }: Asking): Sql => sql`
  select * from (
    select distinct on (scan.project_id, scan.branch_id, scan.analysis_key) scan.*, project.name as project_name
    from scan join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    where scan.deployment_id = ${caller.deployment} and scan.started_at >= ${new Date(now.getTime() - SILENT_MS)}
      and scan.status in ('completed', 'error', 'never_finished') and project.archived_at is null
      and ${projectIsVisible(caller)}
    order by scan.project_id, scan.branch_id, scan.analysis_key, scan.started_at desc, scan.id desc) as last
  where last.status <> 'completed'`;

const silentProjects = ({ caller, now }: Asking): Sql => sql`
  select project.id, project.name, project.latest_scan_at from project
  where project.deployment_id = ${caller.deployment} and project.archived_at is null and ${projectIsVisible(caller)}
    and coalesce(project.latest_scan_at, project.created_at) < ${new Date(now.getTime() - SILENT_MS)}`;

interface Upkeep {
  decisions: number;
  tokens: number;
  failing: number;
}

/** How much of each kind there is. */
export async function countUpkeep(tx: Tx, asking: Asking): Promise<Upkeep> {
  const [row] = await tx.rows`
    select ${count(endingDecisions(asking))} as decisions, ${count(endingTokens(asking))} as tokens,
      ${count(failedScans(asking))} + ${count(silentProjects(asking))} as failing`;
  const { decisions, tokens, failing } = row ?? {};
  return { decisions: Number(decisions), tokens: Number(tokens), failing: Number(failing) };
}

const Decision = getExpiring.reply.shape.decisions.element;
const Token = getExpiring.reply.shape.tokens.element;

/** What ends soon, the next first. */
export async function expiringOf(tx: Tx, asking: Asking): Promise<z.output<typeof getExpiring.reply>> {
  const decisions = await tx.all(Decision)`
    select finding.id as "issueId", finding.title, ${severityName} as severity, project.name as "projectName",
      ${reasonName(sql`finding.triage_reason`)} as reason, finding.triage_until as until
    from (${endingDecisions(asking)}) as finding
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    order by finding.triage_until, finding.id limit ${MOST_LISTED}::int`;
  const tokens = await tx.all(Token)`
    select id, name, expires_at as "expiresAt" from (${endingTokens(asking)}) as token
    order by expires_at, id limit ${MOST_LISTED}::int`;
  return { decisions, tokens };
}

const Scan = getFailing.reply.shape.scans.element;
const Silent = getFailing.reply.shape.projects.element;

/** What does not work: the newest failures, and the projects that have been silent for longest. */
export async function failingOf(tx: Tx, asking: Asking): Promise<z.output<typeof getFailing.reply>> {
  const scans = await tx.all(Scan)`
    select failed.id as "scanId", failed.project_id as "projectId", failed.project_name as "projectName",
      coalesce(project_branch.ref, '') as ref, coalesce(failed.completed_at, failed.started_at) as at,
      case when failed.status = 'never_finished' then 'The scan was started and never finished.'
           when failed.exit_code is not null then 'The scanner failed with exit code ' || failed.exit_code || '.'
           else 'The scan failed.' end as reason
    from (${failedScans(asking)}) as failed
    left join project_branch on project_branch.deployment_id = failed.deployment_id
      and project_branch.id = failed.branch_id
    order by at desc, failed.id desc limit ${MOST_LISTED}::int`;
  const projects = await tx.all(Silent)`
    select silent.id as "projectId", silent.name as "projectName", silent.latest_scan_at as "lastScanAt"
    from (${silentProjects(asking)}) as silent
    order by silent.latest_scan_at nulls first, silent.id limit ${MOST_LISTED}::int`;
  return { scans, projects };
}
