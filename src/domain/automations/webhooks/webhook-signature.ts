import { createHmac } from 'node:crypto';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';

const PREFIX = 'whsec_';

/** The key of the Standard Webhooks signature: decoded after `whsec_`, otherwise the text itself. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret, 'utf8');

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8');

export interface SignedMessage {
  id: string;
  body: string;
  at: Date;
  /** The current secret, and during a rotation the previous one too. */
  secrets: readonly Secret[];
  /** The secret of the older header, which has room for one signature. */
  legacySecret: Secret | undefined;
}

/** The headers of a message: those of Standard Webhooks, and the older header that receivers of scan results check. */
export function signatureHeaders({ id, body, at, secrets, legacySecret }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => `v1,${hmac(standardKey(reveal(secret)), signed).digest('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
    ...(legacySecret && {
      'X-Semgrep-Signature-256': hmac(Buffer.from(reveal(legacySecret), 'utf8'), body).digest('hex'),
    }),
  };
}
