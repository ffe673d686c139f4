import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

const AccessPath = z.object({
  holder_id: z.string(),
  holder_name: z.string(),
  team_id: z.string(),
  team_name: z.string(),
  role: z.enum(['TEAM_ROLE_MEMBER', 'TEAM_ROLE_MANAGER', 'TEAM_ROLE_READONLY']),
});

/** How a member can see a project: the team that has the project, and the same team or an ancestor with the member. */
export type AccessPath = z.output<typeof AccessPath>;

const MAX_ACCESS_PATHS = 50;

/** All access paths from a member to a project, shortest first. Walks up from the teams of the project. */
export const listAccessPaths = (
  tx: Tx,
  { deployment, account, project }: { deployment: string; account: string; project: string },
): Promise<AccessPath[]> =>
  tx.all(AccessPath)`
    with recursive ancestor as (
      select team_id as holder_id, team_id, 0 as steps from team_project
      where deployment_id = ${deployment} and project_id = ${project}
      union all
      select ancestor.holder_id, team.parent_team_id, ancestor.steps + 1
      from ancestor join team on team.deployment_id = ${deployment} and team.id = ancestor.team_id
      where team.parent_team_id is not null
    )
    select ancestor.holder_id, holder.name as holder_name, ancestor.team_id, team.name as team_name, team_member.role
    from ancestor
    join team_member on team_member.deployment_id = ${deployment} and team_member.team_id = ancestor.team_id
      and team_member.account_id = ${account}
    join team on team.deployment_id = ${deployment} and team.id = ancestor.team_id
    join team as holder on holder.deployment_id = ${deployment} and holder.id = ancestor.holder_id
    order by ancestor.steps, ancestor.holder_id limit ${MAX_ACCESS_PATHS}::int`;

const MemberAndProject = z.object({ role: z.string(), name: z.string(), project: z.string() });

/** The role and name of a member and the name of a project; undefined if either does not exist. */
export const findMemberAndProject = (
  tx: Tx,
  { deployment, account, project }: { deployment: string; account: string; project: string },
) =>
  tx.one(MemberAndProject)`
    select membership.role, account.name, project.name as project
    from membership join account on account.id = membership.account_id
    join project on project.deployment_id = membership.deployment_id and project.id = ${project}
    where membership.deployment_id = ${deployment} and membership.account_id = ${account}`;
