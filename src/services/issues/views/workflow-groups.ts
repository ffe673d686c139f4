import { cweOf } from '#domain/findings/filter/finding-conditions.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { issueFilterSql, workflowRule } from '#domain/workflow-issues/issue-conditions.ts';
import { linkIsVisible } from '#domain/workflow-issues/issue-visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { IssueGrouping } from './shape.ts';

interface Split {
  project: Sql;
  name: Sql;
  from: (caller: Caller) => Sql;
}

const byProject = (caller: Caller): Sql => sql`
  join workflow_issue_project as link on link.deployment_id = issue.deployment_id and link.issue_id = issue.id
    and ${linkIsVisible(caller)}
  join project as live on live.deployment_id = link.deployment_id and live.id = link.project_id
    and live.archived_at is null`;

const each = (entries: Sql): Sql => sql`cross join lateral (select distinct ${entries} as name) as each`;
const noProject = sql`0::bigint`;

/** A workflow issue has one reporting workflow but several projects, paths and CWEs: it is counted in each group. */
const SPLITS: Record<IssueGrouping, Split> = {
  GROUP_BY_RULE: { project: noProject, name: workflowRule, from: () => sql`` },
  GROUP_BY_PROJECT: { project: sql`link.project_id`, name: sql`''::text`, from: byProject },
  GROUP_BY_PATH: {
    project: sql`link.project_id`,
    name: sql`each.name`,
    from: (caller) => sql`${byProject(caller)} ${each(sql`unnest(issue.file_paths)`)}`,
  },
  GROUP_BY_CWE: {
    project: noProject,
    name: sql`each.name`,
    from: () => sql`cross join lateral (
      select distinct ${cweOf(sql`entry`)} as name
      from unnest(issue.cwes) as entry) as each`,
  },
  GROUP_BY_DEPENDENCY: {
    project: noProject,
    name: sql`each.name`,
    from: () => each(sql`unnest(issue.direct_dependencies)`),
  },
};

/** Workflow issues as rows that are grouped together with findings. */
export function workflowGroupRows(groupBy: IssueGrouping, filter: FindingFilter, context: CallerContext): Sql {
  const { project, name, from } = SPLITS[groupBy];
  return unprepared(sql`
    select * from (
      select ${project} as project_id, ${name} collate "C" as name, issue.severity - 1 as severity,
        issue.created_at as since, 1 as workflow
      from workflow_issue as issue ${from(context.caller)} where ${issueFilterSql(filter, context)}) as source
    where source.name is not null`);
}
