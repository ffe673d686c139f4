import { calculatePKCECodeChallenge } from 'openid-client';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { beginFlow, flowCookie, redirectUriOf, type SignInFlow } from '../sign-in-flow.ts';
import type { SignInProvider } from '../sign-in-provider.ts';
import { SsoRefusal } from '../sso-refusal.ts';
import { githubAuthorizationUrl, redeemGithubCode } from './github-client.ts';
import { authorizationUrl, type OidcAccess, type ProviderAnswer, redeemCode } from './oidc-client.ts';
import { redeemSamlResponse, samlAuthorizationUrl } from './saml-client.ts';

export interface FlowAccess extends OidcAccess {
  keys: KeyRing;
  baseUrl: string;
}

interface NewFlow {
  provider: SignInProvider;
  mode: SignInFlow['mode'];
  account: string;
  next: string;
  loginHint?: string | undefined;
}

const isSaml = ({ type }: SignInProvider): boolean => type === 'SSO_TYPE_SAML2';
const isGithub = ({ type }: SignInProvider): boolean => type === 'SSO_TYPE_SCMHOST';

/** Begins a sign-in in a browser: where it goes, and the cookie that it brings back. */
export async function startFlow(access: FlowAccess, { provider, loginHint, ...about }: NewFlow) {
  const { deployment, id, version } = provider;
  if (provider.type === 'SSO_TYPE_SIMPLE')
    throw new SsoRefusal('discovery', 'People of this provider sign in with a password.');
  if (isSaml(provider)) {
    const flow = beginFlow({ ...about, deployment, provider: id, version }, access.now);
    const redirectUrl = await samlAuthorizationUrl(access.baseUrl, provider, flow);
    return { redirectUrl, cookie: flowCookie(access.keys, flow) };
  }
  if (provider.clientId === '') throw new SsoRefusal('discovery', 'The provider has no client id.');
  const flow = beginFlow({ ...about, deployment, provider: id, version }, access.now);
  const redirectUri = redirectUriOf(access.baseUrl, id);
  const redirectUrl = isGithub(provider)
    ? await githubAuthorizationUrl(provider, {
        ...flow,
        redirectUri,
        challenge: await calculatePKCECodeChallenge(flow.verifier),
      })
    : await authorizationUrl(access, provider, { ...flow, redirectUri, loginHint });
  return { redirectUrl, cookie: flowCookie(access.keys, flow) };
}

/** Verifies what the browser brought back from the provider. */
export function finishFlow(
  access: FlowAccess,
  provider: SignInProvider,
  { flow, parameters }: { flow: SignInFlow; parameters: string },
): Promise<ProviderAnswer> {
  if (isSaml(provider)) {
    const response = new URLSearchParams(parameters).get('SAMLResponse') ?? '';
    return redeemSamlResponse(access.baseUrl, provider, flow.state === '' ? undefined : flow, response);
  }
  const returned = { ...flow, redirectUri: redirectUriOf(access.baseUrl, provider.id) };
  return (isGithub(provider) ? redeemGithubCode : redeemCode)(access, provider, returned, parameters);
}
