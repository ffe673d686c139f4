import { createHash, createPublicKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { IssuerKeys } from '#kernel/auth/issuer-keys.ts';
import { decodeBase64Url } from '#kernel/crypto/encoding.ts';
import { parseJson } from '#kernel/http/json/parse-json.ts';
import type { CiTrust } from './contract.ts';

const LEEWAY_SECONDS = 60;
/** Jobs request their tokens just before they exchange them; GitLab makes them when the job starts. */
const MAX_AGE = '24h';

/** The issuer that an unverified token names, or undefined if it is not a signed token. */
export function issuerOf(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' && iss.length <= 2048 ? iss : undefined;
  } catch {
    return undefined;
  }
}

interface Verification {
  keys: Pick<IssuerKeys, 'find'>;
  tenant: string;
  now: Date;
}

/** Whether the signature is that of the issuer, and the claims; `refusal` says in words what else is wrong. */
export interface VerifiedToken {
  claims: JWTPayload;
  refusal?: string;
}

/** Verifies a token as the trust requires. Undefined if the issuer did not sign it with the algorithm of the trust. */
export async function verifyJobToken(
  token: string,
  trust: Pick<CiTrust, 'issuer' | 'audience' | 'algorithm'>,
  { keys, tenant, now }: Verification,
): Promise<VerifiedToken | undefined> {
  const keyId = strictKeyId(token, trust.algorithm);
  if (keyId === undefined) return undefined;
  const jwk = await keys.find({ issuer: trust.issuer, keyId, tenant });
  if (!jwk || jwk.use === 'enc' || (jwk.alg !== undefined && jwk.alg !== trust.algorithm)) return undefined;
  try {
    const { payload } = await jwtVerify(token, createPublicKey({ key: jwk as never, format: 'jwk' }), {
      algorithms: [trust.algorithm],
      issuer: trust.issuer,
      audience: trust.audience,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: now,
      maxTokenAge: MAX_AGE,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    const { aud } = payload;
    const isOnlyAudience = aud === trust.audience || (Array.isArray(aud) && aud.length === 1);
    return { claims: payload, ...(!isOnlyAudience && { refusal: 'The token has several audiences.' }) };
  } catch (error) {
    // These are thrown only after the signature was verified.
    if (error instanceof errors.JWTExpired) return { claims: error.payload, refusal: 'The token has expired.' };
    if (error instanceof errors.JWTClaimValidationFailed)
      return { claims: error.payload, refusal: `The claim ${error.claim} is missing or not accepted.` };
    return undefined;
  }
}

/** The key id of a token that is encoded and written in one way only; undefined for any other. */
function strictKeyId(token: string, algorithm: string): string | undefined {
  try {
    const parts = token.split('.').map(decodeBase64Url);
    if (parts.length !== 3 || parts.includes(null)) return undefined;
    for (const part of parts.slice(0, 2)) parseJson(part ?? '');
    const { alg, kid } = decodeProtectedHeader(token);
    return alg === algorithm && typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies a token, so that it is accepted once. Signatures are left out, because some can be rewritten. */
export function hashOfUse(token: string, { iss, jti }: JWTPayload): string {
  const identity =
    typeof jti === 'string' && jti !== '' ? ['jti', iss, jti] : ['text', ...token.split('.').slice(0, 2)];
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
}
