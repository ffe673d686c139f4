import * as people from '#domain/accounts/store.ts';
import { nameKey, slugOf } from '#domain/deployments/rules.ts';
import * as deployments from '#domain/deployments/store.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import { createDataKey } from '#kernel/crypto/keys/envelope.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** Makes a deployment whole: its key, its first administrator, the default team that everything joins, its boards. */
export async function provisionDeployment(
  tx: Tx,
  keys: KeyRing,
  founder: { name: string; account: string },
): Promise<string> {
  const deployment = await deployments.insert(tx, founder);
  const wrapped = createDataKey(keys.derive('data-keys'), { deployment, keyVersion: 1 });
  await tx.run`
    insert into data_key (deployment_id, key_version, wrapped)
    values (${deployment}, ${wrapped.keyVersion}, ${wrapped.text})`;
  await people.addMembership(tx, { deployment, account: founder.account, role: 'ORG_ROLE_ADMIN' });
  const [team] = await tx.rows`
    insert into team (deployment_id, name, name_key, slug, is_project_default, is_user_default)
    values (${deployment}, ${founder.name}, ${nameKey(founder.name)}, ${slugOf(founder.name)}, true, true)
    returning id`;
  await tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    values (${deployment}, ${team?.['id']}, ${founder.account}, 'TEAM_ROLE_MANAGER')`;
  await boards.insertDefaults(tx, deployment);
  return deployment;
}
