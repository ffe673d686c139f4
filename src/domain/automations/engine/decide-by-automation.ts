import { TRIAGE_REASONS, TRIAGE_STATES, type TriageReason, type TriageState } from '#domain/findings/shape.ts';
import { openTriageBatch, writeDecisions } from '#domain/findings/triage/decisions.ts';
import { lockFindings, nextTriage, type TriageDecision } from '#domain/findings/triage/triage.ts';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { AutomationAction } from '../shape.ts';
import type { StoredAutomation } from '../store.ts';

/** Automations in a chain of causes: a longer one is a loop, or close to one. */
export const MAX_DEPTH = 3;

const isState = (text: string): text is TriageState => Object.hasOwn(TRIAGE_STATES, text);
const isReason = (text: string): text is TriageReason => Object.hasOwn(TRIAGE_REASONS, text);

/** The decision of a triage action; undefined for `fixed`, which only scans find out. */
export function decisionOf({ config }: AutomationAction): TriageDecision | undefined {
  const { state = '', reason = '', note } = config;
  const stored = state === 'open' ? 'untriaged' : state;
  if (!isState(stored)) return undefined;
  return { state: stored, ...(isReason(reason) && { reason }), ...(note !== undefined && note !== '' && { note }) };
}

export interface AutomatedDecision {
  deployment: string;
  automation: StoredAutomation;
  action: AutomationAction;
  findings: readonly string[];
  depth: number;
  at: Date;
}

/**
 * Triages findings for an automation, in its transaction: only those about which nobody has decided, or an automation
 * last did. A decision of a person is never changed. Returns how many it changed.
 */
export async function decideByAutomation(
  tx: Tx,
  { deployment, automation, action, findings, depth, at }: AutomatedDecision,
): Promise<number> {
  const decision = decisionOf(action);
  if (!decision) return 0;
  const actor = `automation ${automation.slug}`;
  const next = nextTriage(decision, { actor, at, source: 'automation' });
  const locked = await lockFindings(
    tx,
    next,
    sql`finding.deployment_id = ${unestimated(deployment)} and finding.id = any(${findings}::bigint[])
      and (finding.triage_source is null or finding.triage_source = 'automation') order by finding.id`,
  );
  const changing = locked.filter(({ is_change: isChange }) => isChange).map(({ id }) => id);
  if (changing.length === 0) return 0;
  const batch = await openTriageBatch(tx, {
    deployment,
    kind: 'triage',
    actor,
    at,
    note: automation.name,
    cause: { automation: automation.id, depth: depth + 1 },
  });
  await writeDecisions(tx, {
    deployment,
    batch,
    at,
    next: sql`select finding.id, ${next.columns} from finding
      where finding.deployment_id = ${unestimated(deployment)} and finding.id = any(${changing}::bigint[])`,
  });
  return changing.length;
}
