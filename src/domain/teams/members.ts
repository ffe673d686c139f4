import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { projectVisibilitySql } from './visibility.ts';

export interface TeamRef {
  deployment: string;
  team: string;
}

export interface TeamMembership {
  account: string;
  role: string;
}

/** Which of these accounts are not members of the deployment: absent ones and other deployments' alike. */
export async function findUnknownAccounts(tx: Tx, deployment: string, accounts: string[]): Promise<Set<string>> {
  const rows = await tx.rows`
    select wanted.id from unnest(${accounts}::bigint[]) as wanted (id)
    where not exists (select from membership where deployment_id = ${deployment} and account_id = wanted.id)`;
  return new Set(rows.map((row) => String(row['id'])));
}

/** Which of these projects the caller may not see, because they are not there or not theirs. */
export async function findUnknownProjects(tx: Tx, caller: Caller, projects: string[]): Promise<Set<string>> {
  const rows = await tx.rows`
    select wanted.id from unnest(${projects}::bigint[]) as wanted (id)
    where not exists (select from project
      where project.deployment_id = ${caller.deployment} and project.id = wanted.id and ${projectVisibilitySql(caller)})`;
  return new Set(rows.map((row) => String(row['id'])));
}

/** Gives each account its role in the team, whether it was in it or not; one that leaves at this moment is left out. */
export const addMembers = (tx: Tx, { deployment, team }: TeamRef, seats: TeamMembership[]): Promise<number> =>
  tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    select ${deployment}, ${team}, wanted.account_id, wanted.role
    from unnest(${seats.map(({ account }) => account)}::bigint[], ${seats.map(({ role }) => role)}::text[])
      as wanted (account_id, role)
    join membership on membership.deployment_id = ${deployment} and membership.account_id = wanted.account_id
    for key share of membership
    on conflict (deployment_id, team_id, account_id) do update set role = excluded.role`;

export async function listMemberRoles(tx: Tx, { deployment, team }: TeamRef): Promise<Map<string, string>> {
  const rows = await tx.rows`
    select account_id, role from team_member where deployment_id = ${deployment} and team_id = ${team}`;
  return new Map(rows.map((row) => [String(row['account_id']), String(row['role'])]));
}

export const removeMembers = (tx: Tx, { deployment, team }: TeamRef, accounts: string[]): Promise<number> =>
  tx.run`
    delete from team_member
    where deployment_id = ${deployment} and team_id = ${team} and account_id = any(${accounts}::bigint[])`;

export const removeMembersExcept = (tx: Tx, { deployment, team }: TeamRef, accounts: string[]): Promise<number> =>
  tx.run`
    delete from team_member
    where deployment_id = ${deployment} and team_id = ${team} and account_id <> all(${accounts}::bigint[])`;

export const addProjects = (tx: Tx, { deployment, team }: TeamRef, projects: string[]): Promise<number> =>
  tx.run`
    insert into team_project (deployment_id, team_id, project_id)
    select ${deployment}, ${team}, wanted.id from unnest(${projects}::bigint[]) as wanted (id)
    join project on project.deployment_id = ${deployment} and project.id = wanted.id
    for key share of project
    on conflict do nothing`;

export const removeProjects = (tx: Tx, { deployment, team }: TeamRef, projects: string[]): Promise<number> =>
  tx.run`
    delete from team_project
    where deployment_id = ${deployment} and team_id = ${team} and project_id = any(${projects}::bigint[])`;

export const removeProjectsExcept = (tx: Tx, { deployment, team }: TeamRef, projects: string[]): Promise<number> =>
  tx.run`
    delete from team_project
    where deployment_id = ${deployment} and team_id = ${team} and project_id <> all(${projects}::bigint[])`;
