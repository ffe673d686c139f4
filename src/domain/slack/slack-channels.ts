import { z } from 'zod';
import { type DestinationRef, insertDestination } from '#domain/automations/deliveries/destination-store.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { SlackChannelMapping, SlackNotificationMapping } from './slack-shape.ts';

export const SLACK_DESTINATION = 'slack';

/** The name of a channel as people write it. */
export const channelTitle = (name: string): string => `#${name}`;

const mapping = sql`slack_channel.destination_id::text as id, slack_channel.deployment_id::text as installation_id,
  slack_channel.channel_id, slack_channel.channel_name`;

export const listChannels = (tx: Tx, deployment: string): Promise<SlackChannelMapping[]> =>
  tx.all(SlackChannelMapping)`
    select ${mapping} from slack_channel where deployment_id = ${deployment} order by channel_name, destination_id`;

export const findChannel = (tx: Tx, { deployment, id }: DestinationRef): Promise<SlackChannelMapping | undefined> =>
  tx.one(SlackChannelMapping)`
    select ${mapping} from slack_channel where deployment_id = ${deployment} and destination_id = ${id}`;

export async function countChannels(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from slack_channel where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

const Named = z.object({ id: z.string() });

/** The mapping of an action: by the id of the channel, or by its name with or without `#`. */
export async function findChannelByConfig(
  tx: Tx,
  deployment: string,
  { channel_id: id = '', channel_name: name = '' }: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const row = await tx.one(Named)`
    select destination_id as id from slack_channel
    where deployment_id = ${deployment} and (channel_id = ${id}
      or ${id === ''} and channel_name = ${name.trim().replace(/^#/, '')})
    order by destination_id limit 1`;
  return row?.id;
}

/** Maps a channel, or renames its mapping. The caller has locked the number of channels. */
export async function saveChannel(
  tx: Tx,
  deployment: string,
  { channelId, name }: { channelId: string; name: string },
): Promise<string> {
  const known = await findChannelByConfig(tx, deployment, { channel_id: channelId });
  if (known !== undefined) {
    await tx.run`
      update slack_channel set channel_name = ${name}
      where deployment_id = ${deployment} and destination_id = ${known}`;
    await tx.run`
      update destination set name = ${channelTitle(name)} where deployment_id = ${deployment} and id = ${known}`;
    return known;
  }
  const id = await insertDestination(tx, {
    ...{ deployment, kind: SLACK_DESTINATION, key: channelId, name: channelTitle(name) },
  });
  await tx.run`
    insert into slack_channel (deployment_id, destination_id, channel_id, channel_name)
    values (${deployment}, ${id}, ${channelId}, ${name})`;
  return id;
}

/**
 * What each channel is told about, from the automations that send to it: `policies` are their slugs. A channel that one
 * automation tells about all products or projects has an empty list.
 */
export const listSubscriptions = (tx: Tx, deployment: string): Promise<SlackNotificationMapping[]> =>
  tx.all(SlackNotificationMapping)`
    with sender as (
      select slack_channel.destination_id, automation.slug,
        array(select distinct listed.value from jsonb_array_elements(automation.filters->'conditions') as condition,
          jsonb_array_elements_text(condition->'values') as listed
          where condition->>'type' = 'CONDITION_TYPE_PRODUCT' and condition->>'mode' = 'MODE_ANY') as products,
        array(select distinct project.name from jsonb_array_elements(automation.filters->'conditions') as condition,
          jsonb_array_elements_text(condition->'values') as listed
          join project on project.deployment_id = ${deployment} and project.id::text = listed.value
          where condition->>'type' = 'CONDITION_TYPE_REPOSITORY_ID' and condition->>'mode' = 'MODE_ANY') as projects
      from slack_channel
      join automation on automation.deployment_id = slack_channel.deployment_id and automation.deleted_at is null
        and automation.mode <> 'paused'
      where slack_channel.deployment_id = ${deployment} and exists (
        select from jsonb_array_elements(automation.actions) as action
        where action->>'type' = 'ACTION_TYPE_SLACK_APP' and (
          action->'config'->>'channel_id' = slack_channel.channel_id
          or coalesce(action->'config'->>'channel_id', '') = ''
            and ltrim(action->'config'->>'channel_name', '#') = slack_channel.channel_name))),
    subscription as (
      select destination_id, array_agg(slug order by slug) as policies,
        case when bool_or(products = '{}') then '{}' else array(
          select distinct product from sender as other, unnest(other.products) as product
          where other.destination_id = sender.destination_id order by product) end as products,
        case when bool_or(projects = '{}') then '{}' else array(
          select distinct project from sender as other, unnest(other.projects) as project
          where other.destination_id = sender.destination_id order by project) end as projects
      from sender group by destination_id)
    select ${mapping}, slack_channel.deployment_id as deployment_id, deployment.slug as deployment_slug,
      installation.team_id, installation.team_name,
      products = '{}' or 'sast' = any(products) as sast_enabled,
      products = '{}' or 'sca' = any(products) as sca_enabled,
      products, projects, policies
    from subscription
    join slack_channel on slack_channel.deployment_id = ${deployment}
      and slack_channel.destination_id = subscription.destination_id
    join slack_installation as installation on installation.deployment_id = ${deployment}
    join deployment on deployment.id = ${deployment}
    order by slack_channel.channel_name, slack_channel.destination_id`;
