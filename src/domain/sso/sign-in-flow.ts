import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { cookieIn } from '#domain/accounts/device-cookie.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import type { Tx } from '#kernel/db/tx.ts';

const COOKIE = '__Host-parapet_sso';
const PURPOSE = 'sso-flow';
const LIFETIME_SECONDS = 15 * 60;
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

const SignInFlow = z.object({
  deployment: z.string(),
  provider: z.string(),
  /** A provider that was changed in between may no longer be the one that the person chose. */
  version: z.int(),
  mode: z.enum(['sign-in', 'test', 'link']),
  /** Who started a test or links their account; empty for a sign-in. */
  account: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** A path of this server. */
  next: z.string(),
  untilMs: z.int(),
});
/** A sign-in that has begun in a browser. The browser keeps it, sealed, so that beginning one writes nothing. */
export type SignInFlow = z.output<typeof SignInFlow>;

const token = (): string => randomBytes(32).toString('base64url');

export const beginFlow = (
  about: Pick<SignInFlow, 'deployment' | 'provider' | 'version' | 'mode' | 'account' | 'next'>,
  now: Date,
): SignInFlow => ({
  ...about,
  ...{ state: token(), nonce: token(), verifier: token() },
  untilMs: now.getTime() + LIFETIME_SECONDS * 1000,
});

/** A sign-in that the provider began: no browser asked for it. */
export const unsolicitedFlow = (
  about: Pick<SignInFlow, 'deployment' | 'provider' | 'version'>,
  now: Date,
): SignInFlow => ({
  ...about,
  ...{ mode: 'sign-in', account: '', next: '', state: '', nonce: '', verifier: '', untilMs: now.getTime() + 1 },
});

/** Binds the flow to the browser: the code of another browser is useless without this cookie. */
export function flowCookie(keys: KeyRing, flow: SignInFlow): string {
  const text = seal(keys.derive('sso-flow'), PURPOSE, JSON.stringify(flow));
  return `${COOKIE}=${text}; ${ATTRIBUTES}; Max-Age=${LIFETIME_SECONDS}`;
}

export const clearedFlowCookie = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

/** The flow of a cookie that this server sealed and that has not expired. */
export function flowIn(keys: KeyRing, cookieHeader: string, now: Date): SignInFlow | undefined {
  const text = cookieIn(cookieHeader, COOKIE);
  const content = text === undefined ? undefined : unseal(keys.derive('sso-flow'), PURPOSE, text);
  const flow = content && SignInFlow.safeParse(JSON.parse(content.toString('utf8')));
  return flow?.success && flow.data.untilMs > now.getTime() ? flow.data : undefined;
}

export interface UsedOnce {
  deployment: string;
  provider: string;
  key: string;
  /** Until then it could be accepted, and so it is remembered. */
  until: Date;
}

/** False if it was used before, on any server of this database. */
export async function claimOnce(tx: Tx, { deployment, provider, key, until }: UsedOnce, now: Date): Promise<boolean> {
  await tx.run`
    delete from sso_used where deployment_id = ${deployment} and provider_id = ${provider} and expires_at < ${now}`;
  const written = await tx.run`
    insert into sso_used (deployment_id, provider_id, key, expires_at)
    values (${deployment}, ${provider}, ${key}, ${until}) on conflict do nothing`;
  return written === 1;
}

const WAY = 'sso-way';
const Way = z.object({ deployment: z.string(), provider: z.string() });

/** Names a provider to people who are not signed in, without telling its id or deployment. */
export const sealWay = (keys: KeyRing, { deployment, provider }: z.output<typeof Way>): string =>
  seal(keys.derive('sso-flow'), WAY, JSON.stringify({ deployment, provider }));

export function openWay(keys: KeyRing, text: string): z.output<typeof Way> | undefined {
  const content = unseal(keys.derive('sso-flow'), WAY, text);
  return content ? Way.parse(JSON.parse(content.toString('utf8'))) : undefined;
}

/** Where the provider returns to: an address of its own, so that it cannot pass off the code of another provider. */
export const redirectUriOf = (baseUrl: string, provider: string): string => `${baseUrl}/sso/${provider}`;
