import * as tokens from '#domain/accounts/api-tokens.ts';
import { hashToken } from '#domain/accounts/authenticator.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { makeTokenText, tokenSuffix } from '#kernel/crypto/token-text.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './settings-contract.ts';
import * as store from './settings-store.ts';

const TOKEN_LIFETIME_MS = 365 * 24 * 3600 * 1000;

async function settingsOf({ tx, services }: Pick<Call, 'tx' | 'services'>, deployment: string) {
  const baseUrl = `${services.baseUrl}/scim/v2`;
  const found = await store.find(tx, deployment);
  if (!found) return { baseUrl, enabled: false, tokenSuffix: '', lastChange: '', users: 0, groups: 0 };
  const { tokenId: _, suffix, lastUsedAt, ...rest } = found;
  const calls = [lastUsedAt, rest.lastChangeAt].flatMap((at) => at ?? []);
  const lastCallAt = calls.length === 0 ? {} : { lastCallAt: new Date(Math.max(...calls.map(Number))) };
  return { baseUrl, enabled: true, tokenSuffix: suffix, ...rest, ...lastCallAt };
}

/** ScimSettingsService: the token of an identity provider that provisions people. */
export const scimSettings = group('ScimSettingsService', contract, {
  getScimSettings: async (call) => ({ settings: await settingsOf(call, call.path.deploymentId) }),

  createScimToken: async (call) => {
    const { path, tx, caller, services, now, answer } = call;
    const deployment = path.deploymentId;
    await lockLimit(tx, { deployment, limit: 'scim-token' });
    await store.revokeTokens(tx, deployment);
    const text = makeTokenText('service');
    // Without a creator, so that provisioning does not end when the administrator leaves.
    const token = await tokens.insert(tx, {
      deployment,
      name: 'SCIM provisioning',
      role: 'TOKEN_ROLE_SCIM',
      purpose: 'TOKEN_PURPOSE_SCIM',
      hasWebApi: false,
      scopes: [],
      hash: hashToken(services.keys.derive('api-token'), reveal(text)),
      suffix: tokenSuffix(text),
      expiresAt: new Date(now.getTime() + TOKEN_LIFETIME_MS),
    });
    await store.save(tx, { deployment, token: token.id, account: caller.userId });
    answer.recordEffect({ object: `token/${token.id}`, after: token });
    return { settings: await settingsOf(call, deployment), secret: reveal(text) };
  },

  deleteScimToken: async ({ path, tx, answer }) => {
    answer.recordEffect({ object: 'scim', after: { revoked: await store.revokeTokens(tx, path.deploymentId) } });
    return {};
  },
});
