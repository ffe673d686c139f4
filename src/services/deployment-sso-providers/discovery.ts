import { z } from 'zod';
import type { Egress } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import { MAX_CHECK_MS } from '#kernel/outbound/quantized-time.ts';
import type { DeploymentSsoProvider } from './contract.ts';
import { readCertificate } from './rules.ts';

type Provider = DeploymentSsoProvider['provider'];

export type SsoTestError =
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'denied_address'
  | 'bad_response'
  | 'issuer_mismatch'
  | 'endpoint_mismatch'
  | 'no_discovery'
  | 'certificate_expired'
  | 'certificate_not_yet_valid';

const SUFFIX = '/.well-known/openid-configuration';

const urlText = z
  .string()
  .max(2048)
  .refine((text) => URL.canParse(text));
const Document = z.object({
  issuer: urlText,
  authorization_endpoint: urlText,
  token_endpoint: urlText,
  jwks_uri: urlText,
  userinfo_endpoint: urlText.optional(),
});
type Document = z.output<typeof Document>;

/** How a discovery document disagrees with the stored provider, or undefined. */
export function checkDiscoveryDocument(provider: Provider, document: Document, isCallable: (url: string) => boolean) {
  const { wellKnownUrl, authUri, tokenUri, userinfoUri } = provider.openidData;
  const issuer = wellKnownUrl.endsWith(SUFFIX) ? wellKnownUrl.slice(0, -SUFFIX.length) : undefined;
  // RFC 8414 and OpenID Discovery: the issuer is exactly the URL of the document without its suffix.
  if (issuer !== undefined && document.issuer.replace(/\/$/, '') !== issuer) return 'issuer_mismatch';
  const pairs: [stored: string, announced: string | undefined][] = [
    [authUri, document.authorization_endpoint],
    [tokenUri, document.token_endpoint],
    [userinfoUri, document.userinfo_endpoint],
  ];
  if (pairs.some(([stored, announced]) => stored !== '' && stored !== announced)) return 'endpoint_mismatch';
  const called = [document.token_endpoint, document.jwks_uri, document.userinfo_endpoint];
  return called.every((url) => url === undefined || isCallable(url)) ? undefined : 'denied_address';
}

/** Checks the validity period of a certificate. */
export function checkCertificate(text: string, now: Date): SsoTestError | undefined {
  const certificate = readCertificate(text);
  if (!certificate) return 'bad_response';
  if (now < certificate.validFromDate) return 'certificate_not_yet_valid';
  return now > certificate.validToDate ? 'certificate_expired' : undefined;
}

function errorOfFailure({ reason }: EgressFailure): SsoTestError {
  switch (reason) {
    case 'unreachable':
    case 'timeout':
    case 'tls':
    case 'denied_address':
      return reason;
    case 'bad_url':
      return 'denied_address';
    default:
      return 'bad_response';
  }
}

function parseDocument(text: string): Document | undefined {
  try {
    return Document.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function testDiscovery(egress: Egress, tenant: string, provider: Provider): Promise<SsoTestError | undefined> {
  const address = provider.openidData.wellKnownUrl;
  if (address === '') return 'no_discovery';
  try {
    const headers = { accept: 'application/json' };
    const reply = await egress.request({ url: address, method: 'GET', headers, tenant, timeoutMs: MAX_CHECK_MS });
    const document = reply.status === 200 ? parseDocument(reply.body.toString('utf8')) : undefined;
    return document ? checkDiscoveryDocument(provider, document, (target) => egress.accepts(target)) : 'bad_response';
  } catch (error) {
    if (error instanceof EgressFailure) return errorOfFailure(error);
    throw error;
  }
}

/** Tests whether users could sign in with the provider, as far as possible without a user. */
export async function testProvider(
  provider: Provider,
  { egress, tenant, now }: { egress: Egress; tenant: string; now: Date },
): Promise<SsoTestError | undefined> {
  if (provider.type === 'SSO_TYPE_SIMPLE') return undefined;
  if (provider.type === 'SSO_TYPE_SAML2') return checkCertificate(provider.saml2Data.x509cert, now);
  return testDiscovery(egress, tenant, provider);
}
