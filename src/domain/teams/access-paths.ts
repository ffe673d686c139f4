import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

const AccessPath = z.object({
  holder_id: z.string(),
  holder_name: z.string(),
  team_id: z.string(),
  team_name: z.string(),
  role: z.enum(['TEAM_ROLE_MEMBER', 'TEAM_ROLE_MANAGER', 'TEAM_ROLE_READONLY']),
});

/** How a person reaches a project: the team that has it, and the team above or the same in which the person is. */
export type AccessPath = z.output<typeof AccessPath>;

const MOST_WAYS = 50;

/** All ways from a person to a project, the shortest first: up from the teams of the project to those of the person. */
export const listAccessPaths = (
  tx: Tx,
  { deployment, account, project }: { deployment: string; account: string; project: string },
): Promise<AccessPath[]> =>
  tx.all(AccessPath)`
    with recursive line as (
      select team_id as holder_id, team_id, 0 as steps from team_project
      where deployment_id = ${deployment} and project_id = ${project}
      union all
      select line.holder_id, team.parent_team_id, line.steps + 1
      from line join team on team.deployment_id = ${deployment} and team.id = line.team_id
      where team.parent_team_id is not null
    )
    select line.holder_id, holder.name as holder_name, line.team_id, team.name as team_name, team_member.role
    from line
    join team_member on team_member.deployment_id = ${deployment} and team_member.team_id = line.team_id
      and team_member.account_id = ${account}
    join team on team.deployment_id = ${deployment} and team.id = line.team_id
    join team as holder on holder.deployment_id = ${deployment} and holder.id = line.holder_id
    order by line.steps, line.holder_id limit ${MOST_WAYS}::int`;

const Parties = z.object({ role: z.string(), name: z.string(), project: z.string() });

/** The person in this deployment and the project, as they are called; undefined when one of them is not there. */
export const findMemberAndProject = (
  tx: Tx,
  { deployment, account, project }: { deployment: string; account: string; project: string },
) =>
  tx.one(Parties)`
    select membership.role, account.name, project.name as project
    from membership join account on account.id = membership.account_id
    join project on project.deployment_id = membership.deployment_id and project.id = ${project}
    where membership.deployment_id = ${deployment} and membership.account_id = ${account}`;
