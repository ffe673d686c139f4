import { jwtVerify, SignJWT } from 'jose';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';

const ALGORITHM = 'EdDSA';
/** Not the type of access tokens, and signed with another key: neither is ever taken for the other. */
const TYPE = 'task+jwt';
const AUDIENCE = 'parapet-tasks';
const ISSUER = 'parapet';
export const TASK_TOKEN_LIFETIME_SECONDS = 24 * 3600;

/** What a task token says: which task, of which deployment, and who alone may ask for it. */
export interface TaskClaims {
  deployment: string;
  task: string;
  principal: string;
}

const keyOf = (keys: KeyRing) => ed25519From(keys.derive('task-token'));

/** The text by which the caller who started a task asks for it, for a day. */
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

/** The claims of a good task token; undefined for any other text. */
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
