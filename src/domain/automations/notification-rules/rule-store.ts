import { z } from 'zod';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { deleteDestination } from '../deliveries/destination-store.ts';
import * as automations from '../store.ts';
import * as webhooks from '../webhooks/webhook-store.ts';
import { type NotificationChannel, NotificationRule } from './rule-shape.ts';
import { actionOf, filtersOf, hasWebhook, shownConfig } from './rules.ts';

const StoredRule = NotificationRule.omit({ config_error: true }).extend({
  id: z.string(),
  webhook: z.string().optional(),
});
export type StoredRule = z.output<typeof StoredRule>;

const selection = sql`
  select automation.id, rule.channel, rule.config, automation.mode <> 'paused' as is_enabled, automation.name,
    rule.policy_slugs, rule.uses_network_broker as use_network_broker, rule.sends_scan_events as send_scan_completion,
    (select webhook.destination_id from notification_webhook as webhook
     where webhook.deployment_id = rule.deployment_id and webhook.rule_id = rule.automation_id) as webhook
  from notification_rule as rule join automation on automation.deployment_id = rule.deployment_id
    and automation.id = rule.automation_id and automation.deleted_at is null`;

export const list = (
  tx: Tx,
  deployment: string,
  { channel, after, limit }: { channel?: string | undefined; after: string; limit: number },
): Promise<StoredRule[]> =>
  tx.all(StoredRule)`
    ${selection} where rule.deployment_id = ${deployment} and rule.automation_id > ${after}::bigint
      ${channel === undefined ? emptySql : sql`and rule.channel = ${channel}`}
    order by rule.automation_id limit ${limit}::int`;

const one = (tx: Tx, { deployment, id }: RuleRef, rest: Sql): Promise<StoredRule | undefined> =>
  tx.one(StoredRule)`${selection} where rule.deployment_id = ${deployment} and rule.automation_id = ${id} ${rest}`;

export interface RuleRef {
  deployment: string;
  id: string;
}

export const find = (tx: Tx, ref: RuleRef): Promise<StoredRule | undefined> => one(tx, ref, emptySql);

export const lock = (tx: Tx, ref: RuleRef): Promise<StoredRule | undefined> =>
  one(tx, ref, sql`for no key update of rule`);

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*) as count from notification_rule where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

export interface NotificationRuleSettings {
  channel: NotificationChannel;
  config: Readonly<Record<string, string>>;
  isEnabled: boolean;
  name: string;
  policies: readonly string[];
  usesNetworkBroker: boolean;
  sendsScanEvents: boolean;
  by: string;
}

const definitionOf = (draft: NotificationRuleSettings, webhook: string | undefined) => ({
  name: draft.name,
  description: '',
  active: draft.isEnabled,
  triggerSource: 'TRIGGER_SOURCE_SCAN' as const,
  filters: filtersOf(draft.policies),
  actions: [actionOf(draft.channel, draft.config, webhook)],
  lastActionId: 1,
  by: draft.by,
});

const secretOf = ({ config }: NotificationRuleSettings) =>
  config['secret'] === undefined || config['secret'] === '' ? undefined : new Secret(config['secret']);

const kindOf = (channel: NotificationChannel) =>
  channel === 'CHANNEL_SLACK_WEBHOOK' ? webhooks.SLACK_WEBHOOK_KIND : webhooks.WEBHOOK_KIND;

/** People are told about findings, not about every scan. */
const sendsScanEvents = (draft: NotificationRuleSettings) =>
  draft.channel === 'CHANNEL_WEBHOOK' && draft.sendsScanEvents;

const insertWebhook = (
  tx: Tx,
  keys: KeyRing,
  { deployment, id }: RuleRef,
  draft: NotificationRuleSettings,
): Promise<string> =>
  webhooks.insert(tx, keys, {
    deployment,
    name: draft.name,
    url: draft.config['url'] ?? '',
    secret: secretOf(draft),
    useNetworkBroker: draft.usesNetworkBroker,
    sendScanCompletion: sendsScanEvents(draft),
    rule: id,
    kind: kindOf(draft.channel),
  });

/** Inserts a rule with its automation and, for webhooks, its destination. The caller has locked the deployment. */
export async function insert(
  tx: Tx,
  keys: KeyRing,
  deployment: string,
  draft: NotificationRuleSettings,
): Promise<string> {
  const { id } = await automations.insert(tx, deployment, {
    ...definitionOf(draft, undefined),
    origin: 'notification_rule',
  });
  await tx.run`
    insert into notification_rule (deployment_id, automation_id, channel, config, policy_slugs, uses_network_broker,
      sends_scan_events)
    values (${deployment}, ${id}, ${draft.channel}, ${JSON.stringify(shownConfig(draft.config))}::jsonb,
      ${draft.policies}::text[], ${draft.usesNetworkBroker}, ${draft.sendsScanEvents})`;
  if (hasWebhook(draft.channel)) {
    const webhook = await insertWebhook(tx, keys, { deployment, id }, draft);
    await automations.update(tx, { deployment, id }, definitionOf(draft, webhook));
  }
  return id;
}

async function replaceWebhook(
  tx: Tx,
  keys: KeyRing,
  { ref, before, draft, at }: { ref: RuleRef; before: StoredRule; draft: NotificationRuleSettings; at: Date },
): Promise<string | undefined> {
  const { deployment } = ref;
  const destination = before.webhook === undefined ? undefined : { deployment, id: before.webhook };
  const isOtherKind = draft.channel !== before.channel;
  if (destination && isOtherKind) await deleteDestination(tx, destination, { by: draft.by, at });
  if (!hasWebhook(draft.channel)) return undefined;
  if (!destination || isOtherKind) return insertWebhook(tx, keys, ref, draft);
  const url = draft.config['url'] ?? '';
  await webhooks.update(tx, destination, {
    name: draft.name,
    url,
    useNetworkBroker: draft.usesNetworkBroker,
    sendScanCompletion: sendsScanEvents(draft),
  });
  const secret = secretOf(draft);
  if (secret) await webhooks.setSecret(tx, keys, destination, secret);
  else if (url !== before.config['url']) await webhooks.clearSecret(tx, destination);
  return destination.id;
}

/** Replaces a rule. A stored secret is kept while the URL stays. The caller has locked the rule. */
export async function replace(
  tx: Tx,
  keys: KeyRing,
  { ref, before, draft, at }: { ref: RuleRef; before: StoredRule; draft: NotificationRuleSettings; at: Date },
): Promise<void> {
  const webhook = await replaceWebhook(tx, keys, { ref, before, draft, at });
  await automations.update(tx, ref, definitionOf(draft, webhook));
  await tx.run`
    update notification_rule set channel = ${draft.channel},
      config = ${JSON.stringify(shownConfig(draft.config))}::jsonb,
      policy_slugs = ${draft.policies}::text[], uses_network_broker = ${draft.usesNetworkBroker},
      sends_scan_events = ${draft.sendsScanEvents}
    where deployment_id = ${ref.deployment} and automation_id = ${ref.id}`;
}

/** Deletes a rule with its automation and its destination. */
export async function remove(
  tx: Tx,
  ref: RuleRef,
  before: StoredRule,
  change: { by: string; at: Date },
): Promise<void> {
  if (before.webhook !== undefined)
    await deleteDestination(tx, { deployment: ref.deployment, id: before.webhook }, change);
  await tx.run`delete from automation where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

const PolicySlug = z.object({ slug: z.string() });

/** The policies that do not exist. */
export async function unknownPolicies(tx: Tx, deployment: string, slugs: readonly string[]): Promise<string[]> {
  if (slugs.length === 0) return [];
  const rows = await tx.all(PolicySlug)`
    select slug from ruleboard where deployment_id = ${deployment} and slug = any(${slugs}::text[])`;
  const known = new Set(rows.map(({ slug }) => slug));
  return slugs.filter((slug) => !known.has(slug));
}
