import { permissionsOf } from '#domain/access/roles.ts';
import * as tokens from '#domain/accounts/api-tokens.ts';
import { hashToken } from '#domain/accounts/authenticator.ts';
import * as store from '#domain/accounts/cli-logins.ts';
import { MAX_TOKENS, TOKEN_QUOTA } from '#domain/accounts/shape.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { makeTokenText, tokenSuffix } from '#kernel/crypto/token-text.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const MINUTE_MS = 60_000;
const APPROVAL_LIFETIME_MS = 10 * MINUTE_MS;
const TOKEN_LIFETIME_MS = 90 * 24 * 60 * MINUTE_MS;

const hashKeyOf = (keys: KeyRing) => keys.derive('cli-login');

/** CliLoginService: tokens for command lines whose user has approved the login in a browser. */
export const cliLogin = group('CliLoginService', contract, {
  confirmLogin: async ({ path, body, tx, caller, now, services, answer }) => {
    const deployment = path.deploymentId;
    const creator = { deployment, account: caller.userId };
    const hash = store.hashLoginKey(hashKeyOf(services.keys), body.key);
    const expiresAt = new Date(now.getTime() + APPROVAL_LIFETIME_MS);
    const existing = await tokens.lockAndCount(tx, creator);
    await store.saveApproval(tx, { ...creator, hash, now, expiresAt });
    // Counted afterwards, because an approval of the same key replaces the earlier one.
    if (existing + (await store.countPending(tx, creator)) > MAX_TOKENS) throw TOKEN_QUOTA({ most: MAX_TOKENS });
    answer.recordEffect({ object: 'cli-login', after: { expiresAt } });
    return { expiresAt };
  },

  collectToken: async ({ body, tx, now, services, answer }) => {
    const approved = await store.claim(tx, store.hashLoginKey(hashKeyOf(services.keys), body.token_request_key), now);
    // The role may have changed since the approval.
    if (!approved || !permissionsOf(approved.role).has(contract.confirmLogin.allow)) throw NOT_FOUND();
    const { deployment, account, name, email } = approved;
    if ((await tokens.lockAndCount(tx, { deployment, account })) >= MAX_TOKENS) throw TOKEN_QUOTA({ most: MAX_TOKENS });
    // Generated only now, so that its text is stored nowhere.
    const text = makeTokenText('api');
    const token = await tokens.insert(tx, {
      deployment,
      name: `semgrep login of ${email}`.slice(0, 100),
      role: 'TOKEN_ROLE_AGENT_CLI',
      purpose: 'TOKEN_PURPOSE_CLI',
      hasWebApi: false,
      scopes: [],
      hash: hashToken(services.keys.derive('api-token'), reveal(text)),
      suffix: tokenSuffix(text),
      createdBy: account,
      expiresAt: new Date(now.getTime() + TOKEN_LIFETIME_MS),
    });
    answer.actor = { ...anonymousCaller, kind: 'user', userId: account, name, email, deployment };
    answer.recordEffect({ object: `token/${token.id}`, after: token });
    return { token: reveal(text), user_name: name || email };
  },
});
