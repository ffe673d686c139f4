import type { DeliveryOutcome } from '#domain/automations/deliveries/destination-adapter.ts';
import { SlackFailure } from './slack-failure.ts';

/** What a failed call means for a delivery. `isRepeatable` is true for calls that may be made twice. */
export function outcomeOfFailure(error: unknown, { isRepeatable }: { isRepeatable: boolean }): DeliveryOutcome {
  if (!(error instanceof SlackFailure)) throw error;
  const { kind, message: detail, status, retryAfterMs } = error;
  const common = { detail, ...(status !== undefined && { status }) };
  switch (kind) {
    case 'revoked':
      return { ...common, kind: 'disabled', detail: `${detail} Install the Slack app again.` };
    case 'channel':
      return {
        ...common,
        kind: 'disabled',
        detail: `${detail} Invite the app to the channel, or restore the channel.`,
      };
    case 'refused':
    case 'gone':
      return { ...common, kind: 'refused' };
    case 'unclear':
      return { ...common, kind: isRepeatable ? 'failed' : 'unclear' };
    default:
      return { ...common, kind: 'failed', ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
}
