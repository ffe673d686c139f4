const ERROR_MESSAGES: Record<string, string> = {
  invalid_client: 'The vendor rejected the client id or secret.',
  unreachable: 'The vendor could not be reached. Check the URLs.',
  timeout: 'The vendor did not answer in time. Try again.',
  tls: 'The certificate of the vendor is not trusted.',
  denied_address: 'This server may not call that address; its operator can allow it.',
  bad_response: 'The vendor sent an invalid response. Check the URLs.',
  secret_required: 'Enter the secret: a stored secret is only used with the client id and URLs it was saved with.',
  unknown_credential: 'The credential no longer exists.',
};

/** The result of validating a credential as a sentence. */
export const validationMessage = ({ valid, error }: { valid: boolean; error: string }): string =>
  valid ? 'Valid: the vendor accepted the credential.' : (ERROR_MESSAGES[error] ?? error);
