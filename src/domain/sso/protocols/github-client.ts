import { z } from 'zod';
import { reveal } from '#kernel/crypto/secret.ts';
import type { EgressReply } from '#kernel/outbound/exchange.ts';
import { domainOf } from '../identity-claims.ts';
import type { SignInFlow } from '../sign-in-flow.ts';
import type { SignInProvider } from '../sign-in-provider.ts';
import { egressFailureIn, SsoRefusal } from '../sso-refusal.ts';
import type { OidcAccess, ProviderAnswer } from './oidc-client.ts';

const TIMEOUT_MS = 8000;
const MAX_TEAM_PAGES = 5;
const PAGE = 100;

/** The endpoints of GitHub, or of a GitHub Enterprise Server at the base URL. */
export function githubEndpointsOf({
  baseUrl,
  authUri,
  tokenUri,
  userinfoUri,
}: Pick<SignInProvider, 'baseUrl' | 'authUri' | 'tokenUri' | 'userinfoUri'>) {
  const host = baseUrl.replace(/\/$/, '') || 'https://github.com';
  const api = host === 'https://github.com' ? 'https://api.github.com' : `${host}/api/v3`;
  return {
    issuer: host,
    authorize: authUri || `${host}/login/oauth/authorize`,
    token: tokenUri || `${host}/login/oauth/access_token`,
    user: userinfoUri || `${api}/user`,
  };
}

/** GitHub has no OpenID Connect for people: OAuth with PKCE and state, then its API says who they are. */
export async function githubAuthorizationUrl(
  provider: SignInProvider,
  flow: SignInFlow & { redirectUri: string; challenge: string },
): Promise<string> {
  const url = new URL(githubEndpointsOf(provider).authorize);
  const parameters = {
    client_id: provider.clientId,
    redirect_uri: flow.redirectUri,
    scope: 'read:user user:email read:org',
    state: flow.state,
    code_challenge: flow.challenge,
    code_challenge_method: 'S256',
    response_type: 'code',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const TokenReply = z.object({
  access_token: z.string().min(1).optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});
const GithubUser = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const GithubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const GithubTeams = z.array(z.object({ slug: z.string(), organization: z.object({ login: z.string() }) }));

/** Exchanges the code and asks who the person is; their groups are `organization` and `organization/team`. */
export async function redeemGithubCode(
  { egress }: OidcAccess,
  provider: SignInProvider,
  flow: SignInFlow & { redirectUri: string },
  parameters: string,
): Promise<ProviderAnswer> {
  const query = new URLSearchParams(parameters);
  // Repeated parameters are an attempt to make two readers disagree.
  const only = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null);
  if (only('state') !== flow.state) throw new SsoRefusal('same_browser', 'The state is not the one that was sent.');
  const code = only('code');
  if (code === null)
    throw new SsoRefusal(
      'provider_answer',
      query.get('error_description') ?? query.get('error') ?? 'There is no code.',
    );
  const endpoints = githubEndpointsOf(provider);
  const tenant = provider.deployment;
  const call = async (request: {
    url: string;
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string;
  }) => {
    try {
      return await egress.request({ ...request, tenant, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      throw new SsoRefusal('provider_reachable', egressFailureIn(error)?.message ?? 'GitHub cannot be reached.');
    }
  };
  const body = new URLSearchParams({
    ...{ client_id: provider.clientId, code, redirect_uri: flow.redirectUri, code_verifier: flow.verifier },
    client_secret: provider.clientSecret ? reveal(provider.clientSecret) : '',
  }).toString();
  const form = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  const answered = await call({ url: endpoints.token, method: 'POST', headers: form, body });
  const { access_token: token, error, error_description: detail } = parse(TokenReply, answered, 'code_exchange');
  if (token === undefined)
    throw new SsoRefusal('code_exchange', [error, detail].filter(Boolean).join(': ') || 'GitHub gave no access token.');
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}`, 'user-agent': 'parapet' };
  const read = async <Schema extends z.ZodType>(schema: Schema, url: string) =>
    parse(schema, await call({ url, method: 'GET', headers }), 'claims');
  const user = await read(GithubUser, endpoints.user);
  const emails = await read(GithubEmails, `${endpoints.user}/emails`);
  const groups = new Set<string>();
  for (let page = 1; page <= MAX_TEAM_PAGES; page++) {
    const teams = await read(GithubTeams, `${endpoints.user}/teams?per_page=${PAGE}&page=${page}`);
    for (const { slug, organization } of teams)
      for (const group of [organization.login, `${organization.login}/${slug}`]) groups.add(group);
    if (teams.length < PAGE) break;
  }
  const isOfDomain = ({ email, verified }: { email: string; verified: boolean }) =>
    verified && provider.emailDomain !== '' && domainOf(email) === provider.emailDomain;
  const chosen = emails.find(isOfDomain) ?? emails.find((entry) => entry.primary);
  const claims = {
    sub: String(user.id),
    preferred_username: user.login,
    name: user.name ?? user.login,
    email: chosen?.email,
    email_verified: chosen?.verified ?? false,
    [provider.groupsClaim || 'groups']: [...groups],
  };
  return { issuer: endpoints.issuer, claims, idpSession: '', signOutUrl: '' };
}

function parse<Schema extends z.ZodType>(schema: Schema, reply: EgressReply, check: 'code_exchange' | 'claims') {
  let value: unknown;
  try {
    value = reply.status === 200 ? JSON.parse(reply.body.toString('utf8')) : undefined;
  } catch {
    // Not JSON: refused below.
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new SsoRefusal(check, `GitHub answered with status ${reply.status}, or not as documented.`);
  return parsed.data;
}
