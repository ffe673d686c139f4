import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Answer } from '#kernel/http/answer.ts';
import type { Call, Group } from '#kernel/http/group.ts';
import type { Context } from './context.ts';

interface Wish {
  path?: Record<string, string>;
  body?: object;
  caller: Caller;
  now: Date;
}

/** Does what an operation of the API does, with a body that its contract accepts, in the transaction of a step. */
export async function perform(tx: Tx, context: Context, [group, name]: [Group, string], wish: Wish): Promise<unknown> {
  const bound = group.bound.find((one) => one.name === name);
  if (!bound) throw new Error(`${group.name} has no operation ${name}.`);
  const call = {
    path: { deploymentId: context.deployment, ...wish.path },
    query: {},
    body: bound.operation.body.parse(wish.body ?? {}),
    tx,
    caller: wish.caller,
    now: wish.now,
    answer: new Answer(undefined),
    powers: context.powers,
  };
  return bound.handle(call as unknown as Call);
}
