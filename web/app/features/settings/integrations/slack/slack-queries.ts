import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { slack } from '#web/foundation/api/services.ts';

export const slackKey = (deploymentId: string) => [deploymentId, 'slack'];

/** The app with its manifest, without its secret. */
export const slackAppQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [...slackKey(deploymentId), 'app'],
    queryFn: async ({ signal }) => (await slack.getSlackApp({ path: { deploymentId } }, { signal })).app,
  });

export const slackInstallationQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [...slackKey(deploymentId), 'installation'],
    queryFn: ({ signal }) => slack.getSlackInstallation({ path: { deploymentId } }, { signal }),
  });

export type SlackInstallation = Awaited<ReturnType<typeof slack.getSlackInstallation>>;

/** The channels of the workspace, asked from Slack page by page. */
export const conversationsQuery = (deploymentId: string) =>
  infiniteQueryOptions({
    queryKey: [...slackKey(deploymentId), 'conversations'],
    queryFn: ({ pageParam, signal }) =>
      slack.listSlackConversations({ path: { deploymentId }, query: { after: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ after }) => (after === '' ? undefined : after),
    gcTime: 0,
  });
