import { createHmac, createSecretKey, hkdfSync, KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createKeyFile, isPresent, readKeyFile } from '#kernel/crypto/keys/key-file.ts';
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
  /** Identifies the key that the database was made with: no other key is accepted, and none is created. */
  readonly fingerprint?: string | undefined;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
};

export type LoadedMasterKey = {
  readonly ring: KeyRing;
  readonly source: 'value' | 'file' | 'data folder';
  /** True on the first start only. */
  readonly isCreated: boolean;
};

/**
 * Loads the master key from the given value, file or data folder, in this order. In the data folder it is created once,
 * for a database that has no key yet.
 */
export async function loadMasterKey(options: MasterKeyOptions): Promise<LoadedMasterKey> {
  const loaded = await loadOrCreate(options);
  const { fingerprint } = options;
  if (fingerprint !== undefined && loaded.ring.fingerprint !== fingerprint)
    throw new UnusableKey(
      `The encryption key (${loaded.ring.fingerprint}) is not the one that this database was made with ` +
        `(${fingerprint}). Put the right key back: PARAPET_MASTER_KEY, or keys/master.key in the data folder. ` +
        'Nothing was changed.',
    );
  return loaded;
}

async function loadOrCreate({ value, file, dataFolder, fingerprint, log }: MasterKeyOptions): Promise<LoadedMasterKey> {
  if (value !== undefined) return { ring: ringOf(reveal(value)), source: 'value', isCreated: false };
  if (file !== undefined) return { ring: await ringFrom(file, log), source: 'file', isCreated: false };
  const ownFile = join(dataFolder, 'keys', 'master.key');
  if (fingerprint !== undefined && !(await isPresent(ownFile))) throw lostKey(ownFile, fingerprint);
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

const lostKey = (file: string, fingerprint: string) =>
  new UnusableKey(
    `The encryption key of this database (${fingerprint}) is missing:\n` +
      `there is no ${file}, and PARAPET_MASTER_KEY is not set.\n` +
      'Restore the file from a backup or from another server of this database, or set PARAPET_MASTER_KEY to its\n' +
      'content. Without this key the database cannot be used; to start anew, use an empty database.\n' +
      'No key was created, and nothing was changed.',
  );

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
