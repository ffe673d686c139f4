import { z } from 'zod';
import { notify } from '#domain/notifications/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { wakeDestinationAt } from './delivery-store.ts';
import type { DeliveryOutcome } from './destination-adapter.ts';
import { type LeasedDestination, renewLease } from './destination-lease.ts';
import { DISABLED_AFTER_MS, isFirstPause, pauseMs, retryDelayMs } from './retry-schedule.ts';

const MAX_ANSWER_LENGTH = 2048;

type Failure = Exclude<DeliveryOutcome, { kind: 'sent' | 'refused' }>;

export interface AttemptRecord {
  delivery: { id: string; attempts: number; parts: number; sentParts: number };
  outcome: DeliveryOutcome;
  at: Date;
  durationMs: number;
  random?: (() => number) | undefined;
  /** The destination rests so long after a success. */
  minIntervalMs?: number | undefined;
}

/** PostgreSQL stores no NUL, and an answer may be cut within a character. */
const storable = (text: string | undefined): string | null =>
  text === undefined ? null : text.slice(0, MAX_ANSWER_LENGTH).toWellFormed().replaceAll('\0', '');

export const insertAttempt = (
  tx: Tx,
  deployment: string,
  { delivery, outcome, at, durationMs }: AttemptRecord,
): Promise<number> =>
  tx.run`
    insert into delivery_attempt (deployment_id, delivery_id, part, at, outcome, status, duration_ms, detail, answer)
    values (${deployment}, ${delivery.id}, ${delivery.sentParts}, ${at}, ${outcome.kind}, ${outcome.status ?? null},
      ${Math.round(durationMs)}, ${outcome.kind === 'sent' ? null : storable(outcome.detail)},
      ${storable(outcome.answer)})`;

/** Records the result of a call: on the delivery, and on the destination, which pauses after failures. */
export async function recordAttempt(tx: Tx, leased: LeasedDestination, record: AttemptRecord): Promise<boolean> {
  await renewLease(tx, leased);
  await insertAttempt(tx, leased.deployment, record);
  if (record.outcome.kind === 'sent') {
    await recordSuccess(tx, leased, record, record.outcome.reference);
    return record.minIntervalMs === undefined;
  }
  if (record.outcome.kind === 'refused') {
    await recordRefusal(tx, leased, record, record.outcome.detail);
    return true;
  }
  return recordFailure(tx, leased, record, record.outcome);
}

async function recordSuccess(
  tx: Tx,
  { deployment, id }: LeasedDestination,
  { delivery, at, minIntervalMs }: AttemptRecord,
  reference: string | undefined,
): Promise<void> {
  const restsUntil = minIntervalMs === undefined ? null : new Date(at.getTime() + minIntervalMs);
  const isComplete = delivery.sentParts + 1 >= delivery.parts;
  // A delivery that was cancelled during the call was sent nevertheless.
  await tx.run`
    update delivery set sent_parts = sent_parts + 1, attempts = 0,
      reference = coalesce(${reference ?? null}, reference),
      state = case when ${isComplete} then 'sent' else state end,
      reason = case when ${isComplete} then null else reason end,
      ended_at = case when ${isComplete} then ${at}::timestamptz end
    where deployment_id = ${deployment} and id = ${delivery.id}`;
  await tx.run`
    update destination set failures = 0, failing_since = null, paused_until = ${restsUntil}, last_success_at = ${at}
    where deployment_id = ${deployment} and id = ${id}`;
}

/** The destination works, but not for this delivery: trying again makes no sense until somebody changed something. */
async function recordRefusal(
  tx: Tx,
  { deployment }: LeasedDestination,
  { delivery, at }: AttemptRecord,
  detail: string,
): Promise<void> {
  await tx.run`
    update delivery set attempts = attempts + 1, state = 'failed', reason = ${storable(detail)}, ended_at = ${at}
    where deployment_id = ${deployment} and id = ${delivery.id} and state = 'waiting'`;
}

interface FailingDestination {
  failures: number;
  isDisabled: boolean;
}

/** False when the destination must not be called again now. */
async function recordFailure(
  tx: Tx,
  leased: LeasedDestination,
  { delivery, at, random }: AttemptRecord,
  outcome: Failure,
): Promise<boolean> {
  const { deployment, id } = leased;
  const asked = outcome.kind === 'failed' ? outcome.retryAfterMs : undefined;
  const attempts = delivery.attempts + 1;
  const isSecondUnclear = outcome.kind === 'unclear' && (await hasEarlierUnclear(tx, leased, delivery));
  const delayMs = isSecondUnclear ? undefined : retryDelayMs(attempts, { retryAfterMs: asked, random });
  const reason = isSecondUnclear ? `${outcome.detail} It may have arrived, so it is not sent again.` : outcome.detail;
  const nextAt = new Date(at.getTime() + (delayMs ?? 0));
  await tx.run`
    update delivery set attempts = ${attempts}, reason = ${storable(reason)}, next_at = ${nextAt},
      state = case when ${delayMs === undefined} then 'failed' else state end,
      ended_at = case when ${delayMs === undefined} then ${at}::timestamptz end
    where deployment_id = ${deployment} and id = ${delivery.id} and state = 'waiting'`;
  const ref = { deployment, destination: id };
  if (delayMs !== undefined) await wakeDestinationAt(tx, ref, nextAt);
  const { failures, isDisabled } = await countFailure(tx, leased, at, outcome);
  const pause = pauseMs(failures, asked);
  if (pause > 0) {
    const until = new Date(at.getTime() + pause);
    await tx.run`update destination set paused_until = ${until} where deployment_id = ${deployment} and id = ${id}`;
    await wakeDestinationAt(tx, ref, until);
  }
  if (isDisabled) await tellOwners(tx, leased, `was disabled: ${outcome.detail}`);
  else if (isFirstPause(failures)) await tellOwners(tx, leased, `fails repeatedly: ${outcome.detail}`);
  return !isDisabled && pause === 0;
}

const Earlier = z.object({ count: z.coerce.number() });

/** True if an earlier attempt of the part may have arrived. The current attempt is recorded already. */
async function hasEarlierUnclear(
  tx: Tx,
  { deployment }: LeasedDestination,
  { id, sentParts, attempts }: AttemptRecord['delivery'],
): Promise<boolean> {
  const row = await tx.one(Earlier)`
    select count(*) as count from (
      select outcome from delivery_attempt
      where deployment_id = ${deployment} and delivery_id = ${id} and part = ${sentParts}
      order by id desc limit ${attempts + 1}::int) as attempt
    where outcome = 'unclear'`;
  return (row?.count ?? 0) > 1;
}

async function countFailure(
  tx: Tx,
  { deployment, id }: LeasedDestination,
  at: Date,
  outcome: Failure,
): Promise<FailingDestination> {
  const longAgo = new Date(at.getTime() - DISABLED_AFTER_MS);
  const isGone = outcome.kind === 'disabled';
  const [row] = await tx.rows`
    update destination set failures = failures + 1, failing_since = coalesce(failing_since, ${at}),
      last_failure_at = ${at}, last_failure = ${storable(outcome.detail)},
      state = case when ${isGone} or failing_since < ${longAgo} then 'disabled' else state end,
      state_reason = case when ${isGone} then ${storable(outcome.detail)}
        when failing_since < ${longAgo} then 'It failed for five days.' else state_reason end
    where deployment_id = ${deployment} and id = ${id}
    returning failures, state`;
  return { failures: Number(row?.['failures'] ?? 0), isDisabled: row?.['state'] === 'disabled' };
}

/** Without this nobody would know: a destination that gets nothing does not complain. */
const tellOwners = (tx: Tx, { deployment, name }: LeasedDestination, what: string): Promise<string> =>
  notify(tx, {
    deployment,
    isAdminOnly: true,
    severity: 'SEVERITY_ERROR',
    title: `${name} ${what}`.slice(0, 200),
    description:
      'What automations send there waits. Correct the address or the receiver: then it is sent in order, and what ' +
      'failed for good can be replayed.',
  });
