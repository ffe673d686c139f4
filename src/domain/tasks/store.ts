import { z } from 'zod';
import { principalOf } from '#domain/access/principal.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TaskRef } from './download-ticket.ts';

export const TASK_STATUSES = ['in_progress', 'completed', 'failed', 'terminated'] as const;

const Task = z.object({ status: z.enum(TASK_STATUSES), reason: z.string().default('') });
export type Task = z.output<typeof Task>;

export interface NewTask {
  deployment: string;
  kind: string;
  createdBy: string;
}

export async function insert(tx: Tx, { deployment, kind, createdBy }: NewTask): Promise<string> {
  const row = await tx.one(RowId)`
    insert into task (deployment_id, kind, created_by) values (${deployment}, ${kind}, ${createdBy}) returning id`;
  return returnedId(row);
}

export async function countRunning(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from task where deployment_id = ${deployment} and status = 'in_progress'`;
  return row?.count ?? 0;
}

/** The task, if the caller started it and is still a member of the deployment. */
export const findOwn = (tx: Tx, caller: Caller, { deployment, task }: TaskRef): Promise<Task | undefined> =>
  tx.one(Task)`
    select status, reason from task
    where deployment_id = ${deployment} and id = ${task} and created_by = ${principalOf(caller)}
      and (${caller.kind === 'token'}::boolean or exists (
        select from membership where deployment_id = ${deployment} and account_id = ${caller.userId || '0'}))`;

const File = z.object({ file_name: z.string(), content_type: z.string() });

/** The name and content type of the result of a completed task. */
export const findFile = (tx: Tx, { deployment, task }: TaskRef): Promise<z.output<typeof File> | undefined> =>
  tx.one(File)`
    select file_name, content_type from task
    where deployment_id = ${deployment} and id = ${task} and status = 'completed' and file_name is not null`;

const ResultChunk = z.object({ bytes: z.instanceof(Buffer) });

/** One chunk of a result, counted from 0. */
export async function findChunk(tx: Tx, ref: TaskRef, chunk: number): Promise<Buffer | undefined> {
  const row = await tx.one(ResultChunk)`
    select bytes from task_chunk
    where deployment_id = ${ref.deployment} and task_id = ${ref.task} and chunk = ${chunk}`;
  return row?.bytes;
}

export async function insertChunk(tx: Tx, ref: TaskRef, chunk: { number: number; bytes: Buffer }): Promise<void> {
  await tx.run`
    insert into task_chunk (deployment_id, task_id, chunk, bytes)
    values (${ref.deployment}, ${ref.task}, ${chunk.number}, ${chunk.bytes})`;
}

export async function complete(tx: Tx, ref: TaskRef, file: { name: string; contentType: string }): Promise<void> {
  await tx.run`
    update task set status = 'completed', file_name = ${file.name}, content_type = ${file.contentType}, ended_at = now()
    where deployment_id = ${ref.deployment} and id = ${ref.task} and status = 'in_progress'`;
}

export async function fail(tx: Tx, ref: TaskRef, reason: string): Promise<void> {
  await tx.run`
    update task set status = 'failed', reason = ${reason}, ended_at = now()
    where deployment_id = ${ref.deployment} and id = ${ref.task} and status = 'in_progress'`;
}

/** Deletes tasks and their results after a week. */
export const deleteOld = (tx: Tx): Promise<number> =>
  tx.run`delete from task where created_at < now() - interval '7 days'`;

/** Ends tasks whose worker died: they would stay in progress forever. */
export const terminateStuck = (tx: Tx): Promise<number> =>
  tx.run`
    update task set status = 'terminated', reason = 'The work was given up.', ended_at = now()
    where status = 'in_progress' and created_at < now() - interval '12 hours'`;
