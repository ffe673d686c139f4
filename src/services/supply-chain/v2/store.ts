import { z } from 'zod';
import type { DependencyPageWindow } from '#domain/dependencies/queries.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const AdvisoryProjectRow = z.object({
  projectName: z.string(),
  totalFindingCount: z.int(),
  branchFindings: z.array(z.object({ branchName: z.string(), findingCount: z.int() })),
  rule: z.string(),
});

/** A page starts after the project with this count and name. */
export interface AdvisoryProjectCursor {
  count: number;
  name: string;
}

/**
 * Projects with currently detected findings of an advisory, on any ref, largest count first. An advisory has several
 * names: the primary one is indexed, and only if no finding has it as primary name all names are searched.
 */
export async function listByAdvisory(
  tx: Tx,
  caller: Caller,
  { advisory, ...slice }: DependencyPageWindow<AdvisoryProjectCursor | undefined> & { advisory: string },
): Promise<{ rows: z.output<typeof AdvisoryProjectRow>[]; hasMore: boolean }> {
  const names = [...new Set([advisory, advisory.toUpperCase()])];
  const [known] = await tx.rows`
    select from finding where deployment_id = ${caller.deployment} and advisory = any(${names}::text[]) limit 1`;
  const isNamed = known
    ? sql`finding.advisory = any(${names}::text[])`
    : sql`finding.product = 'sca' and finding.detail->'advisories' ?| ${names}::text[]`;
  const rows = await findPage(tx, caller, { isNamed, ...slice });
  return { rows: rows.slice(0, slice.limit), hasMore: rows.length > slice.limit };
}

const findPage = (
  tx: Tx,
  caller: Caller,
  { isNamed, after, limit }: DependencyPageWindow<AdvisoryProjectCursor | undefined> & { isNamed: Sql },
): Promise<z.output<typeof AdvisoryProjectRow>[]> => tx.all(AdvisoryProjectRow)`
  with by_ref as (
    select finding.project_id, project_ref.ref, count(distinct finding.id)::integer as count,
      min(finding.rule) as rule
    from finding
    join detection on detection.deployment_id = finding.deployment_id and detection.finding_id = finding.id
      and detection.state = 'detected'
    join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
    join project_ref on project_ref.deployment_id = analysis.deployment_id
      and project_ref.id = analysis.ref_id
    where finding.deployment_id = ${caller.deployment} and ${isNamed}
    group by finding.project_id, project_ref.ref
  ), by_project as (
    select project.name as "projectName", sum(count)::integer as "totalFindingCount", min(rule) as rule,
      jsonb_agg(jsonb_build_object('branchName', ref, 'findingCount', count) order by ref collate "C")
        as "branchFindings"
    from by_ref
    join project on project.deployment_id = ${caller.deployment} and project.id = by_ref.project_id
      and project.archived_at is null and ${projectVisibilitySql(caller)}
    group by project.id, project.name
  )
  select * from by_project
  where ${after?.name ?? null}::text is null or "totalFindingCount" < ${after?.count ?? 0}::integer
    or ("totalFindingCount" = ${after?.count ?? 0}::integer and "projectName" collate "C" > ${after?.name ?? ''}::text)
  order by "totalFindingCount" desc, "projectName" collate "C"
  limit ${limit + 1}::int`;
