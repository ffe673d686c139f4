import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { allMatchingSql } from '#domain/findings/filter/finding-list.ts';
import { isInSnapshot } from '#domain/workflow-issues/bulk-decisions.ts';
import { issueFilterSql } from '#domain/workflow-issues/issue-conditions.ts';
import { linkIsVisible } from '#domain/workflow-issues/issue-visibility.ts';
import { sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { FINDING_KINDS, type FiltersByKind } from '../all-findings/merged-list.ts';

const PreviewRow = z.object({
  count: z.int(),
  /** How many of `count` are workflow issues. */
  workflows: z.int(),
  /** How many are in none of the listed projects. Workflow issues can be in several projects or in none. */
  elsewhere: z.int(),
  projects: z.array(z.object({ name: z.string(), count: z.int() })),
  worst: z.array(z.object({ kind: z.enum(FINDING_KINDS), id: z.string(), title: z.string(), severity: z.int() })),
});
export type AllFindingsPreview = z.output<typeof PreviewRow>;

/** Previews a bulk update of both kinds: the count, the projects with most matches and the most severe matches. */
export async function previewAllFindings(
  tx: Tx,
  context: CallerContext,
  { filters: { issue, workflow }, snapshot }: { filters: FiltersByKind; snapshot: string },
): Promise<AllFindingsPreview> {
  const { caller } = context;
  const matchingFindings = issue ? await allMatchingSql(tx, context, issue) : sql`false`;
  const matchingWorkflows = workflow ? unprepared(issueFilterSql(workflow, context)) : sql`false`;
  const preview = await tx.one(PreviewRow)`
    with issues as materialized (
      select finding.id, finding.project_id, finding.severity from finding
      where ${matchingFindings} and finding.id <= ${snapshot}::bigint
    ), workflows as materialized (
      select issue.deployment_id, issue.id, issue.severity - 1 as severity from workflow_issue as issue
      where ${matchingWorkflows} and ${isInSnapshot(snapshot)}
    ), links as materialized (
      select link.issue_id, link.project_id from workflows
      join workflow_issue_project as link on link.deployment_id = workflows.deployment_id
        and link.issue_id = workflows.id and ${linkIsVisible(caller)}
      join project on project.deployment_id = link.deployment_id and project.id = link.project_id
        and (project.archived_at is not null) = ${workflow?.isArchived ?? false}::boolean
    ), most as materialized (
      select project_id, count(*) as count
      from (select project_id from issues union all select project_id from links) as located
      group by project_id order by count(*) desc, project_id limit 5
    ), worst as (
      select 'issue' as kind, id, severity from issues
      union all select 'workflow', id, severity from workflows
      order by severity desc, kind, id desc limit 3
    )
    select (select count(*)::integer from issues) + (select count(*)::integer from workflows) as count,
      (select count(*)::integer from workflows) as workflows,
      (select count(*)::integer from issues where project_id not in (select project_id from most))
        + (select count(*)::integer from workflows where id not in (
            select issue_id from links where project_id in (select project_id from most))) as elsewhere,
      (select coalesce(jsonb_agg(jsonb_build_object('name', project.name, 'count', most.count)
          order by most.count desc, project.name), '[]')
        from most join project on project.deployment_id = ${caller.deployment}
          and project.id = most.project_id) as projects,
      (select coalesce(jsonb_agg(jsonb_build_object('kind', worst.kind, 'id', worst.id::text,
          'title', coalesce(finding.title, issue.title), 'severity', worst.severity)
          order by worst.severity desc, worst.kind, worst.id desc), '[]')
        from worst
        left join finding on worst.kind = 'issue' and finding.deployment_id = ${caller.deployment}
          and finding.id = worst.id
        left join workflow_issue as issue on worst.kind = 'workflow' and issue.deployment_id = ${caller.deployment}
          and issue.id = worst.id) as worst`;
  if (!preview) throw new Error('The preview of a bulk update has no row.');
  return preview;
}
