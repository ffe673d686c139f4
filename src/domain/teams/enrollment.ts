import * as accounts from '#domain/accounts/store.ts';
import * as projects from '#domain/projects/store.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** Registers a project; a new project joins the default teams for projects. */
export async function registerProject(
  tx: Tx,
  project: { deployment: string; name: string; url?: string },
): Promise<string> {
  const { id, isNew } = await projects.insert(tx, project);
  if (isNew)
    await tx.run`
      insert into team_project (deployment_id, team_id, project_id)
      select deployment_id, id, ${id} from team where deployment_id = ${project.deployment} and is_project_default`;
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
    where deployment_id = ${member.deployment} and is_user_default`;
}
