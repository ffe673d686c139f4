import type { z } from 'zod';
import { count } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Automation } from './shape.ts';

const StoredAutomation = Automation.extend({ lastActionId: count(), version: count() });
export type StoredAutomation = z.output<typeof StoredAutomation>;

/** What a person decides about an automation. */
export type AutomationDefinition = Pick<
  Automation,
  'name' | 'description' | 'active' | 'triggerSource' | 'filters' | 'actions'
> & { lastActionId: number };

const columns: Sql = sql`
  filters, actions, is_active as active, name, description, created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt", id, updated_by as "updatedBy", false as "internalOnly", trigger_source as "triggerSource"`;

const held: Sql = sql`${columns}, last_action_id as "lastActionId", version`;

const MOST_RESTORABLE = 500;
const RESTORABLE = sql`interval '30 days'`;
/** What is deleted is in no list and does nothing. */
const isLive = sql`deleted_at is null`;
const isRecentlyDeleted = sql`deleted_at > now() - ${RESTORABLE}`;

/** The automations of a deployment in the order in which they were made. */
export const list = (tx: Tx, deployment: string): Promise<Automation[]> =>
  tx.all(Automation)`select ${columns} from automation where deployment_id = ${deployment} and ${isLive} order by id`;

/** One page of the same, with one more that tells whether there is another page. */
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

/** The automation, held until the end of the transaction, so that changes to it follow one another. */
export const findForUpdate = (tx: Tx, deployment: string, id: string): Promise<StoredAutomation | undefined> =>
  tx.one(StoredAutomation)`
    select ${held} from automation where deployment_id = ${deployment} and id = ${id} and ${isLive} for update`;

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const [row] = await tx.rows`
    select count(*) as count from automation where deployment_id = ${deployment} and ${isLive}`;
  return Number(row?.['count'] ?? 0);
}

/** Makes an automation; the deployment is locked by the caller, so that ids rise in the order of making. */
export async function insert(
  tx: Tx,
  deployment: string,
  made: AutomationDefinition & { by: string },
): Promise<StoredAutomation> {
  const row = await tx.one(StoredAutomation)`
    insert into automation (deployment_id, name, description, is_active, trigger_source, filters, actions,
                            last_action_id, created_by, updated_by)
    values (${deployment}, ${made.name}, ${made.description}, ${made.active}, ${made.triggerSource},
            ${JSON.stringify(made.filters)}::jsonb, ${JSON.stringify(made.actions)}::jsonb,
            ${made.lastActionId}, ${made.by}, ${made.by})
    returning ${held}`;
  if (!row) throw new Error('An inserted automation was not returned.');
  return row;
}

/** Replaces what was decided; the automation is held by the caller. */
export async function update(
  tx: Tx,
  place: { deployment: string; id: string },
  changed: AutomationDefinition & { by: string },
): Promise<StoredAutomation> {
  const row = await tx.one(StoredAutomation)`
    update automation set name = ${changed.name}, description = ${changed.description}, is_active = ${changed.active},
      trigger_source = ${changed.triggerSource}, filters = ${JSON.stringify(changed.filters)}::jsonb,
      actions = ${JSON.stringify(changed.actions)}::jsonb, last_action_id = ${changed.lastActionId},
      updated_by = ${changed.by}, updated_at = now(), version = version + 1
    where deployment_id = ${place.deployment} and id = ${place.id}
    returning ${held}`;
  if (!row) throw new Error('A held automation was gone.');
  return row;
}

/** Deletes it so that it can be restored; of very many only the last deleted are kept. */
export async function remove(tx: Tx, deployment: string, id: string): Promise<void> {
  await tx.run`
    delete from automation where deployment_id = ${deployment} and id in (
      select id from automation where deployment_id = ${deployment} and deleted_at is not null
      order by deleted_at desc, id desc offset ${MOST_RESTORABLE - 1}::int)`;
  await tx.run`update automation set deleted_at = now() where deployment_id = ${deployment} and id = ${id}`;
}

export async function isRestorable(tx: Tx, deployment: string, id: string): Promise<boolean> {
  const rows = await tx.rows`
    select from automation where deployment_id = ${deployment} and id = ${id} and ${isRecentlyDeleted}`;
  return rows.length === 1;
}

/** Puts a deleted one back as it was; undefined when it is not deleted, or for too long. */
export const restore = (
  tx: Tx,
  place: { deployment: string; id: string },
  by: string,
): Promise<StoredAutomation | undefined> =>
  tx.one(StoredAutomation)`
    update automation set deleted_at = null, updated_by = ${by}, updated_at = now(), version = version + 1
    where deployment_id = ${place.deployment} and id = ${place.id} and ${isRecentlyDeleted}
    returning ${held}`;

/** What was deleted long ago cannot be restored, and goes. */
export const deleteExpired = (tx: Tx): Promise<number> =>
  tx.run`delete from automation where deleted_at <= now() - ${RESTORABLE}`;
