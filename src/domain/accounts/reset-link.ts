import { z } from 'zod';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { passwordDigest } from './device-cookie.ts';

const PURPOSE = 'password-reset';
const PREFIX = 'prs_';

const ResetLink = z.object({
  account: z.string(),
  /** Changes with the password, so that a link works once, and not after another change. */
  password: z.string(),
  untilMs: z.int(),
});
export type ResetLink = z.output<typeof ResetLink>;

export const resetLinkOf = (
  account: { id: string; password_hash?: string | undefined },
  { now, lifetimeMs }: { now: Date; lifetimeMs: number },
): ResetLink => ({
  account: account.id,
  password: passwordDigest(account.password_hash ?? ''),
  untilMs: now.getTime() + lifetimeMs,
});

/** The token is sealed when it is needed, so that neither a table nor a queue stores it. */
export const resetToken = (keys: KeyRing, link: ResetLink): Secret =>
  new Secret(PREFIX + seal(keys.derive('password-reset'), PURPOSE, JSON.stringify(link)));

/** The token is in the fragment, which browsers send to no server. */
export const resetAddress = (baseUrl: string, token: Secret): string => `${baseUrl}/reset-password#t=${reveal(token)}`;

/** The link of a token; undefined if this server did not make it or it has expired. */
export function parseResetToken(keys: KeyRing, token: Secret, now: Date): ResetLink | undefined {
  const text = reveal(token);
  const content = text.startsWith(PREFIX)
    ? unseal(keys.derive('password-reset'), PURPOSE, text.slice(PREFIX.length))
    : undefined;
  const parsed = content && ResetLink.safeParse(JSON.parse(content.toString('utf8')));
  return parsed?.success && parsed.data.untilMs > now.getTime() ? parsed.data : undefined;
}
