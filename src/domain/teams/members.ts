import { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
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

/** The accounts that are not members of the deployment, whether or not they exist elsewhere. */
export async function findUnknownAccounts(tx: Tx, deployment: string, accounts: string[]): Promise<Set<string>> {
  const rows = await tx.all(RowId)`
    select requested.id from unnest(${accounts}::bigint[]) as requested (id)
    where not exists (select from membership where deployment_id = ${deployment} and account_id = requested.id)`;
  return new Set(rows.map(({ id }) => id));
}

/** The projects that do not exist or that the caller may not see. */
export async function findUnknownProjects(tx: Tx, caller: Caller, projects: string[]): Promise<Set<string>> {
  const rows = await tx.all(RowId)`
    select requested.id from unnest(${projects}::bigint[]) as requested (id)
    where not exists (select from project
      where project.deployment_id = ${caller.deployment} and project.id = requested.id
        and ${projectVisibilitySql(caller)})`;
  return new Set(rows.map(({ id }) => id));
}

/** Adds members or changes their roles. An account that is leaving the deployment concurrently is skipped. */
export const addMembers = (tx: Tx, { deployment, team }: TeamRef, memberships: TeamMembership[]): Promise<number> =>
  tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    select ${deployment}, ${team}, requested.account_id, requested.role
    from unnest(${memberships.map(({ account }) => account)}::bigint[], ${memberships.map(({ role }) => role)}::text[])
      as requested (account_id, role)
    join membership on membership.deployment_id = ${deployment} and membership.account_id = requested.account_id
    for key share of membership
    on conflict (deployment_id, team_id, account_id) do update set role = excluded.role`;

const MemberRow = z.object({ account_id: z.string(), role: z.string() });

/** The roles of the direct members by account id. */
export async function listMemberRoles(tx: Tx, { deployment, team }: TeamRef): Promise<Map<string, string>> {
  const rows = await tx.all(MemberRow)`
    select account_id, role from team_member where deployment_id = ${deployment} and team_id = ${team}`;
  return new Map(rows.map(({ account_id, role }) => [account_id, role]));
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
    select ${deployment}, ${team}, requested.id from unnest(${projects}::bigint[]) as requested (id)
    join project on project.deployment_id = ${deployment} and project.id = requested.id
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
