import { reachableTeams } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';

/** A condition on `link`, a row of workflow_issue_project; as an array, the visible projects are evaluated once. */
export const linkIsVisible = (caller: Caller): Sql =>
  caller.seesEverything
    ? sql`true`
    : sql`link.project_id = any(array(select team_project.project_id from team_project
        where team_project.deployment_id = ${caller.deployment}
          and team_project.team_id in (select team_id from (${reachableTeams(caller)}) as reach)))`;

/** A condition on `issue`: it has no project, or one that the caller may see (AZN-08). */
export const issueIsVisible = (caller: Caller): Sql =>
  caller.seesEverything
    ? sql`true`
    : sql`(not issue.is_in_project or exists (
        select from workflow_issue_project as link
        where link.deployment_id = issue.deployment_id and link.issue_id = issue.id and ${linkIsVisible(caller)}))`;
