import { queryOptions } from '@tanstack/react-query';
import {
  automationRuns,
  automations,
  slack,
  storageCredentials,
  ticketing,
  webhooks,
} from '#web/foundation/api/services.ts';

export const automationsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'automations'],
    queryFn: async ({ signal }) =>
      (await automations.listAutomations({ path: { deploymentId } }, { signal })).automations,
  });

export type StoredAutomation = Awaited<ReturnType<typeof automations.listAutomations>>['automations'][number];

/** What automations did in the last seven days, and which actions are only recorded. */
export const activityQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'automations', 'activity'],
    queryFn: ({ signal }) => automationRuns.listAutomationActivity({ path: { deploymentId } }, { signal }),
  });

export type ActivityOfAutomation = Awaited<
  ReturnType<typeof automationRuns.listAutomationActivity>
>['activities'][number];

export type ModeOfAutomation = ActivityOfAutomation['mode'];

/** The webhooks, without their secrets. */
export const webhooksQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'webhooks'],
    queryFn: async ({ signal }) =>
      (await webhooks.listNotificationWebhooks({ path: { deploymentId } }, { signal })).webhooks,
  });

export type StoredWebhook = Awaited<ReturnType<typeof webhooks.listNotificationWebhooks>>['webhooks'][number];

/** The connected trackers, without their tokens. */
export const trackersQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'trackers'],
    queryFn: async ({ signal }) =>
      (await ticketing.getTicketingInstances({ path: { deploymentId } }, { signal })).instances,
  });

export type StoredTracker = Awaited<ReturnType<typeof ticketing.getTicketingInstances>>['instances'][number];

/** The Slack channels that automations can post to. */
export const slackChannelsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'slack', 'channels'],
    queryFn: async ({ signal }) =>
      (await slack.getSlackChannelMappings({ path: { deploymentId } }, { signal })).channel_mappings,
  });

export type SlackChannel = Awaited<ReturnType<typeof slack.getSlackChannelMappings>>['channel_mappings'][number];

/** The credentials for buckets, without their secrets. */
export const storageQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'storage'],
    queryFn: async ({ signal }) =>
      (await storageCredentials.listStorageCredentials({ path: { deploymentId } }, { signal })).credentials,
  });

export type StoredStorage = Awaited<
  ReturnType<typeof storageCredentials.listStorageCredentials>
>['credentials'][number];
