import type { z } from 'zod';
import { count } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Automation } from './shape.ts';

const StoredAutomation = Automation.extend({ lastActionId: count(), version: count() });
export type StoredAutomation = z.output<typeof StoredAutomation>;

/** The fields of an automation that users set. */
export type AutomationDefinition = Pick<
  Automation,
  'name' | 'description' | 'active' | 'triggerSource' | 'filters' | 'actions'
> & { lastActionId: number };

const columns: Sql = sql`
  filters, actions, is_active as active, name, description, created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt", id, updated_by as "updatedBy", false as "internalOnly", trigger_source as "triggerSource"`;

const storedColumns: Sql = sql`${columns}, last_action_id as "lastActionId", version`;

const MAX_RESTORABLE = 500;
const RESTORABLE = sql`interval '30 days'`;
/** Deleted automations are not listed and do not run. */
const isLive = sql`deleted_at is null`;
const isRecentlyDeleted = sql`deleted_at > now() - ${RESTORABLE}`;

/** The automations of a deployment, in order of creation. */
export const list = (tx: Tx, deployment: string): Promise<Automation[]> =>
  tx.all(Automation)`select ${columns} from automation where deployment_id = ${deployment} and ${isLive} order by id`;

/** One page of the automations, and one more row that tells whether there is a next page. */
export const listPage = (tx: Tx, deployment: string, { after, limit }: PageWindow): Promise<Automation[]> =>
  tx.all(Automation)`
    select ${columns} from automation
    where deployment_id = ${deployment} and ${isLive} ${after ? sql`and id > ${after[0]}::bigint` : emptySql}
    order by id limit ${limit + 1}`;

export async function exists(tx: Tx, deployment: string, id: string): Promise<boolean> {
  const rows = await tx.rows`
    select from automation where deployment_id = ${deployment} and id = ${id} and ${isLive}`;
  return rows.length === 1;
}

/** The automation, locked until the end of the transaction. */
export const findForUpdate = (tx: Tx, deployment: string, id: string): Promise<StoredAutomation | undefined> =>
  tx.one(StoredAutomation)`
    select ${storedColumns} from automation
    where deployment_id = ${deployment} and id = ${id} and ${isLive} for update`;

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*) as count from automation where deployment_id = ${deployment} and ${isLive}`;
  return row?.count ?? 0;
}

/** Inserts an automation. The caller has locked the deployment, so that ids follow the order of creation. */
export async function insert(
  tx: Tx,
  deployment: string,
  definition: AutomationDefinition & { by: string },
): Promise<StoredAutomation> {
  const row = await tx.one(StoredAutomation)`
    insert into automation (deployment_id, name, description, is_active, trigger_source, filters, actions,
                            last_action_id, created_by, updated_by)
    values (${deployment}, ${definition.name}, ${definition.description}, ${definition.active},
            ${definition.triggerSource},
            ${JSON.stringify(definition.filters)}::jsonb, ${JSON.stringify(definition.actions)}::jsonb,
            ${definition.lastActionId}, ${definition.by}, ${definition.by})
    returning ${storedColumns}`;
  if (!row) throw new Error('An inserted automation was not returned.');
  return row;
}

/** Replaces the definition. The caller has locked the automation. */
export async function update(
  tx: Tx,
  ref: { deployment: string; id: string },
  definition: AutomationDefinition & { by: string },
): Promise<StoredAutomation> {
  const row = await tx.one(StoredAutomation)`
    update automation set name = ${definition.name}, description = ${definition.description},
      is_active = ${definition.active},
      trigger_source = ${definition.triggerSource}, filters = ${JSON.stringify(definition.filters)}::jsonb,
      actions = ${JSON.stringify(definition.actions)}::jsonb, last_action_id = ${definition.lastActionId},
      updated_by = ${definition.by}, updated_at = now(), version = version + 1
    where deployment_id = ${ref.deployment} and id = ${ref.id}
    returning ${storedColumns}`;
  if (!row) throw new Error('A locked automation was not updated.');
  return row;
}

/** Marks it as deleted, so that it can be restored. Only the last deleted automations are kept. */
export async function remove(tx: Tx, deployment: string, id: string): Promise<void> {
  await tx.run`
    delete from automation where deployment_id = ${deployment} and id in (
      select id from automation where deployment_id = ${deployment} and deleted_at is not null
      order by deleted_at desc, id desc offset ${MAX_RESTORABLE - 1}::int)`;
  await tx.run`update automation set deleted_at = now() where deployment_id = ${deployment} and id = ${id}`;
}

export async function isRestorable(tx: Tx, deployment: string, id: string): Promise<boolean> {
  const rows = await tx.rows`
    select from automation where deployment_id = ${deployment} and id = ${id} and ${isRecentlyDeleted}`;
  return rows.length === 1;
}

/** Restores a deleted automation; undefined if it is not deleted, or was deleted too long ago. */
export const restore = (
  tx: Tx,
  ref: { deployment: string; id: string },
  by: string,
): Promise<StoredAutomation | undefined> =>
  tx.one(StoredAutomation)`
    update automation set deleted_at = null, updated_by = ${by}, updated_at = now(), version = version + 1
    where deployment_id = ${ref.deployment} and id = ${ref.id} and ${isRecentlyDeleted}
    returning ${storedColumns}`;

/** Deletes the automations that can no longer be restored. */
export const deleteExpired = (tx: Tx): Promise<number> =>
  tx.run`delete from automation where deleted_at <= now() - ${RESTORABLE}`;
