import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Answer } from '#kernel/http/pipeline/answer.ts';
import type { Call, ServiceGroup } from '#kernel/http/pipeline/group.ts';
import type { DemoContext } from './context.ts';

interface Wish {
  path?: Record<string, string>;
  body?: object;
  caller: Caller;
  now: Date;
}

/** Does what an operation of the API does, with a body that its contract accepts, in the transaction of a step. */
export async function callOperation(
  tx: Tx,
  context: DemoContext,
  [group, name]: [ServiceGroup, string],
  wish: Wish,
): Promise<unknown> {
  const bound = group.operations.find((one) => one.name === name);
  if (!bound) throw new Error(`${group.name} has no operation ${name}.`);
  const call = {
    path: { deploymentId: context.deployment, ...wish.path },
    query: {},
    body: bound.operation.body.parse(wish.body ?? {}),
    tx,
    caller: wish.caller,
    now: wish.now,
    answer: new Answer(undefined),
    services: context.services,
  };
  return bound.handle(call as unknown as Call);
}
