import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';

const NAME = '__Host-parapet_device';
const PURPOSE = 'device';
const LIFETIME_SECONDS = 180 * 24 * 3600;

const KnownDevice = z.object({
  device: z.string(),
  account: z.string(),
  /** Changes with the password, so that whoever knew an old one is a stranger again. */
  password: z.string(),
  untilMs: z.int(),
});
/** A browser or program that has signed in to an account before. */
export type KnownDevice = z.output<typeof KnownDevice>;

/** Names a password in what is bound to it, without telling anything about it. */
export const passwordDigest = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16);

/** The device that a cookie of this server names; undefined if there is none or it has expired. */
export function deviceIn(key: KeyObject, cookieHeader: string, now: Date): KnownDevice | undefined {
  const text = cookieIn(cookieHeader, NAME);
  const content = text === undefined ? undefined : unseal(key, PURPOSE, text);
  const parsed = content && KnownDevice.safeParse(JSON.parse(content.toString('utf8')));
  return parsed?.success && parsed.data.untilMs > now.getTime() ? parsed.data : undefined;
}

interface DeviceOwner {
  id: string;
  password_hash: string;
}

/** True if somebody signed in to this account, with its current password, on this device. */
export const isDeviceOf = ({ account, password }: KnownDevice, owner: DeviceOwner): boolean =>
  account === owner.id && password === passwordDigest(owner.password_hash);

/** The cookie of a known device. It signs nobody in: it only keeps others from using up the guesses of the device. */
export function deviceCookie(key: KeyObject, owner: DeviceOwner, { known, now }: { known?: KnownDevice; now: Date }) {
  const isKnown = known && isDeviceOf(known, owner);
  const content: KnownDevice = {
    device: isKnown ? known.device : randomBytes(12).toString('base64url'),
    account: owner.id,
    password: passwordDigest(owner.password_hash),
    untilMs: now.getTime() + LIFETIME_SECONDS * 1000,
  };
  const text = seal(key, PURPOSE, JSON.stringify(content));
  return `${NAME}=${text}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${LIFETIME_SECONDS}`;
}

/** The value of a cookie in a Cookie header. */
export function cookieIn(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
