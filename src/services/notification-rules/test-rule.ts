import type { DestinationAdapter, SendMessage } from '#domain/automations/deliveries/destination-adapter.ts';
import * as store from '#domain/automations/store.ts';
import { recordTest, type TestResult } from '#domain/automations/webhooks/send-test.ts';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type { testNotificationRule } from './contract.ts';

type TestCall = Pick<
  Call<typeof testNotificationRule>,
  'path' | 'transact' | 'transactFurther' | 'services' | 'now' | 'answer'
>;

interface PreparedTest {
  destination: string;
  body: string;
  send: SendMessage;
}

/** The destinations of a rule, each with the body of a test, or why there are none. */
async function prepareTests(
  tx: Tx,
  { path, services, transactFurther }: TestCall,
): Promise<{ tests: PreparedTest[]; skip: string | undefined }> {
  const deployment = path.deploymentId;
  const automation = await store.find(tx, deployment, path.notificationRuleId);
  const [action] = automation?.actions ?? [];
  if (!action) throw NOT_FOUND();
  const adapter: DestinationAdapter | undefined = adaptersOf(services).ofAction(action.type);
  if (!adapter?.testBody) return { tests: [], skip: 'This server does not send to this channel.' };
  const resolved = await adapter.resolve(tx, deployment, action);
  const skip = 'skip' in resolved ? resolved.skip : undefined;
  const ids =
    'destination' in resolved ? [resolved.destination] : 'destinations' in resolved ? resolved.destinations : [];
  const tests: PreparedTest[] = [];
  for (const id of ids) {
    const ref = { deployment, id };
    const body = await adapter.testBody(tx, ref);
    tests.push({ destination: id, body, send: await adapter.connect(tx, ref, transactFurther) });
  }
  return { tests, skip };
}

async function sendOne({ path, now }: TestCall, { destination, body, send }: PreparedTest): Promise<TestResult> {
  const start = performance.now();
  const id = `msg_test_${path.deploymentId}_${destination}_${now.getTime()}`;
  const outcome = await send({ id, body, part: 0, attempt: 1, at: now });
  return { outcome, durationMs: performance.now() - start };
}

/** Sends a test to every destination of a rule, on the way that real deliveries take, and lists it among them. */
export async function testRule(call: TestCall): Promise<{ success: boolean; errorDetail: string }> {
  const { path, transact, transactFurther, now, answer } = call;
  const deployment = path.deploymentId;
  const { tests, skip } = await transactFurther((tx) => prepareTests(tx, call));
  const results: { destination: string; result: TestResult }[] = [];
  for (const test of tests) results.push({ destination: test.destination, result: await sendOne(call, test) });
  const failures = results.flatMap(({ result: { outcome } }) => (outcome.kind === 'sent' ? [] : [outcome.detail]));
  const errorDetail = [...(skip === undefined ? [] : [skip]), ...failures].join(' ');
  const reply = { success: errorDetail === '', errorDetail };
  answer.recordEffect({ object: `notification-rule/${path.notificationRuleId}`, after: { test: reply } });
  await transact(async (tx) => {
    for (const { destination, result } of results)
      await recordTest(tx, { deployment, webhook: destination, at: now }, result);
  });
  return reply;
}
