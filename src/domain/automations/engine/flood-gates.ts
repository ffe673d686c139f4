import { z } from 'zod';
import { notify } from '#domain/notifications/store.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { StoredAutomation } from '../store.ts';

/** More matches than this in one run are told to people as a summary, and open no tickets. */
export const MANY_MATCHES = 200;
export const MAX_TICKETS_PER_RUN = 20;
export const MAX_OPEN_TICKETS = 100;

/** More messages than this to one destination within the window become one digest. */
export const MAX_MESSAGES_PER_WINDOW = 10;
export const WINDOW_MS = 15 * 60_000;

const MAX_HOURLY_MATCHES = 1000;
const MEDIANS = 20;
const HOUR_MS = 3_600_000;

const HourlyMatches = z.object({ recent: z.coerce.number(), median: z.coerce.number().default(0) });

/**
 * True if earlier runs of the hour matched far more than is usual for this automation. The run that exceeds the limit
 * is not held: its findings are one message.
 */
export async function isRunaway(
  tx: Tx,
  { deployment, automation, run, at }: { deployment: string; automation: string; run: string; at: Date },
): Promise<boolean> {
  const row = await tx.one(HourlyMatches)`
    select coalesce((select sum(matched) from automation_run
        where deployment_id = ${unestimated(deployment)} and automation_id = ${automation} and id <> ${run}
          and cause = 'batch'
          and at > ${new Date(at.getTime() - HOUR_MS)}), 0) as recent,
      (select percentile_cont(0.5) within group (order by matched) from (
        select sum(matched) as matched from automation_run
        where deployment_id = ${unestimated(deployment)} and automation_id = ${automation} and id <> ${run}
          and matched > 0
          and at > ${at}::timestamptz - interval '30 days' and at <= ${new Date(at.getTime() - HOUR_MS)}
        group by date_trunc('hour', at)) as hourly) as median`;
  return row !== undefined && row.recent > Math.max(MAX_HOURLY_MATCHES, MEDIANS * row.median);
}

const Told = z.object({ is_told: z.boolean() });

/** Tells the administrators once an hour that deliveries of an automation are held. */
export async function tellOfRunaway(
  tx: Tx,
  { deployment, automation, at }: { deployment: string; automation: StoredAutomation; at: Date },
): Promise<void> {
  const row = await tx.one(Told)`
    select exists (select from automation_run
      where deployment_id = ${unestimated(deployment)} and automation_id = ${automation.id}
        and at > ${new Date(at.getTime() - HOUR_MS)} and suppressed ? 'flood') as is_told`;
  if (row?.is_told) return;
  await notify(tx, {
    deployment,
    isAdminOnly: true,
    severity: 'SEVERITY_WARNING',
    title: `${automation.name} matches unusually much`,
    description:
      'It matched far more findings within an hour than usual, so its deliveries are held. Check its conditions, and ' +
      'then release or dismiss what is held.',
  });
}
