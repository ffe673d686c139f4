import { z } from 'zod';
import type { DestinationRef } from '#domain/automations/deliveries/destination-store.ts';
import type { TestResult } from '#domain/automations/webhooks/send-test.ts';
import { findChannel } from '#domain/slack/slack-channels.ts';
import { callSlack, type SlackAccess } from '#domain/slack/slack-client.ts';
import { SlackFailure } from '#domain/slack/slack-failure.ts';
import { findBotToken } from '#domain/slack/slack-installations.ts';
import { outcomeOfFailure } from '#domain/slack/slack-outcome.ts';
import { SLACK_NOT_INSTALLED, SLACK_UNAVAILABLE } from '#domain/slack/slack-shape.ts';
import { testText } from '#domain/slack/slack-text.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';

type SlackCaller = Pick<Call, 'read' | 'services'>;

/** What calls of Slack need; refuses if nothing is installed. */
export async function accessOf({ read, services }: SlackCaller, deployment: string): Promise<SlackAccess> {
  const token = await read((tx) => findBotToken(tx, services.keys, deployment));
  if (!token) throw SLACK_NOT_INSTALLED();
  return { services, tenant: deployment, token };
}

/** The result of a call of Slack, or the fault that says why there is none. */
export async function orUnavailable<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof SlackFailure) throw SLACK_UNAVAILABLE({ reason: error.message });
    throw error;
  }
}

const Posted = z.object({ ts: z.string() });

/** Sends a test message as real ones are sent. */
export async function sendSlackTest(call: SlackCaller, ref: DestinationRef): Promise<TestResult> {
  const access = await accessOf(call, ref.deployment);
  const mapping = await call.read((tx) => findChannel(tx, ref));
  if (!mapping) throw NOT_FOUND();
  const start = performance.now();
  try {
    const json = { ...testText(), channel: mapping.channel_id };
    const { ts } = await callSlack(access, { method: 'chat.postMessage', json }, Posted);
    return { outcome: { kind: 'sent', reference: ts }, durationMs: performance.now() - start };
  } catch (error) {
    const outcome = outcomeOfFailure(error, { isRepeatable: true });
    return { outcome, durationMs: performance.now() - start };
  }
}
