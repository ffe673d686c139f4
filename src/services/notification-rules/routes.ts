import type { NotificationRule } from '#domain/automations/notification-rules/rule-shape.ts';
import * as store from '#domain/automations/notification-rules/rule-store.ts';
import { validateConfig } from '#domain/automations/notification-rules/rules.ts';
import { recordTest, sendTest } from '#domain/automations/webhooks/send-test.ts';
import { findTarget } from '#domain/automations/webhooks/webhook-store.ts';
import * as deployments from '#domain/deployments/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';

const DEFAULT_LIST = 100;
const NOT_CARRIED_OUT = 'This server does not send to this channel yet; runs of the rule are recorded as skipped.';

/** Why nothing can be sent for a rule. */
const configErrorOf = ({ channel, config }: store.StoredRule, egress: Egress): string =>
  channel === 'CHANNEL_WEBHOOK' && !egress.accepts(config['url'] ?? '') ? 'This server does not call the URL.' : '';

const shown = ({ webhook: _, ...rule }: store.StoredRule, egress: Egress): NotificationRule => ({
  ...rule,
  id: rule.id as Id<'NotificationRule'>,
  config_error: configErrorOf(rule, egress),
});

/** A URL may contain a token, so records have no config. */
const recorded = ({ config: _, ...rule }: store.StoredRule) => rule;

async function refuseInvalid(
  tx: Tx,
  { deployment, egress }: { deployment: string; egress: Egress },
  { channel, config, policy_slugs: policies = [] }: contract.NotificationRuleDraft,
): Promise<void> {
  const pointer = '#/notificationRule';
  const isRefused = channel === 'CHANNEL_WEBHOOK' && config['url'] !== undefined && !egress.accepts(config['url']);
  const unknown = await store.unknownPolicies(tx, deployment, policies);
  refuseFieldErrors(contract.NOTIFICATION_RULE_REFUSED, [
    ...validateConfig(channel, config, `${pointer}/config`),
    ...(isRefused
      ? [{ pointer: `${pointer}/config/url`, code: 'URL_REFUSED', detail: 'is not a URL that this server calls' }]
      : []),
    ...unknown.map((slug) => ({
      pointer: `${pointer}/policy_slugs/${policies.indexOf(slug)}`,
      code: 'UNKNOWN_REFERENCE',
      detail: 'is not a policy of this deployment',
    })),
  ]);
}

const draftOf = (draft: contract.NotificationRuleDraft, by: string): store.NotificationRuleSettings => ({
  channel: draft.channel,
  config: draft.config,
  isEnabled: draft.is_enabled ?? true,
  name: draft.name.trim(),
  policies: draft.policy_slugs ?? [],
  usesNetworkBroker: draft.use_network_broker ?? false,
  sendsScanEvents: draft.send_scan_completion ?? true,
  by,
});

async function found(tx: Tx, ref: store.RuleRef): Promise<store.StoredRule> {
  const rule = await store.find(tx, ref);
  if (!rule) throw NOT_FOUND();
  return rule;
}

type TestCall = Pick<
  Call<typeof contract.testNotificationRule>,
  'path' | 'read' | 'transact' | 'services' | 'now' | 'answer'
>;

async function test({ path, read, transact, services, now, answer }: TestCall) {
  const deployment = path.deploymentId;
  const ref = { deployment, id: path.notificationRuleId };
  const target = await read(async (tx) => {
    const { webhook } = await found(tx, ref);
    return webhook === undefined
      ? undefined
      : { webhook, target: await findTarget(tx, services.keys, { deployment, id: webhook }, now) };
  });
  if (!target?.target) {
    const reply = { success: false, errorDetail: NOT_CARRIED_OUT };
    answer.recordEffect({ object: `notification-rule/${ref.id}`, after: { test: reply } });
    await transact(async () => undefined);
    return reply;
  }
  const request = { deployment, webhook: target.webhook, target: target.target, at: now };
  const result = await sendTest(services, request);
  const { outcome } = result;
  const reply = { success: outcome.kind === 'sent', errorDetail: outcome.kind === 'sent' ? '' : outcome.detail };
  answer.recordEffect({ object: `notification-rule/${ref.id}`, after: { test: reply } });
  await transact((tx) => recordTest(tx, request, result));
  return reply;
}

/** NotificationRulesService: the older form of automations, with one channel each. */
export const notificationRules = group(
  'NotificationRulesService',
  contract,
  {
    createNotificationRule: async ({ path, body, tx, caller, services, answer }) => {
      const deployment = path.deploymentId;
      await refuseInvalid(tx, { deployment, egress: services.egress }, body.notificationRule);
      await deployments.lock(tx, deployment);
      if ((await store.countAll(tx, deployment)) >= contract.MAX_NOTIFICATION_RULES)
        throw contract.NOTIFICATION_RULE_QUOTA({ most: contract.MAX_NOTIFICATION_RULES });
      const id = await store.insert(tx, services.keys, deployment, draftOf(body.notificationRule, caller.name));
      const rule = await found(tx, { deployment, id });
      answer.recordEffect({ object: `notification-rule/${id}`, after: recorded(rule) });
      return { notification_rule: shown(rule, services.egress) };
    },

    listNotificationRules: async ({ path, body, tx, services }) => {
      const token = body.options?.cursor?.token ?? '';
      const rules = await store.list(tx, path.deploymentId, {
        channel: body.filters?.channel,
        after: isInt64(token) ? token : '0',
        limit: body.options?.optionalLimit ?? DEFAULT_LIST,
      });
      return { notification_rules: rules.map((rule) => shown(rule, services.egress)) };
    },

    deleteNotificationRule: async ({ path, tx, caller, now, services, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.notificationRuleId };
      const before = await store.lock(tx, ref);
      if (!before) throw NOT_FOUND();
      await store.remove(tx, ref, before, { by: caller.name, at: now });
      answer.recordEffect({ object: `notification-rule/${ref.id}`, before: recorded(before) });
      return { notification_rule: shown(before, services.egress) };
    },

    replaceNotificationRule: async ({ path, body, tx, caller, now, services, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.notificationRuleId };
      const before = await store.lock(tx, ref);
      if (!before) throw NOT_FOUND();
      await refuseInvalid(tx, { deployment: ref.deployment, egress: services.egress }, body.notificationRule);
      const draft = draftOf(body.notificationRule, caller.name);
      await store.replace(tx, services.keys, { ref, before, draft, at: now });
      const after = await found(tx, ref);
      answer.recordEffect({
        object: `notification-rule/${ref.id}`,
        before: recorded(before),
        after: recorded(after),
      });
      return { notification_rule: shown(after, services.egress) };
    },

    testNotificationRule: (call) => withQuantizedDuration(call.services.sleep, () => test(call)),
  },
  {
    objects: {
      notificationRuleId: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
