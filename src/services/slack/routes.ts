import { activateDestination } from '#domain/automations/deliveries/destination-store.ts';
import { recordTest } from '#domain/automations/webhooks/send-test.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import { exchangeCode, findConversation, listConversations, revokeToken } from '#domain/slack/install-slack.ts';
import { issueSlackState, useSlackState, verifySlackState } from '#domain/slack/oauth-state.ts';
import * as channels from '#domain/slack/slack-channels.ts';
import * as installations from '#domain/slack/slack-installations.ts';
import { authorizeUrl, manifestOf, missingScopes, redirectUrlOf } from '#domain/slack/slack-manifest.ts';
import { SLACK_NOT_INSTALLED, type SlackApp } from '#domain/slack/slack-shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import { accessOf, orUnavailable, sendSlackTest } from './call-slack.ts';
import * as contract from './contract.ts';
import { removeChannels } from './remove-channels.ts';

async function appOf({ tx, services }: Pick<Call, 'tx' | 'services'>, deployment: string) {
  const { slug, app } = await installations.findApp(tx, services.keys, deployment);
  return { app, redirectUrl: redirectUrlOf(services.baseUrl, slug) };
}

const shownApp = ({ app, redirectUrl }: Awaited<ReturnType<typeof appOf>>): SlackApp => ({
  client_id: app?.clientId ?? '',
  has_client_secret: app !== undefined,
  redirect_url: redirectUrl,
  manifest: manifestOf({ redirectUrl }),
});

const lockSlack = (tx: Tx, deployment: string) => lockLimit(tx, { deployment, limit: 'slack' });

/** SlackService: the app, its installation, and the channels that automations send to. */
export const slack = group(
  'SlackService',
  contract,
  {
    getSlackChannelMappings: async ({ path, tx }) => ({
      channel_mappings: await channels.listChannels(tx, path.deploymentId),
    }),

    getSlackNotificationMappings: async ({ path, tx }) => ({
      notification_mappings: await channels.listSubscriptions(tx, path.deploymentId),
    }),

    installSlackApp: async ({ path, tx, caller, services, now }) => {
      const { app, redirectUrl } = await appOf({ tx, services }, path.deploymentId);
      if (!app) throw contract.SLACK_APP_MISSING();
      const state = issueSlackState(services.keys, { deployment: path.deploymentId, account: caller.userId }, now);
      return { redirect_url: authorizeUrl(services.slackUrl, { clientId: app.clientId, state, redirectUrl }) };
    },

    deleteSlackInstallation: ({ path, read, transact, caller, services, now, answer }) =>
      withQuantizedDuration(services.sleep, async () => {
        const deployment = path.deploymentId;
        const token = await read((tx) => installations.findBotToken(tx, services.keys, deployment));
        if (!token) throw NOT_FOUND();
        const isRevoked = await revokeToken({ services, tenant: deployment, token }).then(
          () => true,
          () => false,
        );
        return transact(async (tx) => {
          await lockSlack(tx, deployment);
          const before = await installations.findInstallation(tx, deployment);
          if (!before) throw NOT_FOUND();
          const mappings = await channels.listChannels(tx, deployment);
          const by = actorOf(caller);
          const reason = `The Slack installation in ${before.team_name} was deleted.`;
          const paused = await removeChannels(tx, deployment, { mappings, by, at: now, reason });
          await installations.deleteInstallation(tx, deployment);
          answer.recordEffect({ object: 'slack-installation', before, after: { isTokenRevoked: isRevoked } });
          return {
            deployment_id: deployment,
            client_id: before.client_id,
            app_id: before.app_id,
            team_name: before.team_name,
            is_token_revoked: isRevoked,
            paused_automations: paused,
          };
        });
      }),

    getSlackInstallation: async ({ path, tx, services }) => {
      const installed = await installations.findInstallation(tx, path.deploymentId);
      const { app } = await installations.findApp(tx, services.keys, path.deploymentId);
      return {
        deployment_id: path.deploymentId,
        client_id: app?.clientId ?? '',
        app_id: installed?.app_id ?? '',
        enterprise_name: installed?.enterprise_name ?? '',
        enterprise_url: installed && installed.enterprise_id !== '' ? installed.url : '',
        team_name: installed?.team_name ?? '',
        update_available: installed !== undefined && missingScopes(installed.scopes).length > 0,
        archived: installed?.is_auth_revoked ?? false,
      };
    },

    handleSlackCallback: ({ path, body, read, transact, caller, services, now, answer }) =>
      withQuantizedDuration(services.sleep, async () => {
        const deployment = path.deploymentId;
        const { app, redirectUrl } = await read((tx) => appOf({ tx, services }, deployment));
        if (!app) throw contract.SLACK_APP_MISSING();
        const person = { deployment, account: caller.userId, now };
        const state = verifySlackState(services.keys, body.state, person);
        if (!state) throw contract.SLACK_STATE_REFUSED();
        const made = await orUnavailable(
          exchangeCode({ services, tenant: deployment }, { app, code: body.code, redirectUrl }),
        );
        return transact(async (tx) => {
          await lockSlack(tx, deployment);
          if (!(await useSlackState(tx, state, now))) throw contract.SLACK_STATE_REFUSED();
          const before = await installations.findInstallation(tx, deployment);
          if (before && before.team_id !== made.team_id) throw contract.SLACK_INSTALLED({ team: before.team_name });
          await installations.saveInstallation(tx, services.keys, deployment, {
            ...made,
            by: actorOf(caller),
            at: now,
          });
          for (const { id } of await channels.listChannels(tx, deployment))
            await activateDestination(tx, { deployment, id });
          const { token: _, ...after } = made;
          answer.recordEffect({ object: 'slack-installation', ...(before && { before }), after });
          return {
            deployment_id: deployment,
            app_id: made.app_id,
            enterprise_id: made.enterprise_id,
            enterprise_name: made.enterprise_name,
            enterprise_url: made.enterprise_id === '' ? '' : made.url,
            team_id: made.team_id,
            team_name: made.team_name,
          };
        });
      }),

    getSlackApp: async ({ path, tx, services }) => ({
      app: shownApp(await appOf({ tx, services }, path.deploymentId)),
    }),

    setSlackApp: async ({ path, body, tx, services, answer }) => {
      const deployment = path.deploymentId;
      await lockSlack(tx, deployment);
      const installed = await installations.findInstallation(tx, deployment);
      if (installed && installed.client_id !== body.client_id)
        throw contract.SLACK_INSTALLED({ team: installed.team_name });
      const clientSecret = new Secret(body.client_secret);
      await installations.saveApp(tx, services.keys, deployment, { clientId: body.client_id, clientSecret });
      answer.recordEffect({ object: 'slack-app', after: { clientId: body.client_id } });
      return { app: shownApp(await appOf({ tx, services }, deployment)) };
    },

    listSlackConversations: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const access = await accessOf(call, call.path.deploymentId);
        const { after: cursor, count: limit } = call.query;
        const page = await orUnavailable(listConversations(access, { cursor, limit }));
        return { channels: page.channels, after: page.cursor };
      }),

    createSlackChannelMapping: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, body, transact, answer } = call;
        const deployment = path.deploymentId;
        const access = await accessOf(call, deployment);
        const { channel_id: channelId, channel_name: name } = await orUnavailable(
          findConversation(access, body.channel_id),
        );
        return transact(async (tx) => {
          await lockSlack(tx, deployment);
          if (!(await installations.findInstallation(tx, deployment))) throw SLACK_NOT_INSTALLED();
          const known = await channels.findChannelByConfig(tx, deployment, { channel_id: channelId });
          if (known === undefined && (await channels.countChannels(tx, deployment)) >= contract.MAX_SLACK_CHANNELS)
            throw contract.SLACK_CHANNEL_QUOTA({ most: contract.MAX_SLACK_CHANNELS });
          const id = await channels.saveChannel(tx, deployment, { channelId, name });
          await activateDestination(tx, { deployment, id });
          const mapping = await channels.findChannel(tx, { deployment, id });
          if (!mapping) throw new Error('A saved channel was not found.');
          answer.recordEffect({ object: `slack-channel/${id}`, after: mapping });
          return { channel_mapping: mapping };
        });
      }),

    deleteSlackChannelMapping: async ({ path, tx, caller, now, answer }) => {
      const { deploymentId: deployment, mappingId: id } = path;
      await lockSlack(tx, deployment);
      const before = await channels.findChannel(tx, { deployment, id });
      if (!before) throw NOT_FOUND();
      const reason = `The Slack channel ${channels.channelTitle(before.channel_name)} was removed.`;
      const paused = await removeChannels(tx, deployment, {
        ...{ mappings: [before], by: actorOf(caller), at: now, reason },
      });
      answer.recordEffect({ object: `slack-channel/${id}`, before });
      return { paused_automations: paused };
    },

    testSlackChannelMapping: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, transact, now, answer } = call;
        const { deploymentId: deployment, mappingId: id } = path;
        const result = await sendSlackTest(call, { deployment, id });
        const { outcome } = result;
        const isSent = outcome.kind === 'sent';
        const reply = { success: isSent, error_detail: isSent ? '' : outcome.detail };
        answer.recordEffect({ object: `slack-channel/${id}`, after: { test: reply } });
        await transact(async (tx) => {
          await recordTest(tx, { deployment, webhook: id, at: now }, result);
          if (isSent) await activateDestination(tx, { deployment, id });
        });
        return reply;
      }),
  },
  {
    objects: {
      mappingId: async (tx, { deployment, id }) =>
        (await channels.findChannel(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
