/**
 * Why a call of Slack failed. `refused`: Slack said no, and would say it again. `revoked`: it does not accept the
 * token. `channel`: the app cannot write to the channel. `gone`: the message cannot be changed any more. `limited`: too
 * many calls. `unreachable`: nothing was sent. `unclear`: Slack may have done what was asked.
 */
export type SlackFailureKind = 'refused' | 'revoked' | 'channel' | 'gone' | 'limited' | 'unreachable' | 'unclear';

export class SlackFailure extends Error {
  override readonly name = 'SlackFailure';
  readonly kind: SlackFailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: SlackFailureKind,
    message: string,
    { status, retryAfterMs }: { status?: number; retryAfterMs?: number } = {},
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
