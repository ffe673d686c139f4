import type { FieldError } from '#kernel/contract/fault.ts';
import type { AutomationAction, AutomationActionType, AutomationFilters } from '../shape.ts';
import type { NotificationChannel } from './rule-shape.ts';

interface ChannelRule {
  action: AutomationActionType;
  required: readonly string[];
  optional: readonly string[];
}

const CHANNELS: Record<NotificationChannel, ChannelRule> = {
  CHANNEL_EMAIL: { action: 'ACTION_TYPE_EMAIL', required: ['email'], optional: [] },
  CHANNEL_SLACK_WEBHOOK: { action: 'ACTION_TYPE_SLACK_WEBHOOK', required: ['url'], optional: [] },
  CHANNEL_WEBHOOK: { action: 'ACTION_TYPE_WEBHOOK', required: ['url'], optional: ['secret'] },
  CHANNEL_S3: { action: 'ACTION_TYPE_S3', required: ['bucket', 'credential_slug'], optional: ['prefix'] },
};

type Config = Readonly<Record<string, string>>;

/** The errors of a config: missing and unknown members. */
export function validateConfig(channel: NotificationChannel, config: Config, pointer: string): FieldError[] {
  const { required, optional } = CHANNELS[channel];
  const missing = required
    .filter((key) => (config[key] ?? '').trim() === '')
    .map((key) => ({ pointer: `${pointer}/${key}`, code: 'REQUIRED', detail: 'is needed for this channel' }));
  const unknown = Object.keys(config)
    .filter((key) => !required.includes(key) && !optional.includes(key))
    .map((key) => ({ pointer: `${pointer}/${key}`, code: 'UNKNOWN_MEMBER', detail: 'is not known for this channel' }));
  return [...missing, ...unknown];
}

/** The config without its secret, which the destination keeps. */
export const shownConfig = ({ secret: _, ...config }: Config): Record<string, string> => config;

/** True for channels with a URL, which is that of a destination of the rule. */
export const hasWebhook = (channel: NotificationChannel): boolean =>
  channel === 'CHANNEL_WEBHOOK' || channel === 'CHANNEL_SLACK_WEBHOOK';

/** The one action of a rule. The webhook of a rule is its own destination. */
export function actionOf(channel: NotificationChannel, config: Config, webhook: string | undefined): AutomationAction {
  const { action: type } = CHANNELS[channel];
  if (hasWebhook(channel)) return { id: '1', type, config: { webhook_id: webhook ?? '' } };
  if (channel === 'CHANNEL_EMAIL') return { id: '1', type, config: { recipients: config['email'] ?? '' } };
  return { id: '1', type, config: shownConfig(config) };
}

/** A rule without policies is about all of them. */
export const filtersOf = (policies: readonly string[]): AutomationFilters => ({
  mode: 'MODE_ALL',
  conditions: policies.length === 0 ? [] : [{ type: 'CONDITION_TYPE_POLICY', mode: 'MODE_ANY', values: [...policies] }],
});
