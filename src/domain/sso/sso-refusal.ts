import { EgressFailure } from '#kernel/outbound/egress-failure.ts';

/** The checks of a sign-in, in the order in which they are made. */
export const SSO_CHECKS = [
  'provider_enabled',
  'same_browser',
  'used_once',
  'provider_reachable',
  'discovery',
  'provider_answer',
  'code_exchange',
  'signature',
  'issuer',
  'audience',
  'time',
  'nonce',
  'claims',
  'email_present',
  'email_verified',
  'domain_proved',
  'account_open',
  'account_linked',
] as const;
export type SsoCheck = (typeof SSO_CHECKS)[number];

/** A sign-in that failed: which check, and what an administrator should know. The person is told neither. */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal';
  readonly check: SsoCheck;

  constructor(check: SsoCheck, detail: string) {
    super(detail.slice(0, 1000));
    this.check = check;
  }
}

/** The failed outbound call among the causes of an error. */
export function egressFailureIn(error: unknown): EgressFailure | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (cause instanceof EgressFailure) return cause;
    cause = cause.cause;
  }
  return undefined;
}
