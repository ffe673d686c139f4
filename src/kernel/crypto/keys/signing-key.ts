import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The PKCS #8 header of an Ed25519 private key, before its 32 bytes. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_LENGTH = 32;

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Identifies the key: the first digits of the hash of the public key. */
  readonly keyId: string;
}

/** The Ed25519 key pair of a derived secret, the same at every start. */
export function ed25519From(secret: KeyObject): SigningKey {
  if (secret.symmetricKeySize !== SEED_LENGTH)
    throw new TypeError(`A signing key needs a secret of ${SEED_LENGTH} bytes.`);
  const der = Buffer.concat([PKCS8_PREFIX, secret.export()]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  const publicKey = createPublicKey(privateKey);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-SEED_LENGTH);
  return { privateKey, publicKey, keyId: createHash('sha256').update(raw).digest('hex').slice(0, 16) };
}
