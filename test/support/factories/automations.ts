import { insertDelivery } from '#domain/automations/deliveries/delivery-store.ts';
import { drainDestination } from '#domain/automations/deliveries/pump.ts';
import { considerChanges } from '#domain/automations/engine/consider-batch.ts';
import * as rules from '#domain/automations/notification-rules/rule-store.ts';
import type { AutomationAction, AutomationCondition, AutomationTriggerSource } from '#domain/automations/shape.ts';
import * as automations from '#domain/automations/store.ts';
import * as webhooks from '#domain/automations/webhooks/webhook-store.ts';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

export interface AutomationOptions {
  name?: string;
  conditions?: AutomationCondition[];
  mode?: 'MODE_ALL' | 'MODE_ANY';
  actions?: Omit<AutomationAction, 'id'>[];
  trigger?: AutomationTriggerSource;
}

export const condition = (type: string, ...values: string[]): AutomationCondition => ({
  type: `CONDITION_TYPE_${type}` as AutomationCondition['type'],
  mode: 'MODE_ANY',
  values,
});

/** Stores an automation that is live. */
export async function automationOf({ world, place }: Scenario, options: AutomationOptions = {}): Promise<string> {
  const actions = (options.actions ?? [{ type: 'ACTION_TYPE_PR_COMMENT' as const, config: {} }]).map(
    (action, index) => ({ ...action, id: String(index + 1) }),
  );
  const made = await world.inDeployment(place, (tx) =>
    automations.insert(tx, place.id, {
      name: options.name ?? uniqueName('Automation '),
      description: '',
      active: true,
      triggerSource: options.trigger ?? 'TRIGGER_SOURCE_SCAN',
      filters: { mode: options.mode ?? 'MODE_ALL', conditions: options.conditions ?? [condition('SEVERITY', 'high')] },
      actions,
      lastActionId: actions.length,
      by: 'test',
    }),
  );
  return made.id;
}

export function webhookOf({ world, place }: Scenario, url: string, secret?: string): Promise<string> {
  return world.inDeployment(place, (tx) =>
    webhooks.insert(tx, world.keys, {
      deployment: place.id,
      name: uniqueName('Webhook '),
      url,
      secret: secret === undefined ? undefined : new Secret(secret),
      useNetworkBroker: false,
      sendScanCompletion: false,
    }),
  );
}

/** A notification rule with a webhook of its own. */
export function notificationRuleOf(
  { world, place }: Scenario,
  url = 'https://hooks.example.com/rule',
): Promise<string> {
  return world.inDeployment(place, (tx) =>
    rules.insert(tx, world.keys, place.id, {
      channel: 'CHANNEL_WEBHOOK',
      config: { url, secret: 'a secret for tests' },
      isEnabled: true,
      name: uniqueName('Rule '),
      policies: [],
      usesNetworkBroker: false,
      sendsScanEvents: true,
      by: 'test',
    }),
  );
}

/** A delivery that waits for somebody to release it. */
export async function makeHeldDelivery(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const destination = await webhookOf(scene, 'https://hooks.example.com/held');
  return world.inDeployment(place, (tx) =>
    insertDelivery(tx, {
      ...{ deployment: place.id, destination, kind: 'findings', subject: {}, findings: [] },
      ...{ state: 'held', reason: 'for a test', at: new Date() },
    }),
  );
}

/** Considers all batches of the deployment that have not been considered, as the jobs would. */
export async function considerAll({ world, place }: Scenario, at: Date = new Date()): Promise<void> {
  const adapters = adaptersOf(world.assembly.services);
  for (;;) {
    const [job] = await world.queryAsOwner<{ id: string; batch: string }>(
      `update job set state = 'done', finished_at = now() where (deployment_id, id) = (
         select deployment_id, id from job where deployment_id = $1 and kind = 'automation.consider' and state = 'ready'
         order by id limit 1) returning id, payload->>'batch' as batch`,
      [place.id],
    );
    if (!job) return;
    await world.inDeployment(place, (tx) =>
      considerChanges(tx, adapters, { deployment: place.id, batch: job.batch, at }),
    );
  }
}

/** Delivers what is due to a destination at this moment. */
export const drain = ({ world, place }: Scenario, destination: string, at: Date = new Date()): Promise<number> =>
  drainDestination(
    { db: world.assembly.db, adapters: adaptersOf(world.assembly.services), clock: () => at, random: () => 0.5 },
    { deployment: place.id, id: destination },
  );

export interface DeliveryRow {
  id: string;
  state: string;
  reason: string | null;
  kind: string;
  attempts: number;
  findings: string[];
  next_at: Date;
}

export const deliveriesOf = ({ world, place }: Scenario): Promise<DeliveryRow[]> =>
  world.queryAsOwner<DeliveryRow>(
    'select id, state, reason, kind, attempts, findings, next_at from delivery where deployment_id = $1 order by id',
    [place.id],
  );

export interface RunRow {
  automation_id: string;
  considered: number;
  matched: number;
  suppressed: Record<string, number>;
  failure: string | null;
}

export const runsOf = ({ world, place }: Scenario): Promise<RunRow[]> =>
  world.queryAsOwner<RunRow>(
    `select automation_id, considered, matched, suppressed, failure from automation_run where deployment_id = $1
     order by id`,
    [place.id],
  );
