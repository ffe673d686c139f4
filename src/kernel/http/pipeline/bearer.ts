import { INVALID_CREDENTIALS, MALFORMED_REQUEST, NO_CREDENTIALS } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';

const LONGEST_HEADER = 8192;

export const HEADER_TOO_LARGE = fault(
  'HEADER_TOO_LARGE',
  431,
  'The Authorization header is larger than {limit} bytes.',
  'Send only the token.',
);

/** The credential of the one Authorization header; the scheme's name may be written in any case. */
export function bearerOf(authorizations: readonly string[]): string {
  const [header, second] = authorizations;
  if (header === undefined) throw NO_CREDENTIALS();
  if (second !== undefined || header.includes(','))
    throw MALFORMED_REQUEST({ reason: 'more than one Authorization header' });
  if (header.length > LONGEST_HEADER) throw HEADER_TOO_LARGE({ limit: LONGEST_HEADER });
  const credential = /^bearer +([^\s]+)$/i.exec(header.trim())?.[1];
  if (credential === undefined) throw INVALID_CREDENTIALS();
  return credential;
}
