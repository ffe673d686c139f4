import { z } from 'zod';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { insertDelivery } from '../deliveries/delivery-store.ts';
import { deliveryOf, type PlannedAction } from './fired-run.ts';
import { MAX_MESSAGES_PER_WINDOW, WINDOW_MS } from './flood-gates.ts';

const RecentMessages = z.object({ count: z.coerce.number(), first_at: z.string().optional() });

/** Adds findings and an automation to a message that has not been sent yet; false if there is none. */
async function extendMessage(
  tx: Tx,
  { deployment, destination, findings, automation, batch }: PlannedAction,
  kind: 'findings' | 'digest',
): Promise<boolean> {
  const added = JSON.stringify([{ id: automation.id, name: automation.name, slug: automation.slug }]);
  const rows = await tx.all(RowId)`
    update delivery set
      findings = array(select distinct unnest(delivery.findings || ${findings}::bigint[]) order by 1),
      subject = jsonb_set(subject, '{automations}', coalesce(subject->'automations', '[]') || case
        when subject->'automations' @> ${added}::jsonb then '[]' else ${added}::jsonb end)
    where deployment_id = ${unestimated(deployment)} and id = (
      select id from delivery
      where deployment_id = ${unestimated(deployment)} and destination_id = ${destination} and state = 'waiting'
        and parts is null and kind = ${kind} and (kind = 'digest' or subject->>'batch' = ${batch ?? ''})
      order by id desc limit 1 for update)
      and state = 'waiting' and parts is null
    returning id`;
  return rows.length > 0;
}

/**
 * Sends one message to people: automations that fire for the same batch share it, and too many messages within a window
 * become one digest at its end.
 */
export async function sendToPeople(tx: Tx, planned: PlannedAction): Promise<Record<string, number>> {
  const { deployment, destination, action, subject, at, holdReason } = planned;
  if (holdReason !== undefined) {
    await insertDelivery(tx, deliveryOf(planned, { action, destination, subject, state: 'held', reason: holdReason }));
    return {};
  }
  if (await extendMessage(tx, planned, 'findings')) return {};
  const recent = await tx.one(RecentMessages)`
    select count(*) as count, min(created_at) as first_at from delivery
    where deployment_id = ${unestimated(deployment)} and destination_id = ${destination} and kind = 'findings'
      and state in ('waiting', 'sent') and created_at > ${new Date(at.getTime() - WINDOW_MS)}`;
  if ((recent?.count ?? 0) < MAX_MESSAGES_PER_WINDOW) {
    await insertDelivery(tx, deliveryOf(planned, { action, destination, subject, state: 'waiting' }));
    return {};
  }
  if (await extendMessage(tx, planned, 'digest')) return { digest: planned.findings.length };
  const nextAt = new Date(Date.parse(recent?.first_at ?? '') + WINDOW_MS);
  await insertDelivery(
    tx,
    deliveryOf(planned, { action, destination, subject, kind: 'digest', state: 'waiting', nextAt }),
  );
  return { digest: planned.findings.length };
}
