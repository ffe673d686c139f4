import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { Semaphore } from '#kernel/concurrency/semaphore.ts';
import { isEqualSecret } from '#kernel/crypto/equal.ts';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const MAX_COST = { memory: 262_144, passes: 10, parallelism: 4 } as const;
const SALT_LENGTH = 16;
const TAG_LENGTH = 32;
const PHC_PATTERN =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9])\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

// Leaves one thread of Node's default pool of four for files and DNS lookups; one more is reserved for a group that
// waits while others use all.
const semaphore = new Semaphore({ maxRunning: 2, maxWaiting: 256 });

type Stored = { readonly cost: Record<keyof typeof COST, number>; readonly salt: Buffer; readonly tag: Buffer };

const DUMMY: Stored = { cost: COST, salt: randomBytes(SALT_LENGTH), tag: randomBytes(TAG_LENGTH) };

/** A hash that no password matches: verifying against it takes as long for an unknown user as for a known one. */
export const dummyHash = format(DUMMY);

/** Hashes the NFC form of a password with Argon2id; the result is a PHC string. */
export async function hashPassword(password: Secret): Promise<string> {
  if (!reveal(password).isWellFormed()) throw new TypeError('The password contains a lone surrogate.');
  const salt = randomBytes(SALT_LENGTH);
  return format({ cost: COST, salt, tag: await tagOf(password, { cost: COST, salt, tag: Buffer.alloc(TAG_LENGTH) }) });
}

/**
 * Tells whether the password matches the PHC string; an invalid string takes the same time and does not match. Groups,
 * such as network addresses, take turns when many passwords are verified at once.
 */
export async function verifyPassword(password: Secret, phc: string, group = ''): Promise<boolean> {
  const stored = parse(phc);
  const expected = stored ?? DUMMY;
  const isSame = isEqualSecret(await tagOf(password, expected, group), expected.tag);
  return isSame && stored !== null && reveal(password).isWellFormed();
}

/** Tells whether a hash was made with other costs than the current ones, so that the next sign-in renews it. */
export function needsNewHash(phc: string): boolean {
  const stored = parse(phc);
  return stored === null || !format(stored).startsWith(prefixOf(COST)) || stored.tag.length !== TAG_LENGTH;
}

function tagOf(password: Secret, { cost, salt, tag }: Stored, group = ''): Promise<Buffer> {
  const message = Buffer.from(reveal(password).normalize('NFC'), 'utf8');
  const work = () => derive('argon2id', { ...cost, message, nonce: salt, tagLength: tag.length });
  return semaphore.run(work, { group });
}

function prefixOf(cost: Stored['cost']): string {
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;
}

function format({ cost, salt, tag }: Stored): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `${prefixOf(cost)}${saltText}$${tagText}`;
}

function parse(phc: string): Stored | null {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC_PATTERN.exec(phc) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isAffordable = (Object.keys(COST) as (keyof typeof COST)[]).every((name) => cost[name] <= MAX_COST[name]);
  if (!isAffordable || cost.memory < 8 * cost.parallelism) return null;
  const stored = { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
  return format(stored) === phc ? stored : null;
}
