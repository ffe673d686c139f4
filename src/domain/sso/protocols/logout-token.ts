import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { z } from 'zod';
import type { SignInProvider } from '../sign-in-provider.ts';
import { SsoRefusal } from '../sso-refusal.ts';
import { discover, idTokenAlgOf, type OidcAccess } from './oidc-client.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const TIMEOUT_MS = 5000;
const LEEWAY_SECONDS = 60;
const MAX_AGE_SECONDS = 600;

const LogoutClaims = z.object({
  iss: z.string(),
  iat: z.number(),
  jti: z.string().min(1).max(512),
  sub: z.string().max(1024).default(''),
  sid: z.string().max(1024).default(''),
  events: z.object({ [EVENT]: z.looseObject({}) }),
  // Tells a logout token from an ID token.
  nonce: z.never().optional(),
});

export interface LogoutOrder {
  issuer: string;
  subject: string;
  idpSession: string;
  /** Used once within this time. */
  id: string;
  until: Date;
}

const isOfIssuer = (token: string, issuer: string): boolean => {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
};

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
export async function verifyLogoutToken(
  { egress, now }: OidcAccess,
  provider: SignInProvider,
  token: string,
): Promise<LogoutOrder> {
  const document = await discover({ egress, now }, provider);
  // Keys are fetched only for a token that could be right.
  if (!isOfIssuer(token, document.issuer)) throw new SsoRefusal('issuer', 'The logout token is of another issuer.');
  const reply = await egress.request({
    ...{ url: document.jwks_uri, method: 'GET', headers: { accept: 'application/json' } },
    ...{ tenant: provider.deployment, timeoutMs: TIMEOUT_MS },
  });
  try {
    const keys = createLocalJWKSet(JSON.parse(reply.body.toString('utf8')) as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [idTokenAlgOf(provider, document)],
      issuer: document.issuer,
      audience: provider.clientId,
      currentDate: now,
      clockTolerance: LEEWAY_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
    });
    const claims = LogoutClaims.parse(payload);
    if (claims.sub === '' && claims.sid === '') throw new SsoRefusal('claims', 'The logout token names nobody.');
    const until = new Date((claims.iat + MAX_AGE_SECONDS + 2 * LEEWAY_SECONDS) * 1000);
    return { issuer: claims.iss, subject: claims.sub, idpSession: claims.sid, id: claims.jti, until };
  } catch (error) {
    if (error instanceof SsoRefusal) throw error;
    throw new SsoRefusal('signature', 'The logout token is not valid.');
  }
}
