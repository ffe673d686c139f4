import type { NotificationRule } from '#domain/automations/notification-rules/rule-shape.ts';
import * as store from '#domain/automations/notification-rules/rule-store.ts';
import { hasWebhook, validateConfig } from '#domain/automations/notification-rules/rules.ts';
import * as deployments from '#domain/deployments/store.ts';
import { listCredentials } from '#domain/storage/storage-credentials.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';
import { testRule } from './test-rule.ts';

const DEFAULT_LIST = 100;

/** What decides whether something can be sent for a rule. */
interface Notifiers {
  egress: Egress;
  isMailOn: boolean;
  storages: ReadonlySet<string>;
}

async function notifiersOf(tx: Tx, deployment: string, { egress, mail }: Call['services']): Promise<Notifiers> {
  const storages = new Set((await listCredentials(tx, deployment)).map(({ slug }) => slug));
  return { egress, isMailOn: mail.isOn, storages };
}

/** Why nothing can be sent for a rule. */
function configErrorOf({ channel, config }: store.StoredRule, { egress, isMailOn, storages }: Notifiers): string {
  if (channel === 'CHANNEL_EMAIL') return isMailOn ? '' : 'The operator has set no mail server.';
  if (channel === 'CHANNEL_S3')
    return storages.has(config['credential_slug'] ?? '') ? '' : 'The storage credential does not exist.';
  return egress.accepts(config['url'] ?? '') ? '' : 'This server does not call the URL.';
}

const shown = ({ webhook: _, ...rule }: store.StoredRule, notifiers: Notifiers): NotificationRule => ({
  ...rule,
  id: rule.id as Id<'NotificationRule'>,
  config_error: configErrorOf(rule, notifiers),
});

/** A URL may contain a token, so records have no config. */
const recorded = ({ config: _, ...rule }: store.StoredRule) => rule;

async function refuseInvalid(
  tx: Tx,
  { deployment, egress }: { deployment: string; egress: Egress },
  { channel, config, policy_slugs: policies = [] }: contract.NotificationRuleDraft,
): Promise<void> {
  const pointer = '#/notificationRule';
  const isRefused = hasWebhook(channel) && config['url'] !== undefined && !egress.accepts(config['url']);
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
      return { notification_rule: shown(rule, await notifiersOf(tx, deployment, services)) };
    },

    listNotificationRules: async ({ path, body, tx, services }) => {
      const token = body.options?.cursor?.token ?? '';
      const rules = await store.list(tx, path.deploymentId, {
        channel: body.filters?.channel,
        after: isInt64(token) ? token : '0',
        limit: body.options?.optionalLimit ?? DEFAULT_LIST,
      });
      const notifiers = await notifiersOf(tx, path.deploymentId, services);
      return { notification_rules: rules.map((rule) => shown(rule, notifiers)) };
    },

    deleteNotificationRule: async ({ path, tx, caller, now, services, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.notificationRuleId };
      const before = await store.lock(tx, ref);
      if (!before) throw NOT_FOUND();
      await store.remove(tx, ref, before, { by: caller.name, at: now });
      answer.recordEffect({ object: `notification-rule/${ref.id}`, before: recorded(before) });
      return { notification_rule: shown(before, await notifiersOf(tx, ref.deployment, services)) };
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
      return { notification_rule: shown(after, await notifiersOf(tx, ref.deployment, services)) };
    },

    testNotificationRule: (call) => withQuantizedDuration(call.services.sleep, () => testRule(call)),
  },
  {
    objects: {
      notificationRuleId: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
