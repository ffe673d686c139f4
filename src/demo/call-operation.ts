import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Answer } from '#kernel/http/pipeline/answer.ts';
import type { Call, ServiceGroup } from '#kernel/http/pipeline/group.ts';
import type { DemoContext } from './context.ts';

interface OperationCall {
  path?: Record<string, string>;
  body?: object;
  caller: Caller;
  now: Date;
}

/** Calls the handler of an operation, with a body that its contract accepts, in the transaction of a step. */
export async function callOperation(
  tx: Tx,
  context: DemoContext,
  [group, name]: [ServiceGroup, string],
  call: OperationCall,
): Promise<unknown> {
  const bound = group.operations.find((operation) => operation.name === name);
  if (!bound) throw new Error(`${group.name} has no operation ${name}.`);
  const handlerCall = {
    path: { deploymentId: context.deployment, ...call.path },
    query: {},
    body: bound.operation.body.parse(call.body ?? {}),
    tx,
    caller: call.caller,
    now: call.now,
    answer: new Answer(undefined),
    services: context.services,
  };
  return bound.handle(handlerCall as unknown as Call);
}
