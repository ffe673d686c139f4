const WORDS: Record<string, string> = {
  invalid_client: 'The vendor refused the client id or the secret.',
  unreachable: 'The vendor could not be reached: check the addresses.',
  timeout: 'The vendor did not answer in time: try again.',
  tls: 'The certificate of the vendor is not trusted.',
  denied_address: 'This server may not call that address; the operator can allow it.',
  bad_response: 'The vendor answered in a way that makes no sense: check the addresses.',
  secret_required: 'Type the secret: a stored one goes only to the client and the addresses that it was stored for.',
  unknown_credential: 'The credential is no longer there.',
};

/** What a check of a credential came to, in a sentence. */
export const validationMessage = ({ valid, error }: { valid: boolean; error: string }): string =>
  valid ? 'It works: the vendor accepted it.' : (WORDS[error] ?? error);
