import type { ListedDestination } from '#web/ui/deliveries/delivery-queries.ts';

export interface DestinationHealth {
  kind: 'good' | 'warn' | 'bad' | 'none';
  text: string;
}

type Facts = Pick<ListedDestination, 'state' | 'stateReason' | 'failures' | 'pausedUntil' | 'lastSuccessAt'>;

/** How a destination is, in one word or two. The reason is shown beside it. */
export function healthOf({ state, failures, pausedUntil, lastSuccessAt }: Facts, now: Date): DestinationHealth {
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

/** The automations that send to a destination: a webhook by its id or name, a tracker by its slug. */
export const dependentsOf = <Automation extends NamedAutomation>(
  automations: readonly Automation[],
  { id, name, slug }: { id: string; name: string; slug?: string | undefined },
): Automation[] =>
  automations.filter(({ actions }) =>
    actions.some(({ config }) =>
      slug === undefined
        ? config['webhook_id'] === id || config['webhook_name'] === name
        : config['credential_slug'] === slug,
    ),
  );
