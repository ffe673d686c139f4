import { z } from 'zod';
import { principalOf } from '#domain/access/principal.ts';
import * as deployments from '#domain/deployments/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobCall, type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueue, type JobKind, job } from '#kernel/jobs/job.ts';
import { TOO_MANY_TASKS } from './shape.ts';
import * as store from './store.ts';
import { issueTaskToken } from './task-token.ts';

/**
 * Asynchronous tasks: an operation starts one in its own transaction and answers with a token; a job does the work;
 * `GET /api/tasks/v2/{token}` tells how it goes, and in the end where the result can be fetched.
 *
 *   const csvExport = taskKind('issues.export', { filter: Filter });
 *   const token = await startTask(tx, services.keys, { kind: csvExport, caller, deployment, input: { filter }, now });
 *   const csvExporter = runTask(csvExport, async ({ input, deployment, read }) => ({
 *     name: 'issues.csv', contentType: 'text/csv; charset=utf-8',
 *     pieces: async function* () { yield 'a,b\n'; … },
 *   }));
 *
 * The handler goes into `src/server/background.ts`. The operation declares TOO_MANY_TASKS and needs a permission that is not
 * `:read`, such as `export:create`, because it writes.
 */

export const MAX_RUNNING_TASKS = 100;
const MOST_ATTEMPTS = 3;

export interface TaskKind<Input extends z.ZodRawShape = z.ZodRawShape> {
  name: string;
  job: JobKind<z.ZodObject<{ task: z.ZodString; input: z.ZodObject<Input> }>>;
}

/** Declares a kind of task by its name, written as noun.verb, and by what it has to know. */
export const taskKind = <Input extends z.ZodRawShape>(name: string, input: Input): TaskKind<Input> => ({
  name,
  job: job({
    kind: `task.${name}`,
    payload: { task: z.string(), input: z.object(input) },
    maxAttempts: MOST_ATTEMPTS,
  }),
});

export interface TaskRequest<Input extends z.ZodRawShape> {
  kind: TaskKind<Input>;
  deployment: string;
  /** Nobody else will see the task. */
  caller: Caller;
  input: z.output<z.ZodObject<Input>>;
  now: Date;
}

/** Starts a task with the caller's transaction and gives the token by which the caller asks for it, for a day. */
export async function startTask<Input extends z.ZodRawShape>(
  tx: Tx,
  keys: KeyRing,
  { kind, deployment, caller, input, now }: TaskRequest<Input>,
): Promise<string> {
  await deployments.lock(tx, deployment);
  if ((await store.countRunning(tx, deployment)) >= MAX_RUNNING_TASKS)
    throw TOO_MANY_TASKS({ most: MAX_RUNNING_TASKS });
  const reader = principalOf(caller);
  const task = await store.insert(tx, { deployment, kind: kind.name, createdBy: reader });
  await enqueue(tx, kind.job, { deployment, payload: { task, input } as never });
  return issueTaskToken(keys, { deployment, task, principal: reader }, now);
}

/** The result: a file that is made piece by piece. */
export interface TaskFile {
  /** Generated, never taken from what somebody sent. */
  name: string;
  contentType: string;
  /** Called anew when the transaction that keeps the pieces has to be tried again. */
  chunks: () => Iterable<string> | AsyncIterable<string>;
}

export interface TaskContext<Input> extends Pick<JobCall, 'deployment' | 'read' | 'signal'> {
  input: Input;
}

/** Thrown by the work of a task that can never succeed: its message is for the one who asked. */
export class TaskRefused extends Error {
  override readonly name = 'TaskRefused';
}

const GAVE_UP = 'The work failed again and again; ask for it anew, or ask the operator to look into the log.';

/** Says how tasks of a kind are done; a failure is tried again a few times before the task has failed. */
export function runTask<Input extends z.ZodRawShape>(
  kind: TaskKind<Input>,
  work: (call: TaskContext<z.output<z.ZodObject<Input>>>) => Promise<TaskFile>,
): JobHandler {
  return jobHandler(kind.job, async ({ payload, deployment, attempt, read, signal, transact }) => {
    const place = { deployment, task: payload.task };
    try {
      const file = await work({ input: payload.input, deployment, read, signal });
      await transact(async (tx) => {
        let number = 0;
        for await (const bytes of inPieces(file.chunks()))
          await store.insertChunk(tx, place, { number: number++, bytes });
        await store.complete(tx, place, file);
      });
    } catch (error) {
      if (error instanceof TaskRefused) await transact((tx) => store.fail(tx, place, error.message));
      else {
        if (attempt >= MOST_ATTEMPTS && !signal.aborted) await transact((tx) => store.fail(tx, place, GAVE_UP));
        // The worker tries again, or writes to the log why the task failed.
        throw error;
      }
    }
  });
}

const PIECE_BYTES = 256 * 1024;

/** Joins small texts, so that a row of the table is worth its while. */
async function* inPieces(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting: string[] = [];
  let length = 0;
  for await (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < PIECE_BYTES) continue;
    yield* cut(Buffer.from(waiting.join('')));
    [waiting, length] = [[], 0];
  }
  yield* cut(Buffer.from(waiting.join('')));
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}
