export interface ProviderCheck {
  text: string;
  outcome: 'passed' | 'failed' | 'not reached';
  /** What to do about a failure. */
  advice: string;
}

interface Step {
  text: string;
  errors: Record<string, string>;
}

const OPENID: readonly Step[] = [
  { text: 'There is a discovery address', errors: { no_discovery: 'Fill in the discovery address.' } },
  {
    text: 'This server may call the addresses',
    errors: { denied_address: 'Use public https addresses; the operator can allow others.' },
  },
  {
    text: 'The provider answers',
    errors: {
      unreachable: 'Check the host name, and that this server can reach it.',
      timeout: 'The provider did not answer in time: try again.',
    },
  },
  { text: 'Its certificate is trusted', errors: { tls: 'Check the certificate of the provider and its chain.' } },
  {
    text: 'The answer is a discovery document',
    errors: { bad_response: 'Open the discovery address in a browser: it must show a JSON document.' },
  },
  {
    text: 'The issuer belongs to the address',
    errors: { issuer_mismatch: 'The issuer must be the discovery address without /.well-known/…, to the letter.' },
  },
  {
    text: 'The endpoints agree with those filled in',
    errors: { endpoint_mismatch: 'Clear the single endpoints, or copy them from the discovery document.' },
  },
];

const SAML: readonly Step[] = [
  { text: 'The certificate can be read', errors: { bad_response: 'Paste one X.509 certificate, as PEM or base64.' } },
  {
    text: 'The certificate is valid already',
    errors: { certificate_not_yet_valid: 'Wait until it is, or check the clock of this server.' },
  },
  {
    text: 'The certificate has not ended',
    errors: { certificate_expired: 'Paste the new certificate of the provider.' },
  },
];

/** What a test came to, step by step: those before the one that failed have passed. */
export function providerChecks(isSaml: boolean, { valid, error }: { valid: boolean; error: string }): ProviderCheck[] {
  const steps = isSaml ? SAML : OPENID;
  const failed = valid ? steps.length : steps.findIndex(({ errors }) => error in errors);
  if (failed === -1) return [{ text: 'The test', outcome: 'failed', advice: error }];
  return steps.map(({ text, errors }, index) => ({
    text,
    outcome: index < failed ? 'passed' : index === failed ? 'failed' : 'not reached',
    advice: index === failed ? (errors[error] ?? '') : '',
  }));
}
