import { isIPv6 } from 'node:net';
import { dummyHash, verifyPassword } from '#kernel/crypto/password.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import type { RateLimits } from '#kernel/http/limits/rate-limits.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { deviceIn, isDeviceOf } from './device-cookie.ts';
import { type Account, emailKey } from './store.ts';

export interface PasswordGuess {
  email: string;
  password: Secret;
  /** The network address of the caller. */
  address: string;
  cookie: string;
  now: Date;
  findAccount(): Promise<Account | undefined>;
}

type OpenAccount = Account & { password_hash: string };

/** True for an account that somebody can sign in to with a password. */
const isOpen = (account: Account | undefined): account is OpenAccount =>
  account?.password_hash !== undefined && !account.disabled_at && !account.deleted_at;

/**
 * Checks a password within the limits of guesses, or throws RATE_LIMITED. A guess counts before it is checked, so that
 * guesses sent at once do not exceed a limit, and a correct password does not count. Takes as long for an address
 * without an account.
 */
export async function checkPassword(
  { limits, keys }: Pick<Services, 'limits' | 'keys'>,
  guess: PasswordGuess,
): Promise<{ account: Account | undefined; isCorrect: boolean }> {
  const device = deviceIn(keys.derive('device'), guess.cookie, guess.now);
  // Strangers are refused before anything is read.
  let buckets = device ? [] : strangerBuckets(guess);
  takeAll(limits, buckets);
  const account = await guess.findAccount();
  const open = isOpen(account) ? account : undefined;
  if (device) {
    const isKnown = open !== undefined && isDeviceOf(device, open);
    buckets = isKnown ? [['login', `device ${device.device}`]] : strangerBuckets(guess);
    takeAll(limits, buckets);
  }
  const isRight = await verifyPassword(guess.password, open?.password_hash ?? dummyHash, networkOf(guess.address));
  const isCorrect = isRight && open !== undefined;
  if (isCorrect) for (const bucket of buckets) limits.giveBack(...bucket);
  return { account, isCorrect };
}

type Bucket = readonly [policy: string, key: string];

/**
 * Strangers share the limit of an account, of which one network can use half, and the larger limit of their network. A
 * known device of the account has a limit of its own instead, so that guesses of others do not keep it out, whether
 * they come from everywhere or from behind the same proxy.
 */
function strangerBuckets({ email, address }: PasswordGuess): Bucket[] {
  const [account, network] = [emailKey(email), networkOf(address)];
  return [
    ['login-pair', `${network} ${account}`],
    ['login-address', network],
    ['login', `account ${account}`],
  ];
}

/** Takes from all buckets or from none. */
function takeAll(limits: RateLimits, buckets: readonly Bucket[]): void {
  const taken: Bucket[] = [];
  try {
    for (const bucket of buckets) {
      limits.take(...bucket);
      taken.push(bucket);
    }
  } catch (error) {
    for (const bucket of taken) limits.giveBack(...bucket);
    throw error;
  }
}

/** The first 64 bits of an IPv6 address, because one customer has all addresses that begin with them. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
