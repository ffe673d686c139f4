import { weaknessOf } from '#domain/findings/conditions.ts';
import type { Asking, Filter } from '#domain/findings/filter.ts';
import { isWanted, rule } from '#domain/workflow-issues/conditions.ts';
import { linkIsVisible } from '#domain/workflow-issues/visible.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { adHoc, type Sql, sql } from '#kernel/db/sql.ts';
import type { Grouping } from './views-shape.ts';

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
const ofNone = sql`0::bigint`;

/** An issue has one workflow that found it first, and may have several of everything else: it is in each group. */
const SPLITS: Record<Grouping, Split> = {
  GROUP_BY_RULE: { project: ofNone, name: rule, from: () => sql`` },
  GROUP_BY_PROJECT: { project: sql`link.project_id`, name: sql`''::text`, from: byProject },
  GROUP_BY_PATH: {
    project: sql`link.project_id`,
    name: sql`each.name`,
    from: (caller) => sql`${byProject(caller)} ${each(sql`unnest(issue.file_paths)`)}`,
  },
  GROUP_BY_CWE: {
    project: ofNone,
    name: sql`each.name`,
    from: () => sql`cross join lateral (
      select distinct ${weaknessOf(sql`entry`)} as name
      from unnest(issue.cwes) as entry) as each`,
  },
  GROUP_BY_DEPENDENCY: {
    project: ofNone,
    name: sql`each.name`,
    from: () => each(sql`unnest(issue.direct_dependencies)`),
  },
};

/** What workflows found, as lines to be grouped with those of findings. */
export function workflowLines(groupBy: Grouping, filter: Filter, asking: Asking): Sql {
  const { project, name, from } = SPLITS[groupBy];
  return adHoc(sql`
    select * from (
      select ${project} as project_id, ${name} collate "C" as name, issue.severity - 1 as severity,
        issue.created_at as since, 1 as workflow
      from workflow_issue as issue ${from(asking.caller)} where ${isWanted(filter, asking)}) as line
    where line.name is not null`);
}
