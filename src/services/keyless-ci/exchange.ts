import type { JWTPayload } from 'jose';
import * as tokens from '#domain/accounts/api-tokens.ts';
import { hashToken } from '#domain/accounts/authenticator.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { makeTokenText, tokenSuffix } from '#kernel/crypto/token-text.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { CI_TOKEN_REFUSED, type exchangeCiToken } from './contract.ts';
import { projectOf, unmetCondition } from './rules.ts';
import * as store from './store.ts';
import { hashOfUse, issuerOf, verifyJobToken } from './verify-job-token.ts';

type ExchangeCall = Call<typeof exchangeCiToken>;

interface Accepted {
  trust: store.VersionedTrust;
  claims: JWTPayload;
  project: string;
}

/** Exchanges the token of a CI job for a scanner token, under the first trust whose conditions it meets. */
export async function exchange(call: ExchangeCall) {
  const { body } = call;
  const issuer = issuerOf(body.subject_token);
  const trusts = issuer === undefined ? [] : await call.read((tx) => store.listByIssuer(tx, body.audience, issuer));
  let refused: { trust: store.VersionedTrust; refusal: string } | undefined;
  for (const trust of trusts) {
    const result = await check(call, trust);
    if (typeof result === 'object') return issueOnce(call, result);
    if (result !== undefined) refused ??= { trust, refusal: result };
  }
  if (refused) await recordRefusal(call, refused.trust, refused.refusal);
  throw CI_TOKEN_REFUSED();
}

/** What a trust makes of the token: it accepts it, or says why not; undefined if the issuer did not sign it. */
async function check(
  { body, services, now }: ExchangeCall,
  trust: store.VersionedTrust,
): Promise<Accepted | string | undefined> {
  const options = { keys: services.issuerKeys, tenant: trust.deployment, now };
  const verified = await verifyJobToken(body.subject_token, trust, options);
  if (!verified) return undefined;
  const { claims, refusal } = verified;
  const unmet = refusal ?? unmetCondition(trust.conditions, claims);
  if (unmet !== undefined) return unmet;
  const project = projectOf(trust.project, claims);
  return project === undefined ? `The claims of ${trust.project} are missing.` : { trust, claims, project };
}

/** Only of tokens that the issuer signed, so that nobody else can fill the audit trail. */
async function recordRefusal(call: ExchangeCall, trust: store.VersionedTrust, refusal: string): Promise<void> {
  call.answer.actor = { ...anonymousCaller, deployment: trust.deployment };
  call.answer.recordEffect({ object: `ci-trust/${trust.id}`, after: { refusal } });
  await call.transact((tx) => store.recordRefusal(tx, trust, { refusal, now: call.now }), CI_TOKEN_REFUSED.code);
}

/** The token was exchanged before, or the trust has changed since it was read. */
class TokenReused extends Error {}

async function issueOnce(call: ExchangeCall, accepted: Accepted) {
  try {
    return await issue(call, accepted);
  } catch (error) {
    if (!(error instanceof TokenReused)) throw error;
    await recordRefusal(call, accepted.trust, 'The token was exchanged before; each is accepted once.');
    throw CI_TOKEN_REFUSED();
  }
}

const MAX_NAME_LENGTH = 100;

async function issue(call: ExchangeCall, { trust, claims, project }: Accepted) {
  const { body, services, now, answer } = call;
  const { deployment, lifetimeSeconds } = trust;
  const text = makeTokenText('api');
  const name = `CI: ${project || String(claims.sub)}`.slice(0, MAX_NAME_LENGTH);
  const use = {
    deployment,
    hash: hashOfUse(body.subject_token, claims),
    expiresAt: new Date(Number(claims.exp) * 1000),
  };
  return call.transact(async (tx) => {
    const isFirstUse = (await store.recordUse(tx, trust, { project, now })) && (await store.claimUse(tx, use));
    if (!isFirstUse) throw new TokenReused();
    const token = await tokens.insert(tx, {
      deployment,
      name,
      role: 'TOKEN_ROLE_AGENT_CLI',
      purpose: 'TOKEN_PURPOSE_CI',
      hasWebApi: false,
      scopes: [],
      hash: hashToken(services.keys.derive('api-token'), reveal(text)),
      suffix: tokenSuffix(text),
      expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
      job: { trust: trust.id, project },
    });
    answer.actor = { ...anonymousCaller, kind: 'token', credential: `token:${token.id}`, name, deployment };
    answer.recordEffect({ object: `token/${token.id}`, after: { ...token, trust: trust.id, project } });
    return {
      access_token: reveal(text),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' as const,
      token_type: 'Bearer' as const,
      expires_in: lifetimeSeconds,
      project,
    };
  });
}
