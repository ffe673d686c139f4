import type { z } from 'zod';
import { reachableTeams, teamVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount, RowId } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { SavedView } from './contract.ts';

type SavedViewRow = z.output<typeof SavedView>;

/** A condition on `view`: it is the caller's own, or shared with a team of theirs. */
const isVisible = (caller: Caller): Sql => sql`view.deployment_id = ${caller.deployment}
  and (view.account_id = ${caller.userId}::bigint
    or view.team_id in (select reach.team_id from (${reachableTeams(caller)}) as reach))`;

const selectFor = (caller: Caller): Sql => sql`
  select view.id, view.name, view.search, account.name as owner,
    view.account_id = ${caller.userId}::bigint as "isOwn", pin.view_id is not null as "isPinned",
    team.id as "teamId", team.name as "teamName"
  from saved_view as view join account on account.id = view.account_id
  left join team on team.deployment_id = view.deployment_id and team.id = view.team_id
  left join saved_view_pin as pin on pin.deployment_id = view.deployment_id and pin.view_id = view.id
    and pin.account_id = ${caller.userId}::bigint`;

export const listViews = (tx: Tx, caller: Caller, { after, limit }: PageWindow): Promise<SavedViewRow[]> =>
  tx.all(SavedView)`
    ${selectFor(caller)} where ${isVisible(caller)} ${after ? sql`and view.id > ${after[0]}::bigint` : emptySql}
    order by view.id limit ${limit + 1}`;

export const findView = (tx: Tx, caller: Caller, id: string): Promise<SavedViewRow | undefined> =>
  tx.one(SavedView)`${selectFor(caller)} where ${isVisible(caller)} and view.id = ${id}`;

export async function countOwnViews(tx: Tx, caller: Caller): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::int as count from saved_view
    where deployment_id = ${caller.deployment} and account_id = ${caller.userId}::bigint`;
  return row?.count ?? 0;
}

/** Whether the caller may share with the team. */
export async function isTeamVisible(tx: Tx, caller: Caller, team: string): Promise<boolean> {
  const rows = await tx.rows`
    select from team where team.deployment_id = ${caller.deployment} and team.id = ${team}::bigint
      and ${teamVisibilitySql(caller)}`;
  return rows.length > 0;
}

export interface NewView {
  name: string;
  search: string;
  team: string | undefined;
  at: Date;
}

export async function insertView(tx: Tx, caller: Caller, { name, search, team, at }: NewView): Promise<string> {
  const row = await tx.one(RowId)`
    insert into saved_view (deployment_id, account_id, team_id, name, search, created_at)
    values (${caller.deployment}, ${caller.userId}, ${team ?? null}, ${name}, ${search}, ${at}) returning id`;
  if (!row) throw new Error('The view was not stored.');
  return row.id;
}

/** Writes all fields of a view. */
export const saveView = (
  tx: Tx,
  caller: Caller,
  { id, name, search, team }: Omit<NewView, 'at'> & { id: string },
): Promise<number> =>
  tx.run`
    update saved_view set name = ${name}, search = ${search}, team_id = ${team ?? null}::bigint
    where deployment_id = ${caller.deployment} and id = ${id} and account_id = ${caller.userId}::bigint`;

export const deleteView = (tx: Tx, caller: Caller, id: string): Promise<number> =>
  tx.run`
    delete from saved_view
    where deployment_id = ${caller.deployment} and id = ${id} and account_id = ${caller.userId}::bigint`;

export const pinView = (tx: Tx, caller: Caller, id: string): Promise<number> =>
  tx.run`
    insert into saved_view_pin (deployment_id, account_id, view_id)
    values (${caller.deployment}, ${caller.userId}, ${id}) on conflict do nothing`;

export const unpinView = (tx: Tx, caller: Caller, id: string): Promise<number> =>
  tx.run`
    delete from saved_view_pin
    where deployment_id = ${caller.deployment} and account_id = ${caller.userId}::bigint and view_id = ${id}`;

export async function viewExists(tx: Tx, deployment: string, id: string): Promise<boolean> {
  const rows = await tx.rows`select from saved_view where deployment_id = ${deployment} and id = ${id}`;
  return rows.length > 0;
}
