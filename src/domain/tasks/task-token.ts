import { jwtVerify, SignJWT } from 'jose';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';

const ALGORITHM = 'EdDSA';
/** Differs from the type of access tokens, and the key does too: neither token is accepted as the other. */
const TYPE = 'task+jwt';
const AUDIENCE = 'parapet-tasks';
const ISSUER = 'parapet';
export const TASK_TOKEN_LIFETIME_SECONDS = 24 * 3600;

/** The claims of a task token: the task, its deployment, and the only principal that may use the token. */
export interface TaskClaims {
  deployment: string;
  task: string;
  principal: string;
}

const keyOf = (keys: KeyRing) => ed25519From(keys.derive('task-token'));

/** Issues the token with which the caller who started a task polls it for a day. */
export async function issueTaskToken(keys: KeyRing, claims: TaskClaims, now: Date): Promise<string> {
  const key = keyOf(keys);
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ dep: claims.deployment, tid: claims.task })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: key.keyId })
    .setSubject(claims.principal)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TASK_TOKEN_LIFETIME_SECONDS)
    .sign(key.privateKey);
}

/** The claims of a valid task token, else undefined. */
export async function verifyTaskToken(keys: KeyRing, token: string, now: Date): Promise<TaskClaims | undefined> {
  const key = keyOf(keys);
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      currentDate: now,
      requiredClaims: ['sub', 'iat', 'exp', 'dep', 'tid'],
    });
    const { sub, dep, tid } = payload as { sub?: unknown; dep?: unknown; tid?: unknown };
    if (protectedHeader.kid !== key.keyId || payload.aud !== AUDIENCE) return undefined;
    if (typeof sub !== 'string' || typeof dep !== 'string' || typeof tid !== 'string') return undefined;
    return isInt64(dep) && isInt64(tid) ? { deployment: dep, task: tid, principal: sub } : undefined;
  } catch {
    return undefined;
  }
}
