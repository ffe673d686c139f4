import type { Tx } from '#kernel/db/tx.ts';
import { insertDelivery } from '../deliveries/delivery-store.ts';
import type {
  DeliverySubject,
  DestinationAdapter,
  DestinationAdapters,
  ResolvedDestination,
} from '../deliveries/destination-adapter.ts';
import { type AutomationAction, AutomationActionType } from '../shape.ts';
import { decideByAutomation, decisionOf, MAX_DEPTH } from './decide-by-automation.ts';
import { deliveryOf, type FiredRun, type PlannedAction } from './fired-run.ts';
import { isRunaway, tellOfRunaway } from './flood-gates.ts';
import { sendToPeople } from './people-messages.ts';
import { openTickets } from './ticket-groups.ts';

/** Why actions that no adapter carries out do nothing. */
const NOT_CARRIED_OUT: Partial<Record<AutomationActionType, string>> = {
  ACTION_TYPE_BLOCK: 'Policies decide about blocking when a scan completes.',
  ACTION_TYPE_PR_COMMENT: 'No source host is connected that could show a comment.',
  ACTION_TYPE_OPEN_AUTOFIX_PR: 'This server does not open pull requests.',
  ACTION_TYPE_TRIGGER_WORKFLOW: 'This server does not run workflows.',
  ACTION_TYPE_DEVELOPER_EXCEPTION_REQUESTS: 'Requests for exceptions are made by developers, not by automations.',
};
export const notCarriedOut = (type: AutomationActionType): string =>
  NOT_CARRIED_OUT[type] ?? 'This server has no integration for this action.';

/** Triage is done here, and scans ask for blocks themselves. */
const WITHOUT_ADAPTER: readonly AutomationActionType[] = [
  'ACTION_TYPE_TRIAGE',
  'ACTION_TYPE_BLOCK',
  'ACTION_TYPE_UNKNOWN',
];

/** The actions that are only recorded, with the reason: people learn it before they rely on one. */
export const listNotCarriedOut = (adapters: DestinationAdapters) =>
  AutomationActionType.options
    .filter((type) => !WITHOUT_ADAPTER.includes(type) && !adapters.ofAction(type))
    .map((type) => ({ type, reason: notCarriedOut(type) }));

const subjectOf = ({ automation, batch, scan }: FiredRun): DeliverySubject => ({
  batch,
  scan,
  automations: [{ id: automation.id, name: automation.name, slug: automation.slug }],
});

async function triage(tx: Tx, fired: FiredRun, action: AutomationAction): Promise<Record<string, number>> {
  const skip = async (reason: string) => {
    await insertDelivery(tx, deliveryOf(fired, { action, state: 'skipped', kind: 'triage', reason }));
    return {};
  };
  if (!decisionOf(action)) return skip('Only a scan can find that a finding is fixed.');
  if (fired.depth >= MAX_DEPTH)
    return skip('This batch is the result of a chain of automations, which could be a loop.');
  const changed = await decideByAutomation(tx, { ...fired, action });
  await insertDelivery(
    tx,
    deliveryOf(fired, { action, state: 'sent', kind: 'triage', reason: `${changed} of ${fired.findings.length}` }),
  );
  return { decided_by_people: fired.findings.length - changed };
}

/** The bodies of one delivery are composed in memory. */
const MAX_FINDINGS_PER_DELIVERY = 10_000;

async function sendTo(tx: Tx, adapter: DestinationAdapter, planned: PlannedAction): Promise<Record<string, number>> {
  const { action, destination, subject, holdReason } = planned;
  if (adapter.audience === 'people') return sendToPeople(tx, planned);
  if (adapter.audience === 'trackers') return openTickets(tx, planned);
  const state = holdReason === undefined ? 'waiting' : 'held';
  for (let from = 0; from < planned.findings.length; from += MAX_FINDINGS_PER_DELIVERY) {
    const findings = planned.findings.slice(from, from + MAX_FINDINGS_PER_DELIVERY);
    await insertDelivery(
      tx,
      deliveryOf(planned, { action, destination, subject, findings, state, reason: holdReason }),
    );
  }
  return {};
}

function destinationsOf(resolved: ResolvedDestination): readonly string[] {
  if ('destination' in resolved) return [resolved.destination];
  return 'destinations' in resolved ? resolved.destinations : [];
}

async function runAction(
  tx: Tx,
  adapters: DestinationAdapters,
  { fired, action, holdReason }: { fired: FiredRun; action: AutomationAction; holdReason: string | undefined },
): Promise<Record<string, number>> {
  const subject = subjectOf(fired);
  const isTriage = action.type === 'ACTION_TYPE_TRIAGE';
  const adapter = adapters.ofAction(action.type);
  if (!isTriage && !adapter) {
    await insertDelivery(
      tx,
      deliveryOf(fired, { action, subject, state: 'skipped', reason: notCarriedOut(action.type) }),
    );
    return {};
  }
  const resolved = adapter && (await adapter.resolve(tx, fired.deployment, action));
  if (resolved && 'skip' in resolved && resolved.skip !== undefined)
    await insertDelivery(tx, deliveryOf(fired, { action, subject, state: 'skipped', reason: resolved.skip }));
  const destinations = resolved && destinationsOf(resolved);
  if (fired.automation.mode === 'simulate') {
    for (const destination of destinations ?? [undefined])
      await insertDelivery(tx, deliveryOf(fired, { action, subject, state: 'would', destination }));
    return {};
  }
  if (!adapter || !destinations) return triage(tx, fired, action);
  const counts: Record<string, number> = {};
  for (const destination of destinations)
    addCounts(counts, await sendTo(tx, adapter, { ...fired, action, destination, subject, holdReason }));
  return counts;
}

const addCounts = (total: Record<string, number>, more: Record<string, number>) => {
  for (const [reason, count] of Object.entries(more)) if (count > 0) total[reason] = (total[reason] ?? 0) + count;
};

/**
 * Carries out the actions of a run. Triage is done in this transaction; everything that leaves the server becomes a
 * delivery, and what exceeds a limit is held, never dropped. Returns counts for the record of the run.
 */
export async function runActions(
  tx: Tx,
  adapters: DestinationAdapters,
  fired: FiredRun,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  if (fired.findings.length === 0) return counts;
  const { deployment, automation, run, at } = fired;
  const isFlood =
    automation.mode === 'live' && (await isRunaway(tx, { deployment, automation: automation.id, run, at }));
  if (isFlood) {
    await tellOfRunaway(tx, { deployment, automation, at });
    addCounts(counts, { flood: fired.findings.length });
  }
  const holdReason = isFlood ? 'The automation matched unusually much within an hour.' : undefined;
  for (const action of automation.actions)
    addCounts(counts, await runAction(tx, adapters, { fired, action, holdReason }));
  return counts;
}
