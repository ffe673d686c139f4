import type { Tx } from '#kernel/db/tx.ts';
import { insertDelivery } from '../deliveries/delivery-store.ts';
import type { DeliveryOutcome } from '../deliveries/destination-adapter.ts';
import { insertAttempt } from '../deliveries/record-attempt.ts';
import { TEST_BODY } from './test-body.ts';
import { postWebhook, type WebhookServices } from './webhook-adapter.ts';
import type { WebhookTarget } from './webhook-store.ts';

export interface TestRequest {
  deployment: string;
  webhook: string;
  target: WebhookTarget;
  at: Date;
}

export interface TestResult {
  outcome: DeliveryOutcome;
  durationMs: number;
}

/** Sends a test event as real events are sent; it has no delivery yet, so its id is made of the moment. */
export async function sendTest(
  services: Pick<WebhookServices, 'egress' | 'version'>,
  { deployment, webhook, target, at }: TestRequest,
): Promise<TestResult> {
  const start = performance.now();
  const message = { id: `msg_test_${deployment}_${webhook}_${at.getTime()}`, body: TEST_BODY, at };
  const outcome = await postWebhook(services, { tenant: deployment, target }, message);
  return { outcome, durationMs: performance.now() - start };
}

/** Lists the test among the deliveries. */
export async function recordTest(
  tx: Tx,
  { deployment, webhook, at }: Omit<TestRequest, 'target'>,
  { outcome, durationMs }: TestResult,
): Promise<void> {
  const isSent = outcome.kind === 'sent';
  const id = await insertDelivery(tx, {
    ...{ deployment, destination: webhook, kind: 'test', subject: {}, findings: [], at },
    state: isSent ? 'sent' : 'failed',
    reason: isSent ? undefined : outcome.detail,
  });
  const delivery = { id, attempts: 0, parts: 1, sentParts: 0 };
  await insertAttempt(tx, deployment, { delivery, outcome, at, durationMs });
}
