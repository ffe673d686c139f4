/**
 * Why a call of a code host failed. `refused`: the host said no, and would say it again. `revoked`: it does not accept
 * the credential. `gone`: it does not have the object, or hides it. `limited`: too many calls. `unreachable`: there is
 * no usable answer, and nothing was changed. `unclear`: it may have done what was asked.
 */
export type HostFailureKind = 'refused' | 'revoked' | 'gone' | 'limited' | 'unreachable' | 'unclear';

export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly kind: HostFailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: HostFailureKind,
    message: string,
    { status, retryAfterMs }: { status?: number; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
