import { INVALID_CREDENTIALS, MALFORMED_REQUEST, NO_CREDENTIALS } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';

const MAX_HEADER_LENGTH = 8192;

export const HEADER_TOO_LARGE = fault(
  'HEADER_TOO_LARGE',
  431,
  'The Authorization header is larger than {limit} bytes.',
  'Send only the token.',
);

/** The bearer credential of the Authorization header; the name of the scheme is case-insensitive. */
export function bearerOf(authorizations: readonly string[]): string {
  const [header, second] = authorizations;
  if (header === undefined) throw NO_CREDENTIALS();
  if (second !== undefined || header.includes(','))
    throw MALFORMED_REQUEST({ reason: 'more than one Authorization header' });
  if (header.length > MAX_HEADER_LENGTH) throw HEADER_TOO_LARGE({ limit: MAX_HEADER_LENGTH });
  const credential = /^bearer +([^\s]+)$/i.exec(header.trim())?.[1];
  if (credential === undefined) throw INVALID_CREDENTIALS();
  return credential;
}
