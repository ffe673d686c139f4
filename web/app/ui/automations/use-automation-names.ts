import { useQuery } from '@tanstack/react-query';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { slackChannelsQuery, webhooksQuery } from './automation-queries.ts';
import type { AutomationDefinition, AutomationNames } from './describe-automation.ts';

/** The names of projects, webhooks and channels in definitions; ids where they are unknown or may not be read. */
export function useAutomationNames(definitions: readonly Pick<AutomationDefinition, 'filters'>[]): AutomationNames {
  const org = useOrg();
  const ids = definitions.flatMap(({ filters }) =>
    filters.conditions.filter(({ type }) => type === 'CONDITION_TYPE_REPOSITORY_ID').flatMap(({ values }) => values),
  );
  const projects = useQuery(projectNamesQuery(org.id, [...new Set(ids)])).data;
  const webhooks = useQuery({ ...webhooksQuery(org.id), enabled: org.may('credential:read') }).data;
  const channels = useQuery(slackChannelsQuery(org.id)).data;
  return {
    project: (id) => projects?.get(id) ?? id,
    webhook: (id) => webhooks?.find((webhook) => webhook.id === id)?.name ?? id,
    channel: (id) => {
      const name = channels?.find((channel) => channel.channel_id === id)?.channel_name;
      return name === undefined ? id : `#${name}`;
    },
  };
}
