import { createHmac } from 'node:crypto';
import { isEqualSecret } from '#kernel/crypto/equal.ts';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';

/** A webhook delivery as it arrived. */
export interface ReceivedDelivery {
  header(name: string): string | undefined;
  bytes: Buffer;
  at: Date;
}

/** What happened. It says when to ask the host, and about what; nothing else of a delivery is believed. */
export type HostEvent =
  | { kind: 'repository'; repository: string }
  | { kind: 'push'; repository: string }
  | { kind: 'pull_request'; repository: string; number: string }
  | { kind: 'installation' }
  | { kind: 'ignored' };

export interface HostDelivery {
  /** Unique at the host; repeated with a redelivery. */
  id: string;
  event: HostEvent;
}

/** Signed times may differ by so much from ours. */
export const MAX_CLOCK_DIFFERENCE_MS = 5 * 60_000;

/** True if the signature is the HMAC of the content with one of the secrets; all are computed, whichever fits. */
export function isSignedBy(
  secrets: readonly Secret[],
  content: Buffer | string,
  signature: string,
  encoding: 'hex' | 'base64' = 'hex',
): boolean {
  const made = secrets.map((secret) => createHmac('sha256', reveal(secret)).update(content).digest(encoding));
  return made.map((one) => isEqualSecret(one, signature)).includes(true);
}

export const isOneOf = (secrets: readonly Secret[], text: string): boolean =>
  secrets.map((secret) => isEqualSecret(reveal(secret), text)).includes(true);

export function parseDelivery(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
