import { z } from 'zod';
import { SEVERITIES } from '#domain/findings/shape.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** Messages to people show so many findings and the number of the others. */
export const MAX_SHOWN_FINDINGS = 5;

const SummarizedFinding = z.object({
  id: z.string(),
  title: z.string(),
  severity: z.number(),
  place: z.string(),
  project: z.string(),
  is_closed: z.boolean(),
  has_returned: z.boolean(),
});
export type SummarizedFinding = z.output<typeof SummarizedFinding>;

const Row = z.object({
  slug: z.string(),
  total: z.number(),
  open: z.number(),
  projects: z.array(z.string()),
  counts: z.record(z.string(), z.number()),
  worst: z.array(SummarizedFinding),
});

const ScanRow = z.object({
  ref: z.string().optional(),
  commit: z.string().optional(),
  author: z.string().optional(),
});

/** What a message tells people about findings. It has neither code nor secrets: a chat has other readers. */
export interface FindingSummary extends z.output<typeof Row> {
  scan?: z.output<typeof ScanRow> | undefined;
}

export interface SummaryRequest {
  deployment: string;
  findings: readonly string[];
  scan?: string | undefined;
  /** A condition on `project`: what the reader may see. */
  visibility?: Sql | undefined;
}

const placeSql = sql`case when finding.package is null then finding.path || ':' || finding.line
  else finding.package || coalesce('@' || finding.package_version, '') || ' in ' || finding.path end`;

const findScan = (tx: Tx, deployment: string, scan: string) =>
  tx.one(ScanRow)`
    select project_ref.ref, scan.commit, coalesce(scan.meta->>'commit_author_username',
      scan.meta->>'commit_author_name') as author
    from scan left join project_ref on project_ref.deployment_id = scan.deployment_id and project_ref.id = scan.ref_id
    where scan.deployment_id = ${deployment} and scan.id = ${scan}`;

/** Summarizes findings with two statements, however many they are; undefined if none exists or may be seen. */
export async function summarizeFindings(
  tx: Tx,
  { deployment, findings, scan, visibility = sql`true` }: SummaryRequest,
): Promise<FindingSummary | undefined> {
  const row = await tx.one(Row)`
    with found as materialized (
      select finding.id, finding.project_id, finding.severity, finding.state in ('fixed', 'removed') as is_closed
      from unnest(${findings}::bigint[]) as wanted (id)
      join finding on finding.deployment_id = ${deployment} and finding.id = wanted.id
      join project on project.deployment_id = ${deployment} and project.id = finding.project_id
      where ${visibility}),
    worst as (select id from found order by is_closed, severity desc, id limit ${MAX_SHOWN_FINDINGS}::int)
    select deployment.slug, (select count(*)::integer from found) as total,
      (select count(*)::integer from found where not is_closed) as open,
      array(select project.name from project where project.deployment_id = ${deployment}
        and project.id in (select project_id from found) order by project.name limit 100) as projects,
      (select coalesce(jsonb_object_agg(severity, count), '{}') from (
        select severity, count(*) as count from found group by severity) as counted) as counts,
      (select coalesce(jsonb_agg(jsonb_build_object('id', finding.id::text, 'severity', finding.severity,
          'title', coalesce(nullif(finding.title, ''), finding.rule), 'place', ${placeSql}, 'project', project.name,
          'is_closed', finding.state in ('fixed', 'removed'), 'has_returned', finding.reopened_count > 0)
          order by finding.state in ('fixed', 'removed'), finding.severity desc, finding.id), '[]')
        from worst join finding on finding.deployment_id = ${deployment} and finding.id = worst.id
        join project on project.deployment_id = ${deployment} and project.id = finding.project_id) as worst
    from deployment where deployment.id = ${deployment}`;
  if (!row || row.total === 0) return undefined;
  return { ...row, ...(scan !== undefined && { scan: await findScan(tx, deployment, scan) }) };
}

/** The findings by severity, worst first: "2 critical, 5 high". */
export const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([left], [right]) => Number(right) - Number(left))
    .map(([severity, count]) => `${count} ${SEVERITIES[Number(severity)] ?? 'info'}`)
    .join(', ');

export const severityName = (severity: number): string => SEVERITIES[severity] ?? 'info';

/** Text of a report on one line, without what could change how a message looks. */
export const oneLineOf = (text: string, most: number): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const characters = [...line.toWellFormed()];
  return characters.length <= most ? line.toWellFormed() : `${characters.slice(0, most - 1).join('')}…`;
};

/** "7 new findings in acme/shop", or how many of them are fixed. */
export function headlineOf({ total, open, projects }: FindingSummary): string {
  const noun = total === 1 ? 'finding' : 'findings';
  const [first = ''] = projects;
  const where = projects.length === 1 ? oneLineOf(first, 100) : `${projects.length} projects`;
  if (open < total) return `${total - open} of ${total} ${noun} fixed in ${where}`;
  return `${total} new ${noun} in ${where}`;
}
