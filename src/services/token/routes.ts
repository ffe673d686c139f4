import * as store from '#domain/accounts/api-tokens.ts';
import { hashToken } from '#domain/accounts/authenticator.ts';
import { type ApiToken, MAX_TOKENS, TOKEN_QUOTA } from '#domain/accounts/shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { makeTokenText, tokenSuffix } from '#kernel/crypto/token-text.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { expiryOf, filterProblem } from './rules.ts';

const DEFAULT_OVERLAP_SECONDS = 24 * 3600;

type TokenRights = Pick<ApiToken, 'name' | 'role' | 'webApi' | 'scopes' | 'expiresAt'>;

/** Creates a token with these rights for the caller, within the quota. */
async function make(
  { tx, caller, services, answer }: Pick<Call, 'tx' | 'caller' | 'services' | 'answer'>,
  rights: TokenRights,
) {
  const { deployment, userId } = caller;
  if ((await store.lockAndCount(tx, { deployment, account: userId })) >= MAX_TOKENS)
    throw TOKEN_QUOTA({ most: MAX_TOKENS });
  const text = makeTokenText('api');
  const token = await store.insert(tx, {
    deployment,
    name: rights.name,
    role: rights.role,
    purpose: 'TOKEN_PURPOSE_API',
    hasWebApi: rights.webApi,
    scopes: rights.scopes,
    hash: hashToken(services.keys.derive('api-token'), reveal(text)),
    suffix: tokenSuffix(text),
    createdBy: userId,
    expiresAt: rights.expiresAt,
  });
  answer.recordEffect({ object: `token/${token.id}`, after: token });
  return { token, secret: reveal(text) };
}

/** TokenService: API tokens. */
export const token = group(
  'TokenService',
  contract,
  {
    deleteTokens: async ({ path, query, tx }) => {
      const { purpose, roleFilter } = query;
      const reason = filterProblem(purpose, roleFilter);
      if (reason !== undefined || purpose === undefined) throw contract.TOKEN_FILTER_REFUSED({ reason: reason ?? '' });
      return { deletedCount: await store.revokeMany(tx, path.deploymentId, { purpose, role: roleFilter }) };
    },

    createToken: async (call) => {
      const { name, role, webApi, scopes = [], expiresAt: requestedExpiry } = call.body;
      const expiresAt = expiryOf(requestedExpiry, call.now);
      if (!expiresAt) throw contract.TOKEN_EXPIRY_REFUSED({ days: contract.MAX_TOKEN_DAYS });
      return make(call, { name, role, webApi, scopes, expiresAt });
    },

    listTokens: async ({ path, page, tx }) => {
      const { items, cursor } = page.close(await store.list(tx, path.deploymentId, page.window), ({ id }) => [id]);
      return { tokens: items, cursor };
    },

    deleteToken: async ({ path, tx, answer }) => {
      if ((await store.revoke(tx, path.deploymentId, path.tokenId)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `token/${path.tokenId}` });
      return {};
    },

    rotateToken: async (call) => {
      const { path, body, tx, now } = call;
      const old = await store.findForUpdate(tx, path.deploymentId, path.tokenId);
      if (!old) throw NOT_FOUND();
      const lifetimeMs = old.expiresAt.getTime() - old.createdAt.getTime();
      const overlapMs = (body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS) * 1000;
      const made = await make(call, { ...old, expiresAt: new Date(now.getTime() + lifetimeMs) });
      const end = new Date(now.getTime() + overlapMs);
      await store.expireBy(tx, { deployment: path.deploymentId, id: path.tokenId }, end);
      return made;
    },
  },
  {
    objects: {
      tokenId: async (tx, { deployment, id }) =>
        (await store.find(tx, deployment, id)) ? new Set<string>() : undefined,
    },
  },
);
