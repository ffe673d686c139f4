import * as client from 'openid-client';
import { reveal } from '#kernel/crypto/secret.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { egressFetch } from '#kernel/outbound/egress-fetch.ts';
import type { IdentityClaims } from '../identity-claims.ts';
import type { SignInFlow } from '../sign-in-flow.ts';
import type { SignInProvider } from '../sign-in-provider.ts';
import { egressFailureIn, SsoRefusal } from '../sso-refusal.ts';
import {
  checkDiscoveryDocument,
  type DiscoveryDocument,
  discoveryUrlOf,
  fetchDiscoveryDocument,
} from './discovery-document.ts';
import { refusalOfOidc } from './oidc-refusal.ts';

const TIMEOUT_MS = 8000;
const CACHED_MS = 60_000;
const MAX_CACHED = 500;
const LEEWAY_SECONDS = 60;
const ASYMMETRIC = /^(RS|PS|ES)(256|384|512)$|^(EdDSA|Ed25519)$/;

export interface OidcAccess {
  egress: Egress;
  now: Date;
}

interface CachedDocument {
  document: DiscoveryDocument;
  untilMs: number;
}
/** Without a cache everybody could make this server ask a provider as often as they like. */
const caches = new WeakMap<Egress, Map<string, CachedDocument>>();

/** The checked discovery document of a provider, at most a minute old. */
export async function discover({ egress, now }: OidcAccess, provider: SignInProvider): Promise<DiscoveryDocument> {
  const cache = caches.get(egress) ?? new Map<string, CachedDocument>();
  caches.set(egress, cache);
  const key = `${provider.deployment} ${provider.id} ${provider.version}`;
  const cached = cache.get(key);
  if (cached && cached.untilMs > now.getTime()) return cached.document;
  const wellKnownUrl = discoveryUrlOf(provider);
  if (wellKnownUrl === '') throw new SsoRefusal('discovery', 'The provider has no discovery URL.');
  const document = await fetchDiscoveryDocument(egress, {
    ...{ url: wellKnownUrl, tenant: provider.deployment, timeoutMs: TIMEOUT_MS },
  }).catch((error) => {
    throw new SsoRefusal('provider_reachable', egressFailureIn(error)?.message ?? 'The provider cannot be reached.');
  });
  if (!document) throw new SsoRefusal('discovery', 'The discovery URL does not return a discovery document.');
  const mismatch = checkDiscoveryDocument({ ...provider, wellKnownUrl }, document, (url) => egress.accepts(url));
  if (mismatch) throw new SsoRefusal('discovery', `The discovery document is refused: ${mismatch}.`);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, { document, untilMs: now.getTime() + CACHED_MS });
  return document;
}

/** One algorithm per provider: the configured one, or the default of OpenID Connect, or the first that is announced. */
export function idTokenAlgOf({ idTokenAlg }: Pick<SignInProvider, 'idTokenAlg'>, document: DiscoveryDocument): string {
  const announced = document.id_token_signing_alg_values_supported ?? ['RS256'];
  const [first] = announced.filter((alg) => ASYMMETRIC.test(alg));
  const alg = idTokenAlg || (announced.includes('RS256') ? 'RS256' : first);
  if (alg === undefined) throw new SsoRefusal('discovery', 'The provider announces no asymmetric signature algorithm.');
  return alg;
}

function authenticationOf({ clientSecret }: SignInProvider, document: DiscoveryDocument): client.ClientAuth {
  if (!clientSecret) return client.None();
  const methods = document.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isPostOnly = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
  return (isPostOnly ? client.ClientSecretPost : client.ClientSecretBasic)(reveal(clientSecret));
}

async function configure({ egress, now }: OidcAccess, provider: SignInProvider): Promise<client.Configuration> {
  const document = await discover({ egress, now }, provider);
  const configuration = new client.Configuration(
    document as client.ServerMetadata,
    provider.clientId,
    {
      id_token_signed_response_alg: idTokenAlgOf(provider, document),
      [client.clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
      [client.clockTolerance]: LEEWAY_SECONDS,
    },
    authenticationOf(provider, document),
  );
  configuration[client.customFetch] = egressFetch(egress, { tenant: provider.deployment, timeoutMs: TIMEOUT_MS });
  // The egress client decides which hosts may be called without TLS.
  client.allowInsecureRequests(configuration);
  // Verifies the signature of the ID token even though it comes from the token endpoint.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Where the browser goes to sign in: code flow with PKCE, state and nonce. */
export async function authorizationUrl(
  access: OidcAccess,
  provider: SignInProvider,
  flow: SignInFlow & { redirectUri: string; loginHint?: string | undefined },
): Promise<string> {
  const configuration = await configure(access, provider);
  const { scopes_supported: scopes = [] } = configuration.serverMetadata();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: flow.redirectUri,
    scope: scopes.includes('groups') ? 'openid email profile groups' : 'openid email profile',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(flow.loginHint === undefined ? {} : { login_hint: flow.loginHint }),
  });
  return url.href;
}

/** What a provider has told about a person, after all checks of the protocol. */
export interface ProviderAnswer {
  issuer: string;
  claims: IdentityClaims;
  /** The id of the session at the provider, or empty. */
  idpSession: string;
  /** Where to sign out at the provider, without the address to return to; empty if it offers none. */
  signOutUrl: string;
  /** What may not be used again, such as the id of an assertion. */
  usedOnce?: string;
}

/** Exchanges the code and verifies the ID token. `parameters` is the query with which the browser came back. */
export async function redeemCode(
  access: OidcAccess,
  provider: SignInProvider,
  flow: SignInFlow & { redirectUri: string },
  parameters: string,
): Promise<ProviderAnswer> {
  const configuration = await configure(access, provider);
  try {
    const current = new URL(flow.redirectUri);
    current.search = parameters;
    const tokens = await client.authorizationCodeGrant(configuration, current, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined) throw new SsoRefusal('claims', 'The provider sent no ID token.');
    const isComplete = claims['email'] !== undefined && provider.groupsClaim in claims;
    const { userinfo_endpoint: userinfo, end_session_endpoint: endSession } = configuration.serverMetadata();
    const more =
      userinfo === undefined || isComplete
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    const signOut = endSession === undefined ? undefined : new URL(endSession);
    signOut?.searchParams.set('id_token_hint', tokens.id_token);
    signOut?.searchParams.set('client_id', provider.clientId);
    return {
      issuer: claims.iss,
      // What is signed comes before what is only sent.
      claims: { ...more, ...claims },
      idpSession: typeof claims['sid'] === 'string' ? claims['sid'] : '',
      signOutUrl: signOut?.href ?? '',
    };
  } catch (error) {
    throw refusalOfOidc(error);
  }
}
