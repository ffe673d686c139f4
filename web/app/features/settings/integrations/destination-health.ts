import type { ListedDestination } from '#web/ui/deliveries/delivery-queries.ts';
import type { Status } from '../parts/status-text.tsx';

type Facts = Pick<ListedDestination, 'state' | 'stateReason' | 'failures' | 'pausedUntil' | 'lastSuccessAt'>;

/** How a destination is, in one word or two. The reason is shown beside it. */
export function healthOf({ state, failures, pausedUntil, lastSuccessAt }: Facts, now: Date): Status {
  if (state === 'disabled') return { kind: 'bad', text: 'Disabled' };
  if (pausedUntil !== undefined && new Date(pausedUntil) > now) return { kind: 'bad', text: 'Paused after failures' };
  if (failures > 0) return { kind: 'warn', text: 'Failing' };
  return lastSuccessAt === undefined ? { kind: 'none', text: 'Not used yet' } : { kind: 'good', text: 'Working' };
}

interface NamedAutomation {
  id: string;
  name: string;
  actions: readonly { config: Readonly<Record<string, string>> }[];
}

interface NamedDestination {
  id: string;
  name: string;
  kind?: string;
  slug?: string | undefined;
  channel?: { channel_id: string; channel_name: string } | undefined;
}

type ActionConfig = Readonly<Record<string, string>>;

const addressesIn = (text: string) => text.split(',').map((address) => address.trim().toLowerCase());

function sendsTo(config: ActionConfig, { id, name, kind, slug, channel }: NamedDestination): boolean {
  if (slug !== undefined) return config['credential_slug'] === slug;
  // Buckets and mailboxes are named after what the action says.
  if (kind === 's3') return `s3://${config['bucket']}/${config['prefix'] ?? ''}` === name;
  if (kind === 'mail') return addressesIn(config['recipients'] ?? '').includes(name.toLowerCase());
  if (!channel) return config['webhook_id'] === id || config['webhook_name'] === name;
  const { channel_id: channelId = '', channel_name: channelName = '' } = config;
  return channelId === '' ? channelName.replace(/^#/, '') === channel.channel_name : channelId === channel.channel_id;
}

/** The automations that send to a destination. */
export const dependentsOf = <Automation extends NamedAutomation>(
  automations: readonly Automation[],
  destination: NamedDestination,
): Automation[] => automations.filter(({ actions }) => actions.some(({ config }) => sendsTo(config, destination)));
