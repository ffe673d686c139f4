import { z } from 'zod';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
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
/** A deployment with generated content: the same size, seed and time generate the same content. */
export type Demo = z.output<typeof Demo>;

const columns = sql`
  demo.deployment_id as deployment, deployment.slug, demo.size, demo.seed, demo.as_of as "asOf", demo.state,
  demo.steps_done as done, demo.steps_total as total`;

/** The demo of this deployment, or undefined if the deployment is not a demo. */
export const find = (tx: Tx, deployment: string): Promise<Demo | undefined> =>
  tx.one(Demo)`
    select ${columns} from demo join deployment on deployment.id = demo.deployment_id
    where demo.deployment_id = ${deployment}`;

/** The first demo that an account created. */
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

const LoadingProgress = z.object({ steps_done: z.int() });

/** The next step to load; undefined if the demo was removed. The row is locked, so that a second loader waits. */
export async function lockNextStep(tx: Tx, deployment: string): Promise<number | undefined> {
  const row = await tx.one(LoadingProgress)`
    select steps_done from demo where deployment_id = ${deployment} for no key update`;
  return row?.steps_done;
}

export const setProgress = (tx: Tx, deployment: string, { done, total }: { done: number; total: number }) =>
  tx.run`
    update demo set steps_done = ${done}, steps_total = ${total},
      state = case when ${done >= total} then 'ready' else 'loading' end
    where deployment_id = ${deployment}`;

export const setFailed = (tx: Tx, deployment: string): Promise<number> =>
  tx.run`update demo set state = 'failed' where deployment_id = ${deployment} and state = 'loading'`;

export async function countFindings(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from finding where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

/** Deletes a demo with everything in it, its accounts included; false if the deployment is not a demo. */
export async function remove(tx: Tx, deployment: string): Promise<boolean> {
  // A loading step may hold the lock, and deleting many findings takes longer than the usual timeout.
  await tx.run`select set_config('statement_timeout', '30min', true), set_config('lock_timeout', '60s', true)`;
  if ((await lockNextStep(tx, deployment)) === undefined) return false;
  return (await tx.run`delete from deployment where id = ${deployment}`) === 1;
}
