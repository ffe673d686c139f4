import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import { MAX_CHECK_MS } from '#kernel/outbound/quantized-time.ts';
import {
  type CredentialRecipient,
  errorOfApiStatus,
  errorOfFailure,
  type PartnerCheckError,
  readTokenReply,
} from './rules.ts';

export interface VendorCheck {
  egress: Egress;
  /** The deployment whose quota of outbound calls is used. */
  tenant: string;
  recipient: CredentialRecipient;
  secret: Secret;
  /** For all requests of the check in total. */
  timeoutMs?: number;
}

/** Authenticates at the vendor and calls its API; undefined if the credential works. */
export async function checkAtVendor(check: VendorCheck): Promise<PartnerCheckError | undefined> {
  const endMs = performance.now() + (check.timeoutMs ?? MAX_CHECK_MS);
  const remainingMs = () => Math.max(1, Math.ceil(endMs - performance.now()));
  try {
    const token = await getToken(check, remainingMs);
    if ('error' in token) return token.error;
    const { status } = await check.egress.request({
      url: check.recipient.apiUrl,
      method: 'GET',
      headers: { accept: 'application/json', authorization: new Secret(`Bearer ${token.token}`) },
      tenant: check.tenant,
      timeoutMs: remainingMs(),
    });
    return errorOfApiStatus(status);
  } catch (error) {
    if (error instanceof EgressFailure) return errorOfFailure(error.reason);
    throw error;
  }
}

/** Servers accept the secret in the body or in a header (RFC 6749, 2.3.1), and only trying tells which. */
async function getToken(check: VendorCheck, remainingMs: () => number) {
  const { clientId } = check.recipient;
  const secret = reveal(check.secret);
  const first = await requestToken(check, {
    timeoutMs: remainingMs(),
    form: { client_id: clientId, client_secret: secret },
  });
  if (!('error' in first) || first.error !== 'invalid_client') return first;
  const pair = [clientId, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1)).join(':');
  const authorization = new Secret(`Basic ${Buffer.from(pair).toString('base64')}`);
  return requestToken(check, { timeoutMs: remainingMs(), form: {}, headers: { authorization } });
}

async function requestToken(
  { egress, tenant, recipient }: VendorCheck,
  options: { timeoutMs: number; form: Record<string, string>; headers?: Record<string, Secret> },
) {
  const { status, body } = await egress.request({
    url: recipient.tokenUrl,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
    body: new Secret(new URLSearchParams({ grant_type: 'client_credentials', ...options.form }).toString()),
    tenant,
    timeoutMs: options.timeoutMs,
  });
  return readTokenReply(status, body.toString('utf8'));
}
