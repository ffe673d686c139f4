import { createHmac, createSecretKey, hkdfSync, KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createKeyFile, readKeyFile } from '#kernel/crypto/keys/key-file.ts';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';
import { OperatorError } from '#kernel/errors/operator-error.ts';

export const KEY_LENGTH = 32;
const NAME_PATTERN = /^[a-z][a-z0-9-]{0,62}$/;
const HEX_PATTERN = /^[0-9a-f]{64}$/i;
const BASE64_PATTERN = /^[\w+/-]{43}=?$/;

/** Thrown when key material is unusable; the message never contains any of it. */
export class UnusableKey extends OperatorError {
  override readonly name = 'UnusableKey';
}

/** Holds the master key and derives a named key for each purpose. */
export class KeyRing {
  readonly fingerprint: string;
  readonly #master: KeyObject;
  readonly #derived = new Map<string, KeyObject>();

  constructor(master: KeyObject) {
    requireUsable(master);
    this.#master = master;
    this.fingerprint = fingerprintOf(master);
  }

  derive(name: string): KeyObject {
    const cached = this.#derived.get(name);
    if (cached) return cached;
    if (!NAME_PATTERN.test(name)) throw new TypeError('A key name is kebab-case and at most 63 characters long.');
    const bytes = hkdfSync('sha256', this.#master, new Uint8Array(), `parapet:v1:${name}`, KEY_LENGTH);
    const key = createSecretKey(Buffer.from(bytes));
    this.#derived.set(name, key);
    return key;
  }
}

/** Eight hexadecimal digits that identify a key without revealing it. */
export function fingerprintOf(key: KeyObject): string {
  return createHmac('sha256', key).update('parapet:v1:fingerprint').digest('hex').slice(0, 8);
}

export type MasterKeyOptions = {
  readonly value?: Secret | undefined;
  readonly file?: string | undefined;
  readonly dataFolder: string;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
};

export type LoadedMasterKey = {
  readonly ring: KeyRing;
  readonly source: 'value' | 'file' | 'data folder';
  /** True on the first start only; if the database already has secrets, the key was lost. */
  readonly isCreated: boolean;
};

/**
 * Loads the master key from the given value, file or data folder, in this order; in the data folder it is created once.
 */
export async function loadMasterKey({ value, file, dataFolder, log }: MasterKeyOptions): Promise<LoadedMasterKey> {
  if (value !== undefined) return { ring: ringOf(reveal(value)), source: 'value', isCreated: false };
  if (file !== undefined) return { ring: await ringFrom(file, log), source: 'file', isCreated: false };
  const ownFile = join(dataFolder, 'keys', 'master.key');
  const isCreated = await createKeyFile(ownFile, `${randomBytes(KEY_LENGTH).toString('base64')}\n`);
  const ring = await ringFrom(ownFile, log);
  if (isCreated) {
    log.info(
      { file: ownFile, fingerprint: ring.fingerprint },
      'Created a master key; without it no stored secret can be decrypted.',
    );
  }
  return { ring, source: 'data folder', isCreated };
}

function ringOf(text: string): KeyRing {
  const trimmed = text.trim();
  const isKeyText = HEX_PATTERN.test(trimmed) || BASE64_PATTERN.test(trimmed);
  if (!isKeyText) throw new UnusableKey(`The master key must be ${KEY_LENGTH} bytes written in base64 or hexadecimal.`);
  const bytes = Buffer.from(trimmed, HEX_PATTERN.test(trimmed) ? 'hex' : 'base64');
  return new KeyRing(createSecretKey(bytes));
}

async function ringFrom(file: string, log: MasterKeyOptions['log']): Promise<KeyRing> {
  const { text, isOpenToOthers } = await readKeyFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableKey(`The master key file ${file} cannot be read (${error.code}).`);
  });
  if (isOpenToOthers) log.warn({ file }, 'The master key file is readable by other users; its mode should be 0600.');
  return ringOf(text);
}

function requireUsable(key: unknown): void {
  if (!(key instanceof KeyObject) || key.type !== 'secret') {
    throw new UnusableKey('The master key must be a secret key object, not text, bytes or a key pair.');
  }
  if (key.symmetricKeySize !== KEY_LENGTH) {
    throw new UnusableKey(`The master key must be ${KEY_LENGTH} bytes long, but it has ${key.symmetricKeySize}.`);
  }
  if (new Set(key.export()).size === 1) {
    throw new UnusableKey('The master key repeats one byte; generate a random one.');
  }
}
