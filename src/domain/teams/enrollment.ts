import * as accounts from '#domain/accounts/store.ts';
import * as projects from '#domain/projects/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { accountIdOf, projectVisibilitySql } from './visibility.ts';

/**
 * Registers a project. A new project joins the default teams for projects, and if its creator is in none of these, the
 * first team of the creator, who would not see it otherwise.
 */
export async function registerProject(
  tx: Tx,
  project: { deployment: string; name: string; url?: string },
  creator?: Caller,
): Promise<string> {
  const { id, isNew } = await projects.insert(tx, project);
  if (!isNew) return id;
  const { deployment } = project;
  await tx.run`
    insert into team_project (deployment_id, team_id, project_id)
    select deployment_id, id, ${id} from team where deployment_id = ${deployment} and is_project_default`;
  if (creator && !creator.seesEverything)
    await tx.run`
      insert into team_project (deployment_id, team_id, project_id)
      select deployment_id, team_id, ${id} from team_member
      where deployment_id = ${deployment} and account_id = ${accountIdOf(creator)}
        and not exists (select from project where project.deployment_id = ${deployment} and project.id = ${id}
                          and ${projectVisibilitySql(creator)})
      order by team_id limit 1`;
  return id;
}

/** Adds an account to the deployment and to the default teams for members. */
export async function enrollMember(
  tx: Tx,
  member: { deployment: string; account: string; role: string },
): Promise<void> {
  await accounts.addMembership(tx, member);
  await tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    select deployment_id, id, ${member.account}, 'TEAM_ROLE_MEMBER' from team
    where deployment_id = ${member.deployment} and is_user_default
    on conflict do nothing`;
}
