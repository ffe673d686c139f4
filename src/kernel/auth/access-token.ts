import { createHash } from 'node:crypto';
import { type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { decodeBase64Url } from '#kernel/crypto/encoding.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';
import { parseJson } from '#kernel/http/json/parse-json.ts';

const ALGORITHM = 'EdDSA';
const TYPE = 'at+jwt';
const AUDIENCE = 'parapet-api';
/** The signing key is unique to this installation, so the issuer's name need not be. */
const ISSUER = 'parapet';
const LEEWAY_SECONDS = 60;
/** With the leeway a token is valid for at most 15 minutes. */
const LIFETIME_SECONDS = 14 * 60;
const MAX_CACHED_TOKENS = 10_000;
const HEADER_MEMBERS = new Set(['alg', 'typ', 'kid']);

export interface AccessClaims {
  userId: string;
  sessionId: string;
}

interface Verified extends AccessClaims {
  expiresAtSeconds: number;
}

/** Issues and verifies the access tokens of signed-in users: one algorithm, one key, nothing chosen by the header. */
export class AccessTokens {
  readonly #key: ReturnType<typeof ed25519From>;
  readonly #verified = new Map<string, Verified>();

  constructor(keys: KeyRing) {
    this.#key = ed25519From(keys.derive('access-token'));
  }

  async issue({ userId, sessionId }: AccessClaims, now: Date): Promise<{ token: string; expiresAt: Date }> {
    const issuedAt = Math.floor(now.getTime() / 1000);
    const token = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: this.#key.keyId })
      .setSubject(userId)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(this.#key.privateKey);
    return { token, expiresAt: new Date((issuedAt + LIFETIME_SECONDS) * 1000) };
  }

  /** The claims of a valid token, or undefined. Whether the session is still active is up to the authenticator. */
  async verify(token: string, now: Date): Promise<AccessClaims | undefined> {
    const nowSeconds = now.getTime() / 1000;
    const digest = createHash('sha256').update(token).digest('base64url');
    const cached = this.#verified.get(digest);
    if (cached) return cached.expiresAtSeconds + LEEWAY_SECONDS > nowSeconds ? cached : undefined;
    const claims = await this.#check(token, now);
    if (!claims) return undefined;
    if (this.#verified.size >= MAX_CACHED_TOKENS) this.#verified.clear();
    this.#verified.set(digest, claims);
    return claims;
  }

  async #check(token: string, now: Date): Promise<Verified | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#key.publicKey, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        clockTolerance: LEEWAY_SECONDS,
        currentDate: now,
        requiredClaims: ['sub', 'iat', 'exp', 'sid'],
      });
      if (!this.#isOurHeader(protectedHeader as JWTHeaderParameters) || payload.aud !== AUDIENCE) return undefined;
      const parts = token.split('.').map(decodeBase64Url);
      if (parts.includes(null)) return undefined;
      for (const part of parts.slice(0, 2)) parseJson(part ?? '');
      const { sub, sid, exp } = payload;
      if (typeof sub !== 'string' || typeof sid !== 'string' || exp === undefined) return undefined;
      if (!isInt64(sub) || !isInt64(sid)) return undefined;
      return { userId: sub, sessionId: sid, expiresAtSeconds: exp };
    } catch {
      return undefined;
    }
  }

  #isOurHeader(header: JWTHeaderParameters): boolean {
    return header.kid === this.#key.keyId && Object.keys(header).every((name) => HEADER_MEMBERS.has(name));
  }
}
