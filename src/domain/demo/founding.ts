import { found } from '#domain/founding/found.ts';
import * as people from '#domain/people/store.ts';
import { welcome } from '#domain/teams/joining.ts';
import type { KeyRing } from '#kernel/crypto/keys.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { MADE_UP_PEOPLE, madeUpEmail } from './people.ts';
import * as store from './store.ts';

const NAME = 'Demo';
export const SEED = 'parapet';

export interface DemoWish {
  /** Who makes it, and sees it at once. */
  account: string;
  size: store.Size;
  now: Date;
}

/** Founds the deployment of a demo, still empty, with its people; loading fills it. One person has one demo. */
export async function foundDemo(tx: Tx, keys: KeyRing, { account, size, now }: DemoWish): Promise<store.Demo> {
  const deployment = await found(tx, keys, { name: NAME, account });
  await store.insert(tx, { deployment, size, seed: SEED, asOf: now });
  const demo = await store.find(tx, deployment);
  if (!demo) throw new Error('A demo was not inserted.');
  for (const { key, name, role } of MADE_UP_PEOPLE) {
    const made = await people.insert(tx, { email: madeUpEmail(key, demo.slug), name, passwordHash: null });
    await tx.run`update account set demo_deployment_id = ${deployment} where id = ${made}`;
    await welcome(tx, { deployment, account: made, role });
  }
  return demo;
}

/** People who administer a deployment that is no demo, those who joined first before others. */
export async function listAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.rows`
    select account.id from account
    join membership on membership.account_id = account.id and membership.role = 'ORG_ROLE_ADMIN'
    where account.demo_deployment_id is null and account.disabled_at is null and account.deleted_at is null
      and not exists (select from demo where demo.deployment_id = membership.deployment_id)
    group by account.id order by min(membership.joined_at), account.id`;
  return rows.map((row) => String(row['id']));
}

/** Lets people into a demo as administrators; those who are in it stay what they are. */
export async function admit(tx: Tx, deployment: string, accounts: readonly string[]): Promise<void> {
  for (const account of accounts)
    if (!(await people.isMember(tx, { deployment, account })))
      await welcome(tx, { deployment, account, role: 'ORG_ROLE_ADMIN' });
}
