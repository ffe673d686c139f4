export interface ProviderCheck {
  text: string;
  outcome: 'passed' | 'failed' | 'not reached';
  /** How to fix a failed check. */
  advice: string;
}

interface CheckStep {
  text: string;
  errors: Record<string, string>;
}

const OPENID: readonly CheckStep[] = [
  { text: 'The discovery URL is set', errors: { no_discovery: 'Enter the discovery URL.' } },
  {
    text: 'This server may call the URLs',
    errors: { denied_address: 'Use public https addresses; the operator of the server can allow others.' },
  },
  {
    text: 'The provider responds',
    errors: {
      unreachable: 'Check the host name, and that this server can reach it.',
      timeout: 'The provider did not respond in time. Try again.',
    },
  },
  { text: 'Its certificate is trusted', errors: { tls: 'Check the certificate of the provider and its chain.' } },
  {
    text: 'The response is a discovery document',
    errors: { bad_response: 'Open the discovery URL in a browser: it must return a JSON document.' },
  },
  {
    text: 'The issuer matches the URL',
    errors: { issuer_mismatch: 'The issuer must be exactly the discovery URL without /.well-known/….' },
  },
  {
    text: 'The endpoints match those entered',
    errors: { endpoint_mismatch: 'Clear the individual endpoints, or copy them from the discovery document.' },
  },
];

const SAML: readonly CheckStep[] = [
  { text: 'The certificate can be read', errors: { bad_response: 'Paste one X.509 certificate, as PEM or base64.' } },
  {
    text: 'The certificate is already valid',
    errors: { certificate_not_yet_valid: 'Wait until it becomes valid, or check the clock of this server.' },
  },
  {
    text: 'The certificate has not expired',
    errors: { certificate_expired: 'Paste the new certificate of the provider.' },
  },
];

/** The checks of a test; those before the failed one have passed. */
export function providerChecks(isSaml: boolean, { valid, error }: { valid: boolean; error: string }): ProviderCheck[] {
  const steps = isSaml ? SAML : OPENID;
  const failed = valid ? steps.length : steps.findIndex(({ errors }) => error in errors);
  if (failed === -1) return [{ text: 'Test', outcome: 'failed', advice: error }];
  return steps.map(({ text, errors }, index) => ({
    text,
    outcome: index < failed ? 'passed' : index === failed ? 'failed' : 'not reached',
    advice: index === failed ? (errors[error] ?? '') : '',
  }));
}
