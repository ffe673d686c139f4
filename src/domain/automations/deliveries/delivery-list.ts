import { z } from 'zod';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { AutomationActivity, Delivery, DeliveryAttempt } from './delivery-shape.ts';

const columns: Sql = sql`
  delivery.id, delivery.destination_id as "destinationId", coalesce(destination.name, '') as "destinationName",
  delivery.automation_id as "automationId", delivery.action_type as "actionType", delivery.run_id as "runId",
  delivery.kind, cardinality(delivery.findings) as "findingCount", delivery.state,
  coalesce(delivery.reason, '') as reason, coalesce(delivery.changed_by, '') as "changedBy", delivery.attempts,
  delivery.replays, delivery.parts, delivery.sent_parts as "sentParts", coalesce(delivery.reference, '') as reference,
  delivery.created_at as "createdAt", case when delivery.state = 'waiting' then delivery.next_at end as "nextAt",
  delivery.ended_at as "endedAt"`;

const source = sql`delivery left join destination on destination.deployment_id = delivery.deployment_id
  and destination.id = delivery.destination_id`;

export interface DeliveryFilter {
  states?: readonly string[] | undefined;
  automation?: string | undefined;
  destination?: string | undefined;
  run?: string | undefined;
  since?: Date | undefined;
}

/** Deliveries, newest first, and one more that tells whether there is a next page. */
export const listDeliveries = (
  tx: Tx,
  deployment: string,
  { states = [], automation, destination, run, since }: DeliveryFilter,
  { after, limit }: PageWindow,
): Promise<Delivery[]> =>
  tx.all(Delivery)`
    select ${columns} from ${source}
    where delivery.deployment_id = ${deployment}
      ${states.length > 0 ? sql`and delivery.state = any(${states}::text[])` : emptySql}
      ${automation === undefined ? emptySql : sql`and delivery.automation_id = ${automation}`}
      ${destination === undefined ? emptySql : sql`and delivery.destination_id = ${destination}`}
      ${run === undefined ? emptySql : sql`and delivery.run_id = ${run}`}
      ${since === undefined ? emptySql : sql`and delivery.created_at > ${since}`}
      ${after ? sql`and delivery.id < ${after[0]}::bigint` : emptySql}
    order by delivery.id desc limit ${limit + 1}`;

export const findDelivery = (tx: Tx, deployment: string, delivery: string): Promise<Delivery | undefined> =>
  tx.one(Delivery)`
    select ${columns} from ${source} where delivery.deployment_id = ${deployment} and delivery.id = ${delivery}`;

const MAX_ATTEMPTS = 100;

export const listAttempts = (tx: Tx, deployment: string, delivery: string): Promise<DeliveryAttempt[]> =>
  tx.all(DeliveryAttempt)`
    select at, part, outcome, coalesce(status, 0) as status, duration_ms as "durationMs",
      coalesce(detail, '') as detail, coalesce(answer, '') as answer
    from delivery_attempt where deployment_id = ${deployment} and delivery_id = ${delivery}
    order by id desc limit ${MAX_ATTEMPTS}::int`;

const Body = z.object({ body: z.string() });
const MAX_BODIES = 20;

/** The first bodies of a delivery. */
export async function listBodies(tx: Tx, deployment: string, delivery: string): Promise<string[]> {
  const rows = await tx.all(Body)`
    select body from delivery_body where deployment_id = ${deployment} and delivery_id = ${delivery}
    order by part limit ${MAX_BODIES}::int`;
  return rows.map(({ body }) => body);
}

const FindingIds = z.object({ ids: z.array(z.string()) });
const MAX_FINDING_IDS = 100;

/** The first findings of a delivery. */
export async function listDeliveredFindings(tx: Tx, deployment: string, delivery: string): Promise<string[]> {
  const row = await tx.one(FindingIds)`
    select findings[1:${MAX_FINDING_IDS}::int]::text[] as ids from delivery
    where deployment_id = ${deployment} and id = ${delivery}`;
  return row?.ids ?? [];
}

const MAX_REPLAYED = 1000;
const DeliveryId = z.object({ id: z.string() });

/** The deliveries to a destination that failed for good since a moment, oldest first. */
export async function failedSince(
  tx: Tx,
  deployment: string,
  { destination, since }: { destination: string; since: Date },
): Promise<string[]> {
  const rows = await tx.all(DeliveryId)`
    select id from delivery
    where deployment_id = ${deployment} and destination_id = ${destination} and state = 'failed'
      and created_at >= ${since}
    order by id limit ${MAX_REPLAYED}::int`;
  return rows.map(({ id }) => id);
}

/** What all automations did since a moment, with one statement. */
export const listActivities = (
  tx: Tx,
  deployment: string,
  { since, now }: { since: Date; now: Date },
): Promise<AutomationActivity[]> =>
  tx.all(AutomationActivity)`
    with daily as (
      select automation_id, floor(extract(epoch from ${now}::timestamptz - created_at) / 86400)::integer as "daysAgo",
        count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'held') as held,
        count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'skipped') as skipped, count(*) filter (where state = 'would') as would
      from delivery where deployment_id = ${deployment} and created_at > ${since} and automation_id is not null
      group by 1, 2),
    delivered as (
      select automation_id, sum(sent) as sent, sum(held) as held, sum(failed) as failed, sum(waiting) as waiting,
        sum(skipped) as skipped, sum(would) as would,
        jsonb_agg(jsonb_build_object('daysAgo', greatest("daysAgo", 0), 'sent', sent,
          'held', held, 'failed', failed) order by "daysAgo") as days
      from daily group by automation_id)
    select automation.id as "automationId", automation.slug, automation.mode,
      coalesce(automation.pause_reason, '') as "pauseReason", last.at as "lastRunAt", matched.at as "lastMatchedAt",
      coalesce(last.failure, '') as "lastFailure", coalesce(sent, 0) as sent, coalesce(held, 0) as held,
      coalesce(failed, 0) as failed, coalesce(waiting, 0) as waiting, coalesce(skipped, 0) as skipped,
      coalesce(would, 0) as would, coalesce(days, '[]') as days
    from automation
    left join delivered on delivered.automation_id = automation.id
    left join lateral (select at, failure from automation_run
      where automation_run.deployment_id = ${deployment} and automation_run.automation_id = automation.id
      order by id desc limit 1) as last on true
    left join lateral (select at from automation_run
      where automation_run.deployment_id = ${deployment} and automation_run.automation_id = automation.id
        and matched > 0 order by id desc limit 1) as matched on true
    where automation.deployment_id = ${deployment} and automation.deleted_at is null and automation.origin = 'user'
    order by automation.id`;
