import { z } from 'zod';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type AutomationDefinition, MAX_RESTORABLE, StoredAutomation, storedColumns } from './store.ts';

/** Reads and writes many automations at once, for the bundle of remediation policies. */

/** The automations of users that run after scans; `isLocked` locks them until the end of the transaction. */
export const listAfterScans = (tx: Tx, deployment: string, isLocked: boolean): Promise<StoredAutomation[]> =>
  tx.all(StoredAutomation)`
    select ${storedColumns} from automation
    where deployment_id = ${deployment} and origin = 'user' and deleted_at is null
      and trigger_source = 'TRIGGER_SOURCE_SCAN'
    order by slug collate "C" ${isLocked ? sql`for no key update` : emptySql}`;

const TakenSlug = z.object({
  slug: z.string(),
  id: z.string(),
  isOfUser: z.boolean(),
  isDeleted: z.boolean(),
  lastActionId: z.coerce.number(),
});
export type TakenSlug = z.output<typeof TakenSlug>;

/** The slugs of all automations of all origins, also of deleted ones. */
export const listSlugs = (tx: Tx, deployment: string): Promise<TakenSlug[]> =>
  tx.all(TakenSlug)`
    select slug, id, origin = 'user' as "isOfUser", deleted_at is not null as "isDeleted",
      last_action_id as "lastActionId"
    from automation where deployment_id = ${deployment}`;

/** An automation to write; with an id, that automation is replaced, and restored if it is deleted. */
export interface PolicyToWrite extends Omit<AutomationDefinition, 'triggerSource'> {
  id?: string | undefined;
  slug: string;
}

const written = (policies: readonly PolicyToWrite[]) => sql`
  jsonb_to_recordset(${JSON.stringify(policies)}::jsonb) as given (
    id bigint, slug text, name text, description text, active boolean, filters jsonb, actions jsonb,
    "lastActionId" bigint)`;

export async function insertPolicies(
  tx: Tx,
  { deployment, by }: { deployment: string; by: string },
  policies: readonly PolicyToWrite[],
): Promise<void> {
  await tx.run`
    insert into automation (deployment_id, slug, origin, name, description, mode, trigger_source, filters, actions,
                            last_action_id, created_by, updated_by)
    select ${deployment}, slug, 'user', name, description, case when active then 'live' else 'paused' end,
      'TRIGGER_SOURCE_SCAN', filters, actions, "lastActionId", ${by}, ${by}
    from ${written(policies)} order by slug`;
}

export async function replacePolicies(
  tx: Tx,
  { deployment, by }: { deployment: string; by: string },
  policies: readonly PolicyToWrite[],
): Promise<void> {
  await tx.run`
    update automation set name = given.name, description = given.description, trigger_source = 'TRIGGER_SOURCE_SCAN',
      mode = case when not given.active then 'paused' when mode = 'paused' then 'live' else mode end,
      pause_reason = case when not given.active then pause_reason end, filters = given.filters,
      actions = given.actions, last_action_id = given."lastActionId", updated_by = ${by}, updated_at = now(),
      version = version + 1, deleted_at = null
    from ${written(policies)} where automation.deployment_id = ${deployment} and automation.id = given.id`;
}

/** Marks them as deleted, so that they can be restored. Only the last deleted automations are kept. */
export async function removePolicies(tx: Tx, deployment: string, ids: readonly string[]): Promise<void> {
  await tx.run`
    update automation set deleted_at = now() where deployment_id = ${deployment} and id = any(${ids}::bigint[])`;
  await tx.run`
    delete from automation where deployment_id = ${deployment} and id in (
      select id from automation where deployment_id = ${deployment} and deleted_at is not null
      order by deleted_at desc, id desc offset ${MAX_RESTORABLE}::int)`;
}
