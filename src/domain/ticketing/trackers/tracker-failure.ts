/**
 * Why a call of a tracker failed. `refused`: the tracker said no, and would say it again. `revoked`: it does not accept
 * the token. `gone`: it does not have the object. `limited`: too many calls. `unreachable`: nothing was sent.
 * `unclear`: it may have done what was asked.
 */
export type TrackerFailureKind = 'refused' | 'revoked' | 'gone' | 'limited' | 'unreachable' | 'unclear';

export class TrackerFailure extends Error {
  override readonly name = 'TrackerFailure';
  readonly kind: TrackerFailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: TrackerFailureKind,
    message: string,
    { status, retryAfterMs }: { status?: number; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
