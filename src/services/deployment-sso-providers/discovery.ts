import {
  checkDiscoveryDocument,
  discoveryUrlOf,
  fetchDiscoveryDocument,
} from '#domain/sso/protocols/discovery-document.ts';
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

async function testDiscovery(egress: Egress, tenant: string, provider: Provider): Promise<SsoTestError | undefined> {
  const url = discoveryUrlOf({ ...provider, wellKnownUrl: provider.openidData.wellKnownUrl });
  if (url === '') return 'no_discovery';
  try {
    const document = await fetchDiscoveryDocument(egress, { url, tenant, timeoutMs: MAX_CHECK_MS });
    if (!document) return 'bad_response';
    return checkDiscoveryDocument({ ...provider.openidData, wellKnownUrl: url }, document, (target) =>
      egress.accepts(target),
    );
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
