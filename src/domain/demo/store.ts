import { z } from 'zod';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

export const DEMO_SIZES = ['small', 'team', 'enterprise'] as const;
export type DemoSize = (typeof DEMO_SIZES)[number];

const Demo = z.object({
  deployment: z.string(),
  slug: z.string(),
  size: z.enum(DEMO_SIZES),
  seed: z.string(),
  asOf: timestamp(),
  state: z.enum(['loading', 'ready', 'failed']),
  done: z.int(),
  total: z.int(),
});
/** A made-up deployment, with what it is made from: the same size, seed and moment give the same again. */
export type Demo = z.output<typeof Demo>;

const columns = sql`
  demo.deployment_id as deployment, deployment.slug, demo.size, demo.seed, demo.as_of as "asOf", demo.state,
  demo.steps_done as done, demo.steps_total as total`;

/** The demo that a deployment is, or undefined where it is a real one. */
export const find = (tx: Tx, deployment: string): Promise<Demo | undefined> =>
  tx.one(Demo)`
    select ${columns} from demo join deployment on deployment.id = demo.deployment_id
    where demo.deployment_id = ${deployment}`;

/** The demo that a person had made. */
export const findByCreator = (tx: Tx, account: string): Promise<Demo | undefined> =>
  tx.one(Demo)`
    select ${columns} from demo join deployment on deployment.id = demo.deployment_id
    where deployment.created_by = ${account} order by demo.deployment_id limit 1`;

export const list = (tx: Tx): Promise<Demo[]> =>
  tx.all(Demo)`
    select ${columns} from demo join deployment on deployment.id = demo.deployment_id order by demo.deployment_id`;

export const insert = (
  tx: Tx,
  { deployment, size, seed, asOf }: { deployment: string; size: DemoSize; seed: string; asOf: Date },
): Promise<number> =>
  tx.run`insert into demo (deployment_id, size, seed, as_of) values (${deployment}, ${size}, ${seed}, ${asOf})`;

/** The next step to be done, held to the end of the transaction: of two loaders one waits. Undefined when removed. */
export async function lockNextStep(tx: Tx, deployment: string): Promise<number | undefined> {
  const [row] = await tx.rows`select steps_done from demo where deployment_id = ${deployment} for no key update`;
  return row && Number(row['steps_done']);
}

export const setProgress = (tx: Tx, deployment: string, { done, total }: { done: number; total: number }) =>
  tx.run`
    update demo set steps_done = ${done}, steps_total = ${total},
      state = case when ${done >= total} then 'ready' else 'loading' end
    where deployment_id = ${deployment}`;

export const setFailed = (tx: Tx, deployment: string): Promise<number> =>
  tx.run`update demo set state = 'failed' where deployment_id = ${deployment} and state = 'loading'`;

export async function countFindings(tx: Tx, deployment: string): Promise<number> {
  const [row] = await tx.rows`select count(*) as count from finding where deployment_id = ${deployment}`;
  return Number(row?.['count'] ?? 0);
}

/** Takes a demo away with all that belongs to it, its people too; false for a deployment that is none. */
export async function remove(tx: Tx, deployment: string): Promise<boolean> {
  // A step of its loading may be on its way, and many findings take longer than other statements may.
  await tx.run`select set_config('statement_timeout', '30min', true), set_config('lock_timeout', '60s', true)`;
  if ((await lockNextStep(tx, deployment)) === undefined) return false;
  return (await tx.run`delete from deployment where id = ${deployment}`) === 1;
}
