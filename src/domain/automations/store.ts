import { z } from 'zod';
import { numberedSlug, slugOf } from '#domain/deployments/rules.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Automation, AutomationMode, type AutomationTriggerSource } from './shape.ts';

export const StoredAutomation = Automation.extend({
  lastActionId: count(),
  version: count(),
  slug: z.string(),
  mode: AutomationMode,
});
export type StoredAutomation = z.output<typeof StoredAutomation>;

/** The fields of an automation that users set. */
export type AutomationDefinition = Pick<
  Automation,
  'name' | 'description' | 'active' | 'triggerSource' | 'filters' | 'actions'
> & { lastActionId: number };

/** What an automation belongs to; services show only their own. */
export type AutomationOrigin = 'user' | 'notification_rule';

const columns: Sql = sql`
  filters, actions, mode <> 'paused' as active, name, description, created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt", id, updated_by as "updatedBy", origin <> 'user' as "internalOnly",
  trigger_source as "triggerSource"`;

export const storedColumns: Sql = sql`${columns}, last_action_id as "lastActionId", version, slug, mode`;

export const MAX_RESTORABLE = 500;
const RESTORABLE = sql`interval '30 days'`;
/** Deleted automations are not listed and do not run; those of other origins have services of their own. */
const isLive = sql`deleted_at is null and origin = 'user'`;
const isRecentlyDeleted = sql`deleted_at > now() - ${RESTORABLE} and origin = 'user'`;

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

const SlugRow = z.object({ slug: z.string() });

/** A slug that no automation has or had. The caller has locked the deployment. */
async function freeSlug(tx: Tx, deployment: string, name: string): Promise<string> {
  const base = slugOf(name);
  const rows = await tx.all(SlugRow)`
    select slug from automation where deployment_id = ${deployment} and starts_with(slug, ${base.slice(0, 32)})`;
  const taken = new Set(rows.map(({ slug }) => slug));
  let number = 1;
  while (taken.has(numberedSlug(base, number))) number += 1;
  return numberedSlug(base, number);
}

/** Inserts an automation. The caller has locked the deployment, so that ids follow the order of creation. */
export async function insert(
  tx: Tx,
  deployment: string,
  definition: AutomationDefinition & { by: string; origin?: AutomationOrigin },
): Promise<StoredAutomation> {
  const slug = await freeSlug(tx, deployment, definition.name);
  const row = await tx.one(StoredAutomation)`
    insert into automation (deployment_id, slug, origin, name, description, mode, trigger_source, filters, actions,
                            last_action_id, created_by, updated_by)
    values (${deployment}, ${slug}, ${definition.origin ?? 'user'}, ${definition.name}, ${definition.description},
            ${definition.active ? 'live' : 'paused'}, ${definition.triggerSource},
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
      mode = case when not ${definition.active} then 'paused' when mode = 'paused' then 'live' else mode end,
      pause_reason = case when not ${definition.active} then pause_reason end,
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

/** The automations of a trigger that are not paused, of all origins. */
export const listRunnable = (
  tx: Tx,
  deployment: string,
  trigger: AutomationTriggerSource,
): Promise<StoredAutomation[]> =>
  tx.all(StoredAutomation)`
    select ${storedColumns} from automation
    where deployment_id = ${deployment} and deleted_at is null and trigger_source = ${trigger} and mode <> 'paused'
    order by id`;

/** The automation of any origin, unless it is deleted. */
export const find = (tx: Tx, deployment: string, id: string): Promise<StoredAutomation | undefined> =>
  tx.one(StoredAutomation)`
    select ${storedColumns} from automation
    where deployment_id = ${deployment} and id = ${id} and deleted_at is null`;

/** Changes only the mode. The caller has locked the automation. */
export const setMode = (
  tx: Tx,
  ref: { deployment: string; id: string },
  { mode, by, reason }: { mode: AutomationMode; by: string; reason?: string },
): Promise<number> =>
  tx.run`
    update automation set mode = ${mode}, pause_reason = ${reason ?? null}, updated_by = ${by}, updated_at = now(),
      version = version + 1
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;

const PausedAutomation = z.object({ id: z.string(), name: z.string() });

/** Pauses the automations with an action of this configuration; returns them. */
export const pauseDependents = (
  tx: Tx,
  deployment: string,
  {
    actions,
    keys,
    values,
    by,
    reason,
  }: {
    actions: readonly string[];
    keys: readonly string[];
    values: readonly string[];
    by: string;
    reason: string;
  },
): Promise<z.output<typeof PausedAutomation>[]> =>
  tx.all(PausedAutomation)`
    update automation set mode = 'paused', pause_reason = ${reason}, updated_by = ${by}, updated_at = now(),
      version = version + 1
    where deployment_id = ${deployment} and deleted_at is null and mode <> 'paused' and exists (
      select from jsonb_array_elements(actions) as action
      where action->>'type' = any(${actions}::text[]) and exists (
        select from unnest(${keys}::text[]) as name where action->'config'->>name = any(${values}::text[])))
    returning id, name`;
