import { domainOf } from '#domain/sso/identity-claims.ts';
import { verifyLogoutToken } from '#domain/sso/protocols/logout-token.ts';
import { samlMetadata } from '#domain/sso/protocols/saml-client.ts';
import { startFlow } from '#domain/sso/protocols/start-flow.ts';
import { claimOnce, openWay, sealWay } from '#domain/sso/sign-in-flow.ts';
import { findDeploymentOf, findOnlySlug, findSignInProvider, listSignInWays } from '#domain/sso/sign-in-provider.ts';
import { egressFailureIn, SsoRefusal } from '#domain/sso/sso-refusal.ts';
import { endSessionsOfSubject } from '#domain/sso/sso-sessions.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { RawReply } from '#kernel/http/pipeline/raw-reply.ts';
import { completeSso } from './complete-sso.ts';
import { samlRelayPage } from './saml-relay-page.ts';
import * as contract from './sso-contract.ts';

async function formOf(upload: AsyncIterable<Buffer>): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of upload) parts.push(part);
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'));
}

async function providerOf(
  { readIn, services }: Pick<Call, 'readIn' | 'services'>,
  deployment: string,
  provider: string,
) {
  const found = await readIn(deployment, (tx) => findSignInProvider(tx, services.keys, { deployment, provider }));
  return found?.isEnabled ? found : undefined;
}

/** SingleSignOnService: signing in with the identity provider of an organization. */
export const singleSignOn = group('SingleSignOnService', contract, {
  listSignInWays: async ({ body, tx, services }) => {
    const { email, organization } = body;
    const slug = organization ?? (email === undefined ? await findOnlySlug(tx) : undefined);
    if (slug === undefined && email === undefined) return { ways: [] };
    const domain = email === undefined ? null : domainOf(email);
    const ways = await listSignInWays(tx, { slug: slug ?? null, domain });
    return { ways: ways.map(({ name, type, ...ref }) => ({ name, type, way: sealWay(services.keys, ref) })) };
  },

  startSignIn: async (call) => {
    const { body, services, answer, now } = call;
    const way = openWay(services.keys, body.way);
    const provider = way && (await providerOf(call, way.deployment, way.provider));
    if (!provider) throw contract.SSO_UNAVAILABLE();
    try {
      const flow = { provider, mode: 'sign-in' as const, account: '', next: body.next ?? '', loginHint: body.email };
      const { redirectUrl, cookie } = await startFlow({ ...services, now }, flow);
      answer.cookies.push(cookie);
      return { redirectUrl };
    } catch (error) {
      if (error instanceof SsoRefusal) throw contract.SSO_UNAVAILABLE();
      throw error;
    }
  },

  completeSignIn: completeSso,

  relaySamlResponse: async ({ path, upload }) =>
    samlRelayPage(path.provider, (await formOf(upload)).get('SAMLResponse') ?? ''),

  getSamlMetadata: async (call) => {
    const { path, read, services } = call;
    const deployment = await read((tx) => findDeploymentOf(tx, path.provider));
    const ref = { deployment: deployment ?? '', provider: path.provider };
    const provider =
      deployment === undefined
        ? undefined
        : await call.readIn(deployment, (tx) => findSignInProvider(tx, services.keys, ref));
    if (provider?.type !== 'SSO_TYPE_SAML2') throw NOT_FOUND();
    const headers = { 'content-type': 'application/samlmetadata+xml; charset=utf-8' };
    return new RawReply({ headers, body: samlMetadata(services.baseUrl, provider) });
  },

  endProviderSessions: async (call) => {
    const { path, services, answer, now, upload, read, transact } = call;
    const token = (await formOf(upload)).get('logout_token') ?? '';
    answer.headers['cache-control'] = 'no-store';
    answer.recordEffect({ object: `sso-provider/${path.provider}` });
    const deployment = await read((tx) => findDeploymentOf(tx, path.provider));
    const provider = deployment === undefined ? undefined : await providerOf(call, deployment, path.provider);
    if (deployment === undefined || !provider) throw contract.SSO_LOGOUT_REFUSED();
    answer.actor = { ...anonymousCaller, deployment };
    try {
      const order = await verifyLogoutToken({ egress: services.egress, now }, provider, token);
      return await transact(async (tx) => {
        const at = { deployment, provider: provider.id };
        if (!(await claimOnce(tx, { ...at, key: `logout ${order.id}`, until: order.until }, now)))
          throw contract.SSO_LOGOUT_REFUSED();
        const ended = await endSessionsOfSubject(tx, { ...at, ...order });
        answer.recordEffect({ object: `sso-provider/${provider.id}`, after: { endedSessions: ended } });
        return {};
      });
    } catch (error) {
      if (error instanceof SsoRefusal || egressFailureIn(error)) throw contract.SSO_LOGOUT_REFUSED();
      throw error;
    }
  },
});
