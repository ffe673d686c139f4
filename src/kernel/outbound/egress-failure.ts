const SENTENCES = {
  denied_address: 'This server may not reach the target.',
  unreachable: 'The target could not be reached.',
  timeout: 'The target did not answer in time.',
  tls: 'No trusted TLS connection to the target could be established.',
  bad_response: 'The target did not answer with valid HTTP.',
  redirect: 'The target answered with a redirect, which is never followed.',
  too_large: 'The answer of the target is too large.',
  bad_url: 'The URL or a header of the request is not acceptable.',
} as const;

export type EgressReason = keyof typeof SENTENCES;

/** What fails before the first byte of the request is sent. */
const UNSENT: readonly EgressReason[] = ['denied_address', 'unreachable', 'tls', 'bad_url'];

/** Says why an outbound request failed, in fixed sentences, so that no URL or secret gets into a log. */
export class EgressFailure extends Error {
  override readonly name = 'EgressFailure';
  readonly reason: EgressReason;
  readonly code: string | undefined;

  constructor(reason: EgressReason, code?: string) {
    super(SENTENCES[reason]);
    this.reason = reason;
    this.code = code;
  }

  /** True if the target surely did nothing: the request was not sent, or waited too long for its turn. */
  get isUnsent(): boolean {
    return UNSENT.includes(this.reason) || this.code === 'QUEUE';
  }
}

/** The code of a runtime error: the only part that never contains data of the request. */
export function errorCodeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
