import { useQuery } from '@tanstack/react-query';
import { useOrg } from '#web/foundation/session/org.ts';
import {
  automationsQuery,
  type SlackChannel,
  type StoredAutomation,
  type StoredTracker,
  type StoredWebhook,
  slackChannelsQuery,
  trackersQuery,
  webhooksQuery,
} from '#web/ui/automations/automation-queries.ts';
import { destinationsQuery, type ListedDestination } from '#web/ui/deliveries/delivery-queries.ts';
import { dependentsOf } from './destination-health.ts';

/** A destination with what it is and who depends on it. */
export interface Integration {
  destination: ListedDestination;
  webhook: StoredWebhook | undefined;
  tracker: StoredTracker | undefined;
  channel: SlackChannel | undefined;
  dependents: readonly StoredAutomation[];
}

/** All destinations, joined with their settings. */
export function useIntegrations() {
  const { id } = useOrg();
  const destinations = useQuery(destinationsQuery(id));
  const webhooks = useQuery(webhooksQuery(id));
  const trackers = useQuery(trackersQuery(id));
  const channels = useQuery(slackChannelsQuery(id));
  const automations = useQuery(automationsQuery(id));
  const queries = [destinations, webhooks, trackers, channels, automations];
  const error = queries.find((query) => query.error)?.error;
  const refetch = () => void Promise.all(queries.map((query) => query.refetch()));
  if (!destinations.data || !webhooks.data || !trackers.data || !channels.data || !automations.data)
    return { integrations: undefined, error, refetch };
  const integrations = destinations.data.map((destination): Integration => {
    const webhook = webhooks.data.find((one) => one.id === destination.id);
    const tracker = trackers.data.find((one) => String(one.id) === destination.id);
    const channel = channels.data.find((one) => one.id === destination.id);
    const { name, kind } = destination;
    const named = { id: destination.id, name, kind, slug: tracker?.slug, channel };
    return { destination, webhook, tracker, channel, dependents: dependentsOf(automations.data, named) };
  });
  return { integrations, error, refetch };
}
