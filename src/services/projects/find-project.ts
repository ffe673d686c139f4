import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ObjectLoader } from '#kernel/http/pipeline/group.ts';

const IdRow = z.object({ id: z.string() });

async function find(tx: Tx, caller: Caller, condition: Sql): Promise<string | undefined> {
  const row = await tx.one(IdRow)`
    select id from project
    where project.deployment_id = ${caller.deployment} and ${condition} and ${projectVisibilitySql(caller)}`;
  return row?.id;
}

/** The id of the project with this name, ignoring case, if it is visible to the caller. */
export const findByName = (tx: Tx, caller: Caller, name: string): Promise<string | undefined> =>
  find(tx, caller, sql`project.name_key = ${nameKey(name)}`);

const findById = (tx: Tx, caller: Caller, id: string): Promise<string | undefined> =>
  find(tx, caller, sql`project.id = ${id}`);

/** Tries the id first, because a name may consist of digits. */
export async function findByIdOrName(tx: Tx, caller: Caller, text: string): Promise<string | undefined> {
  const byId = isInt64(text) ? await findById(tx, caller, text) : undefined;
  return byId ?? findByName(tx, caller, text);
}

const permissionsIfFound = (id: string | undefined) => (id === undefined ? undefined : new Set<string>());

export const loadByName: ObjectLoader = async (tx, { caller, id }) =>
  permissionsIfFound(await findByName(tx, caller, id));
export const loadById: ObjectLoader = async (tx, { caller, id }) => permissionsIfFound(await findById(tx, caller, id));
export const loadByIdOrName: ObjectLoader = async (tx, { caller, id }) =>
  permissionsIfFound(await findByIdOrName(tx, caller, id));
