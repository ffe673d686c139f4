import * as accounts from '#domain/accounts/store.ts';
import { nameKey, slugOf } from '#domain/deployments/rules.ts';
import * as deployments from '#domain/deployments/store.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import { createDataKey } from '#kernel/crypto/keys/envelope.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** Creates a deployment with its data key, first administrator, default team and default ruleboards. */
export async function provisionDeployment(
  tx: Tx,
  keys: KeyRing,
  creator: { name: string; account: string },
): Promise<string> {
  const deployment = await deployments.insert(tx, creator);
  const wrapped = createDataKey(keys.derive('data-keys'), { deployment, keyVersion: 1 });
  await tx.run`
    insert into data_key (deployment_id, key_version, wrapped)
    values (${deployment}, ${wrapped.keyVersion}, ${wrapped.text})`;
  await accounts.addMembership(tx, { deployment, account: creator.account, role: 'ORG_ROLE_ADMIN' });
  const team = await tx.one(RowId)`
    insert into team (deployment_id, name, name_key, slug, is_project_default, is_user_default)
    values (${deployment}, ${creator.name}, ${nameKey(creator.name)}, ${slugOf(creator.name)}, true, true)
    returning id`;
  await tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    values (${deployment}, ${returnedId(team)}, ${creator.account}, 'TEAM_ROLE_MANAGER')`;
  await boards.insertDefaults(tx, deployment);
  return deployment;
}
