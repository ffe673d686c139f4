import * as accounts from '#domain/accounts/store.ts';
import { provisionDeployment } from '#domain/provisioning/provision-deployment.ts';
import { enrollMember } from '#domain/teams/enrollment.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DEMO_ACCOUNTS, demoEmail } from './demo-accounts.ts';
import * as store from './store.ts';

const NAME = 'Demo';
export const DEMO_SEED = 'parapet';

export interface NewDemo {
  /** The creator, who becomes a member at once. */
  account: string;
  size: store.DemoSize;
  now: Date;
}

/** Creates an empty demo deployment with its accounts; a job loads its content. An account has one demo. */
export async function createDemoDeployment(
  tx: Tx,
  keys: KeyRing,
  { account, size, now }: NewDemo,
): Promise<store.Demo> {
  const deployment = await provisionDeployment(tx, keys, { name: NAME, account });
  await store.insert(tx, { deployment, size, seed: DEMO_SEED, asOf: now });
  const demo = await store.find(tx, deployment);
  if (!demo) throw new Error('The demo was not inserted.');
  for (const { key, name, role } of DEMO_ACCOUNTS) {
    const inserted = await accounts.insert(tx, { email: demoEmail(key, demo.slug), name, passwordHash: null });
    await tx.run`update account set demo_deployment_id = ${deployment} where id = ${inserted}`;
    await enrollMember(tx, { deployment, account: inserted, role });
  }
  return demo;
}

/** Adds accounts to a demo as administrators; existing members keep their role. */
export async function addAdministrators(tx: Tx, deployment: string, accountIds: readonly string[]): Promise<void> {
  for (const account of accountIds)
    if (!(await accounts.isMember(tx, { deployment, account })))
      await enrollMember(tx, { deployment, account, role: 'ORG_ROLE_ADMIN' });
}
