import { z } from 'zod';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { insertDelivery } from '../deliveries/delivery-store.ts';
import { deliveryOf, isOverwhelming, type PlannedAction } from './fired-run.ts';
import { MAX_OPEN_TICKETS, MAX_TICKETS_PER_RUN } from './flood-gates.ts';

/** A ticket has at most so many findings. */
const MAX_FINDINGS_PER_TICKET = 75;

const Group = z.object({
  project: z.string(),
  rule: z.string(),
  findings: z.array(z.string()),
  open: z.coerce.number(),
});

/** The findings by project and rule, worst first, with the number of tickets that the automation opened there. */
const groupsOf = (tx: Tx, { deployment, findings, automation }: PlannedAction) =>
  tx.all(Group)`
    select grouped.project_id as project, grouped.rule, grouped.findings, (
      select count(*) from delivery
      where delivery.deployment_id = ${unestimated(deployment)} and delivery.automation_id = ${automation.id}
        and delivery.kind = 'ticket' and delivery.state in ('waiting', 'sent')
        and delivery.subject->>'project' = grouped.project_id::text) as open
    from (
      select project_id, rule, (number - 1) / ${MAX_FINDINGS_PER_TICKET}::int as piece, max(severity) as severity,
        array_agg(id order by severity desc, id) as findings
      from (select project_id, rule, severity, id, row_number() over (
          partition by project_id, rule order by severity desc, id) as number
        from finding where deployment_id = ${unestimated(deployment)} and id = any(${findings}::bigint[])) as numbered
      group by project_id, rule, piece) as grouped
    order by grouped.severity desc, grouped.findings[1]`;

/**
 * Opens one ticket for each rule and project. The first scan of a project and very many matches open none, and a run
 * opens only a few: the others are held, so that somebody can release or dismiss them.
 */
export async function openTickets(tx: Tx, planned: PlannedAction): Promise<Record<string, number>> {
  const { action, destination, subject } = planned;
  const overwhelming = isOverwhelming(planned)
    ? 'Tickets are not opened for the first scan of a project or for very many matches.'
    : undefined;
  const openByProject = new Map<string, number>();
  let opened = 0;
  let held = 0;
  for (const { project, rule, findings, open } of await groupsOf(tx, planned)) {
    const openHere = openByProject.get(project) ?? open;
    const reason =
      planned.holdReason ??
      overwhelming ??
      (opened >= MAX_TICKETS_PER_RUN ? `A run opens at most ${MAX_TICKETS_PER_RUN} tickets.` : undefined) ??
      (openHere >= MAX_OPEN_TICKETS
        ? `The automation has ${MAX_OPEN_TICKETS} open tickets in this project.`
        : undefined);
    if (reason === undefined) {
      opened += 1;
      openByProject.set(project, openHere + 1);
    } else held += findings.length;
    const state = reason === undefined ? 'waiting' : 'held';
    const about = { ...subject, project, rule };
    await insertDelivery(
      tx,
      deliveryOf(planned, { action, destination, subject: about, kind: 'ticket', findings, state, reason }),
    );
  }
  return { held };
}
