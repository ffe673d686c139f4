import { z } from 'zod';
import { count, id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { AutomationMode } from '../shape.ts';

export const DeliveryStateName = oneOf(['waiting', 'held', 'sent', 'failed', 'cancelled', 'skipped', 'would']);

/** What an automation sends to a destination, or would have sent. */
export const Delivery = z.object({
  id: id('Delivery'),
  destinationId: id('Destination').optional(),
  destinationName: z.string(),
  automationId: id('Automation').optional(),
  actionType: z.string().optional(),
  runId: id('AutomationRun').optional(),
  kind: z.string(),
  findingCount: z.int(),
  state: DeliveryStateName,
  reason: z.string(),
  changedBy: z.string(),
  attempts: z.int(),
  replays: z.int(),
  parts: z.int().optional(),
  sentParts: z.int(),
  reference: z.string(),
  createdAt: timestamp(),
  nextAt: timestamp().optional(),
  endedAt: timestamp().optional(),
});
export type Delivery = z.output<typeof Delivery>;

/** What was sent about a finding, for those who may see the finding but not all deliveries. */
export const FindingDelivery = z.object({
  id: id('Delivery'),
  automationId: id('Automation').optional(),
  automationName: z.string(),
  actionType: z.string().optional(),
  destinationName: z.string(),
  kind: z.string(),
  state: DeliveryStateName,
  /** Why it was not sent, unless the receiver said so: its answers are for administrators. */
  reason: z.string(),
  reference: z.string(),
  at: timestamp(),
});
export type FindingDelivery = z.output<typeof FindingDelivery>;

export const DeliveryAttempt = z.object({
  at: timestamp(),
  part: z.int(),
  outcome: z.string(),
  /** The HTTP status; 0 if there was no answer. */
  status: z.int(),
  durationMs: z.int(),
  detail: z.string(),
  answer: z.string(),
});
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;

export const Destination = z.object({
  id: id('Destination'),
  kind: z.string(),
  name: z.string(),
  state: oneOf(['active', 'disabled']),
  stateReason: z.string(),
  failures: z.int(),
  pausedUntil: timestamp().optional(),
  lastSuccessAt: timestamp().optional(),
  lastFailureAt: timestamp().optional(),
  lastFailure: z.string(),
  waiting: z.int(),
  held: z.int(),
  failed: z.int(),
});
export type Destination = z.output<typeof Destination>;

/** What an automation did lately, and how it is. */
export const AutomationActivity = z.object({
  automationId: id('Automation'),
  slug: z.string(),
  mode: AutomationMode,
  pauseReason: z.string(),
  lastRunAt: timestamp().optional(),
  lastMatchedAt: timestamp().optional(),
  lastFailure: z.string(),
  sent: count(),
  held: count(),
  failed: count(),
  waiting: count(),
  skipped: count(),
  /** What a simulation would have sent. */
  would: count(),
  /** The same for each day with deliveries; today is 0 days ago. */
  days: z.array(z.object({ daysAgo: z.int(), sent: z.int(), held: z.int(), failed: z.int() })),
});
export type AutomationActivity = z.output<typeof AutomationActivity>;

/** One evaluation of an automation. */
export const AutomationRun = z.object({
  id: id('AutomationRun'),
  automationId: id('Automation'),
  automationVersion: count(),
  mode: AutomationMode,
  /** `batch` after a scan or a decision, `existing` when somebody started it. */
  cause: z.string(),
  startedBy: z.string(),
  at: timestamp(),
  considered: z.int(),
  matched: z.int(),
  /** How many findings it passed over, by reason. */
  suppressed: z.record(z.string(), z.int()),
  failure: z.string(),
  durationMs: z.int(),
});
export type AutomationRun = z.output<typeof AutomationRun>;

/** What the examples of the API description show. */
export const exampleIds = { Delivery: '17', Destination: '9', AutomationRun: '12' };
