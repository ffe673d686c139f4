import { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { readerOf } from '../access/reader.ts';
import type { TaskPlace } from './ticket.ts';

export const TASK_STATUSES = ['in_progress', 'completed', 'failed', 'terminated'] as const;

const Task = z.object({ status: z.enum(TASK_STATUSES), reason: z.string().default('') });
export type Task = z.output<typeof Task>;

export interface NewTask {
  deployment: string;
  kind: string;
  madeBy: string;
}

export async function insert(tx: Tx, { deployment, kind, madeBy }: NewTask): Promise<string> {
  const [row] = await tx.rows`
    insert into task (deployment_id, kind, made_by) values (${deployment}, ${kind}, ${madeBy}) returning id`;
  return String(row?.['id']);
}

export async function countRunning(tx: Tx, deployment: string): Promise<number> {
  const [row] = await tx.rows`
    select count(*)::integer as count from task where deployment_id = ${deployment} and status = 'in_progress'`;
  return Number(row?.['count']);
}

/** The task as the caller who started it sees it: nobody else does, nor one who has left the deployment. */
export const findOwn = (tx: Tx, caller: Caller, { deployment, task }: TaskPlace): Promise<Task | undefined> =>
  tx.one(Task)`
    select status, reason from task
    where deployment_id = ${deployment} and id = ${task} and made_by = ${readerOf(caller)}
      and (${caller.kind === 'token'}::boolean or exists (
        select from membership where deployment_id = ${deployment} and account_id = ${caller.userId || '0'}))`;

const File = z.object({ file_name: z.string(), content_type: z.string() });

/** What the result is called and what it is, once it is there. */
export const findFile = (tx: Tx, { deployment, task }: TaskPlace): Promise<z.output<typeof File> | undefined> =>
  tx.one(File)`
    select file_name, content_type from task
    where deployment_id = ${deployment} and id = ${task} and status = 'completed' and file_name is not null`;

/** One piece of a result, counted from 0. */
export async function findPiece(tx: Tx, place: TaskPlace, piece: number): Promise<Buffer | undefined> {
  const [row] = await tx.rows`
    select bytes from task_piece
    where deployment_id = ${place.deployment} and task_id = ${place.task} and piece = ${piece}`;
  return row?.['bytes'] as Buffer | undefined;
}

export async function addPiece(tx: Tx, place: TaskPlace, piece: { number: number; bytes: Buffer }): Promise<void> {
  await tx.run`
    insert into task_piece (deployment_id, task_id, piece, bytes)
    values (${place.deployment}, ${place.task}, ${piece.number}, ${piece.bytes})`;
}

export async function complete(tx: Tx, place: TaskPlace, file: { name: string; contentType: string }): Promise<void> {
  await tx.run`
    update task set status = 'completed', file_name = ${file.name}, content_type = ${file.contentType}, ended_at = now()
    where deployment_id = ${place.deployment} and id = ${place.task} and status = 'in_progress'`;
}

export async function fail(tx: Tx, place: TaskPlace, reason: string): Promise<void> {
  await tx.run`
    update task set status = 'failed', reason = ${reason}, ended_at = now()
    where deployment_id = ${place.deployment} and id = ${place.task} and status = 'in_progress'`;
}

/** Results are kept for a week. */
export const forgetOld = (tx: Tx): Promise<number> =>
  tx.run`delete from task where created_at < now() - interval '7 days'`;

/** A task whose workers died with it never ends by itself. */
export const endStuck = (tx: Tx): Promise<number> =>
  tx.run`
    update task set status = 'terminated', reason = 'The work was given up.', ended_at = now()
    where status = 'in_progress' and created_at < now() - interval '12 hours'`;
