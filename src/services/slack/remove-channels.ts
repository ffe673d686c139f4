import { deleteDestination } from '#domain/automations/deliveries/destination-store.ts';
import { pauseDependents } from '#domain/automations/store.ts';
import { channelTitle } from '#domain/slack/slack-channels.ts';
import type { SlackChannelMapping } from '#domain/slack/slack-shape.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';

export interface ChannelRemoval {
  mappings: readonly SlackChannelMapping[];
  by: string;
  at: Date;
  reason: string;
}

/** Removes channels, and pauses the automations that send to them, so that it shows that they no longer do. */
export async function removeChannels(
  tx: Tx,
  deployment: string,
  { mappings, by, at, reason }: ChannelRemoval,
): Promise<{ id: Id<'Automation'>; name: string }[]> {
  const names = mappings.flatMap(({ channel_name: name }) => [name, channelTitle(name)]);
  const paused = await pauseDependents(tx, deployment, {
    ...{ actions: ['ACTION_TYPE_SLACK_APP'], keys: ['channel_id', 'channel_name'], by, reason },
    values: [...mappings.map(({ channel_id: channel }) => channel), ...names],
  });
  for (const { id } of mappings) await deleteDestination(tx, { deployment, id }, { by, at });
  return paused.map(({ id, name }) => ({ id: id as Id<'Automation'>, name }));
}
