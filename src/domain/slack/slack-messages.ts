import { z } from 'zod';
import { insertDelivery } from '#domain/automations/deliveries/delivery-store.ts';
import type { Tx } from '#kernel/db/tx.ts';

const SentMessage = z.object({
  delivery: z.string(),
  timestamp_id: z.string(),
  scan: z.string().optional(),
  findings: z.array(z.string()),
  open_count: z.number(),
  automations: z.array(z.object({ id: z.string(), name: z.string(), slug: z.string() })),
});

/** A message that was sent. */
export type SentMessage = z.output<typeof SentMessage>;

export const findMessage = (
  tx: Tx,
  { deployment, delivery }: { deployment: string; delivery: string },
): Promise<SentMessage | undefined> =>
  tx.one(SentMessage)`
    select message.delivery_id as delivery, message.timestamp_id, message.scan_id as scan, message.findings,
      message.open_count, coalesce(delivery.subject->'automations', '[]') as automations
    from slack_message as message join delivery on delivery.deployment_id = message.deployment_id
      and delivery.id = message.delivery_id
    where message.deployment_id = ${deployment} and message.delivery_id = ${delivery}`;

const Found = z.object({ delivery: z.string() });

/** The message about the same scan in the channel of a delivery. */
export async function findScanMessage(
  tx: Tx,
  { deployment, delivery, scan }: { deployment: string; delivery: string; scan: string | undefined },
): Promise<SentMessage | undefined> {
  if (scan === undefined) return undefined;
  const found = await tx.one(Found)`
    select message.delivery_id as delivery from slack_message as message
    join delivery on delivery.deployment_id = ${deployment} and delivery.id = ${delivery}
      and delivery.destination_id = message.destination_id
    where message.deployment_id = ${deployment} and message.scan_id = ${scan}`;
  return found && findMessage(tx, { deployment, delivery: found.delivery });
}

/** Remembers a message. A scan of which a message was sent at the same moment keeps the first one. */
export const recordSent = (
  tx: Tx,
  sent: { deployment: string; delivery: string; timestampId: string; openCount: number; at: Date },
): Promise<number> =>
  tx.run`
    insert into slack_message (deployment_id, delivery_id, destination_id, scan_id, project_id, timestamp_id, findings,
      open_count, sent_at)
    select delivery.deployment_id, delivery.id, delivery.destination_id, scan.id, scan.project_id, ${sent.timestampId},
      delivery.findings, ${sent.openCount}, ${sent.at}
    from delivery left join scan on scan.deployment_id = delivery.deployment_id
      and scan.id = (delivery.subject->>'scan')::bigint
    where delivery.deployment_id = ${sent.deployment} and delivery.id = ${sent.delivery}
    on conflict do nothing`;

/** Remembers what an updated message says now. */
export const recordProgress = (
  tx: Tx,
  progress: { deployment: string; delivery: string; message: string; openCount: number },
): Promise<number> =>
  tx.run`
    update slack_message set open_count = ${progress.openCount},
      findings = array(select distinct unnest(slack_message.findings || delivery.findings) order by 1)
    from delivery
    where slack_message.deployment_id = ${progress.deployment} and slack_message.delivery_id = ${progress.message}
      and delivery.deployment_id = ${progress.deployment} and delivery.id = ${progress.delivery}`;

/** Larger messages are summaries of whole projects, of which single fixes are no news. */
const MAX_FOLLOWED_FINDINGS = 1000;
const MAX_MESSAGES = 50;

const Changed = z.object({ delivery: z.string(), destination: z.string() });

/**
 * Updates the messages about findings of a project that were fixed or came back since. One statement finds them; a
 * message has at most one update that waits.
 */
export async function updateMessages(
  tx: Tx,
  { deployment, scan, at }: { deployment: string; scan: string; at: Date },
): Promise<number> {
  const changed = await tx.all(Changed)`
    with followed as materialized (
      select message.delivery_id, message.destination_id, message.findings, message.open_count
      from slack_message as message join scan on scan.deployment_id = ${deployment} and scan.id = ${scan}
        and scan.project_id = message.project_id
      where message.deployment_id = ${deployment} and message.scan_id <> scan.id and message.open_count > 0
        and message.sent_at > ${at}::timestamptz - interval '30 days'
        and cardinality(message.findings) <= ${MAX_FOLLOWED_FINDINGS}::int
      order by message.sent_at desc limit ${MAX_MESSAGES}::int)
    select followed.delivery_id as delivery, followed.destination_id as destination from followed
    where followed.open_count <> (
        select count(*) from unnest(followed.findings) as told (id)
        join finding on finding.deployment_id = ${deployment} and finding.id = told.id
        where finding.state not in ('fixed', 'removed'))
      and not exists (
        select from delivery where delivery.deployment_id = ${deployment} and delivery.kind = 'progress'
          and delivery.destination_id = followed.destination_id and delivery.state = 'waiting'
          and delivery.subject->>'message' = followed.delivery_id::text)
    order by 1`;
  for (const { delivery, destination } of changed)
    await insertDelivery(tx, {
      ...{
        deployment,
        destination,
        kind: 'progress',
        subject: { message: delivery },
        findings: [],
        state: 'waiting',
        at,
      },
    });
  return changed.length;
}

/** Messages are updated for 30 days. */
export const deleteOldMessages = (tx: Tx): Promise<number> =>
  tx.run`delete from slack_message where sent_at < now() - interval '30 days'`;
