import { z } from 'zod';
import { principalOf } from '#domain/access/principal.ts';
import type { Caller } from '#kernel/auth/caller.ts';
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
  const [row] = await tx.rows`
    insert into task (deployment_id, kind, created_by) values (${deployment}, ${kind}, ${createdBy}) returning id`;
  return String(row?.['id']);
}

export async function countRunning(tx: Tx, deployment: string): Promise<number> {
  const [row] = await tx.rows`
    select count(*)::integer as count from task where deployment_id = ${deployment} and status = 'in_progress'`;
  return Number(row?.['count']);
}

/** The task as the caller who started it sees it: nobody else does, nor one who has left the deployment. */
export const findOwn = (tx: Tx, caller: Caller, { deployment, task }: TaskRef): Promise<Task | undefined> =>
  tx.one(Task)`
    select status, reason from task
    where deployment_id = ${deployment} and id = ${task} and created_by = ${principalOf(caller)}
      and (${caller.kind === 'token'}::boolean or exists (
        select from membership where deployment_id = ${deployment} and account_id = ${caller.userId || '0'}))`;

const File = z.object({ file_name: z.string(), content_type: z.string() });

/** What the result is called and what it is, once it is there. */
export const findFile = (tx: Tx, { deployment, task }: TaskRef): Promise<z.output<typeof File> | undefined> =>
  tx.one(File)`
    select file_name, content_type from task
    where deployment_id = ${deployment} and id = ${task} and status = 'completed' and file_name is not null`;

/** One chunk of a result, counted from 0. */
export async function findChunk(tx: Tx, place: TaskRef, chunk: number): Promise<Buffer | undefined> {
  const [row] = await tx.rows`
    select bytes from task_chunk
    where deployment_id = ${place.deployment} and task_id = ${place.task} and chunk = ${chunk}`;
  return row?.['bytes'] as Buffer | undefined;
}

export async function insertChunk(tx: Tx, place: TaskRef, chunk: { number: number; bytes: Buffer }): Promise<void> {
  await tx.run`
    insert into task_chunk (deployment_id, task_id, chunk, bytes)
    values (${place.deployment}, ${place.task}, ${chunk.number}, ${chunk.bytes})`;
}

export async function complete(tx: Tx, place: TaskRef, file: { name: string; contentType: string }): Promise<void> {
  await tx.run`
    update task set status = 'completed', file_name = ${file.name}, content_type = ${file.contentType}, ended_at = now()
    where deployment_id = ${place.deployment} and id = ${place.task} and status = 'in_progress'`;
}

export async function fail(tx: Tx, place: TaskRef, reason: string): Promise<void> {
  await tx.run`
    update task set status = 'failed', reason = ${reason}, ended_at = now()
    where deployment_id = ${place.deployment} and id = ${place.task} and status = 'in_progress'`;
}

/** Results are kept for a week. */
export const deleteOld = (tx: Tx): Promise<number> =>
  tx.run`delete from task where created_at < now() - interval '7 days'`;

/** A task whose workers died with it never ends by itself. */
export const terminateStuck = (tx: Tx): Promise<number> =>
  tx.run`
    update task set status = 'terminated', reason = 'The work was given up.', ended_at = now()
    where status = 'in_progress' and created_at < now() - interval '12 hours'`;
