import { z } from 'zod';
import { Secret } from '#kernel/crypto/secret.ts';
import { callSlack, type SlackAccess } from './slack-client.ts';
import type { NewInstallation, StoredSlackApp } from './slack-installations.ts';
import type { SlackConversation } from './slack-shape.ts';

const Named = z.object({ id: z.string(), name: z.string().optional() });
const Access = z.object({
  app_id: z.string(),
  access_token: z.string().min(1),
  scope: z.string(),
  team: Named.nullish(),
  enterprise: Named.nullish(),
});
const Identity = z.object({ url: z.string().optional() });

const isWebUrl = (text: string) => /^https:\/\//.test(text) && URL.canParse(text);

/** Ends an installation: exchanges the code for the token of the bot, and asks where it belongs. */
export async function exchangeCode(
  access: SlackAccess,
  { app, code, redirectUrl }: { app: StoredSlackApp; code: string; redirectUrl: string },
): Promise<Omit<NewInstallation, 'by' | 'at'>> {
  const call = { method: 'oauth.v2.access', form: { code, redirect_uri: redirectUrl }, app };
  const granted = await callSlack(access, call, Access);
  const token = new Secret(granted.access_token);
  const { url = '' } = await callSlack({ ...access, token }, { method: 'auth.test' }, Identity);
  return {
    token,
    app_id: granted.app_id,
    team_id: granted.team?.id ?? granted.enterprise?.id ?? '',
    team_name: granted.team?.name ?? granted.enterprise?.name ?? '',
    enterprise_id: granted.enterprise?.id ?? '',
    enterprise_name: granted.enterprise?.name ?? '',
    url: isWebUrl(url) ? url : '',
    scopes: granted.scope.split(',').filter((scope) => scope !== ''),
  };
}

/** Revokes a token, so that nobody can use it after the installation was deleted. */
export async function revokeToken(access: SlackAccess): Promise<void> {
  await callSlack(access, { method: 'auth.revoke' }, z.object({ revoked: z.boolean().optional() }));
}

const Channel = z.object({
  id: z.string(),
  name: z.string(),
  is_private: z.boolean().optional(),
  is_member: z.boolean().optional(),
  is_archived: z.boolean().optional(),
});
const ChannelPage = z.object({
  channels: z.array(Channel),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});

const shown = ({ id, name, ...channel }: z.output<typeof Channel>): SlackConversation => ({
  channel_id: id,
  channel_name: name,
  is_private: channel.is_private ?? false,
  is_member: channel.is_member ?? false,
});

/** A page of the channels of the workspace that are not archived. */
export async function listConversations(
  access: SlackAccess,
  { cursor, limit }: { cursor: string; limit: number },
): Promise<{ channels: SlackConversation[]; cursor: string }> {
  const form = { exclude_archived: 'true', types: 'public_channel,private_channel', limit: String(limit), cursor };
  const page = await callSlack(access, { method: 'conversations.list', form }, ChannelPage);
  return { channels: page.channels.map(shown), cursor: page.response_metadata?.next_cursor ?? '' };
}

/** One channel that the app can see. */
export async function findConversation(access: SlackAccess, channel: string): Promise<SlackConversation> {
  const { channel: found } = await callSlack(
    access,
    { method: 'conversations.info', form: { channel } },
    z.object({ channel: Channel }),
  );
  return shown(found);
}
