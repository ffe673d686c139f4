import type { NewDelivery } from '../deliveries/delivery-store.ts';
import type { DeliverySubject } from '../deliveries/destination-adapter.ts';
import type { AutomationAction } from '../shape.ts';
import type { StoredAutomation } from '../store.ts';
import { MANY_MATCHES } from './flood-gates.ts';

/** What an automation fired for, and why. */
export interface FiredRun {
  deployment: string;
  automation: StoredAutomation;
  run: string;
  findings: readonly string[];
  at: Date;
  batch?: string | undefined;
  scan?: string | undefined;
  /** The first full scan of a project, of which all findings are new. */
  isFirstScan: boolean;
  depth: number;
}

/** A destination of an action, with the reason to hold what is sent there. */
export interface PlannedAction extends FiredRun {
  action: AutomationAction;
  destination: string;
  subject: DeliverySubject;
  holdReason?: string | undefined;
}

export const deliveryOf = (
  { deployment, automation, run, at, findings }: FiredRun,
  more: Pick<NewDelivery, 'action' | 'state'> & Partial<NewDelivery>,
): NewDelivery => ({
  deployment,
  automation: { id: automation.id, version: automation.version },
  run,
  kind: 'findings',
  subject: {},
  findings,
  at,
  ...more,
});

/** True if people get a summary and tickets are held. */
export const isOverwhelming = ({ isFirstScan, findings }: FiredRun): boolean =>
  isFirstScan || findings.length > MANY_MATCHES;
