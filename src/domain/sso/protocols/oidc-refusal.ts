import * as client from 'openid-client';
import { egressFailureIn, type SsoCheck, SsoRefusal } from '../sso-refusal.ts';

interface Comparison {
  claim?: string;
  expected?: unknown;
  now?: number;
  claims?: Record<string, unknown>;
  header?: { alg?: string; kid?: string };
}

const CHECK_OF_CLAIM: Record<string, SsoCheck> = { iss: 'issuer', aud: 'audience', azp: 'audience', nonce: 'nonce' };

const quoted = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'nothing';

/** Translates an error of the library to the check that failed, with the values that an administrator compares. */
export function refusalOfOidc(error: unknown): SsoRefusal {
  if (error instanceof SsoRefusal) return error;
  const failure = egressFailureIn(error);
  if (failure) return new SsoRefusal('provider_reachable', failure.message);
  if (error instanceof client.AuthorizationResponseError)
    return new SsoRefusal('provider_answer', [error.error, error.error_description].filter(Boolean).join(': '));
  if (error instanceof client.ResponseBodyError)
    return new SsoRefusal('code_exchange', [error.error, error.error_description].filter(Boolean).join(': '));
  if (!(error instanceof client.ClientError)) throw error;
  return refusalOfClientError(error);
}

function refusalOfClientError(error: client.ClientError): SsoRefusal {
  const cause = error.cause as Error | undefined;
  const facts = (cause?.cause ?? {}) as Comparison;
  const { claim = '', claims = {} } = facts;
  switch (error.code) {
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED': {
      const offset = Number(facts.now) - Number(claims[claim]);
      return new SsoRefusal('time', `The claim \`${claim}\` of the ID token is off by ${Math.abs(offset)} s.`);
    }
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return new SsoRefusal(
        CHECK_OF_CLAIM[claim] ?? 'claims',
        `The claim \`${claim}\` is ${quoted(claims[claim])}, but ${quoted(facts.expected)} is expected.`,
      );
    case 'OAUTH_KEY_SELECTION_FAILED':
      return new SsoRefusal('signature', 'The ID token is signed with a key that the provider does not publish.');
    case 'OAUTH_INVALID_RESPONSE':
      return new SsoRefusal(/state/.test(cause?.message ?? '') ? 'same_browser' : checkOf(cause), textOf(cause, error));
    default:
      return new SsoRefusal(checkOf(cause), textOf(cause, error));
  }
}

/** The library tells these apart only in its message. */
function checkOf(cause: Error | undefined): SsoCheck {
  const text = cause?.message ?? '';
  if (/signature|"alg"|algorithm/i.test(text)) return 'signature';
  if (/nonce/i.test(text)) return 'nonce';
  if (/"iss"|issuer/i.test(text)) return 'issuer';
  if (/"azp"|"aud"|audience/i.test(text)) return 'audience';
  return 'code_exchange';
}

const textOf = (cause: Error | undefined, error: Error): string => cause?.message || error.message;
