import * as items from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import { itemKeyOf } from '#domain/policies/rules.ts';
import { findMigratedAt, recordMigration } from '#domain/policies/unified-policies.ts';
import { applyMigration, planMigration } from '#domain/unified-policies/migrate-boards.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

/** Reverts the migration that another test may have made, as owner: no role of the server can. */
export async function makeUnmigratedDeployment({ world, place }: Scenario): Promise<string> {
  await world.queryAsOwner('delete from policy_migration where deployment_id = $1', [place.id]);
  return place.id;
}

/** Migrates the deployment, unless another test did. */
export async function makeMigratedDeployment({ world, place }: Scenario): Promise<string> {
  await world.inDeployment(place, async (tx) => {
    if ((await findMigratedAt(tx, place.id)) !== undefined) return;
    const plan = await planMigration(tx, place.id);
    await recordMigration(tx, place.id);
    await applyMigration(tx, { deployment: place.id, by: 'test' }, plan);
  });
  return place.id;
}

/** A new board of a deployment that is not migrated. */
export async function makeRuleboard(scene: Scenario): Promise<boards.RuleboardRecord> {
  const { world, place } = scene;
  await makeUnmigratedDeployment(scene);
  const input = { deployment: place.id, product: 'sast', name: uniqueName('Board ') } as const;
  const board = await world.inDeployment(place, (tx) => boards.insert(tx, input));
  if (!board) throw new Error('The board was not created.');
  return board;
}

/** Adds three rules to a board as the administrator. */
export async function addRules({ world, place }: Scenario, board: string): Promise<void> {
  const steps = ['a.rule', 'b.rule', 'c/rule'].map((path, index) => {
    const step = { kind: 'rule', path, mode: 'monitor', mustExist: false, index } as const;
    return [itemKeyOf(step), step] as const;
  });
  const caller = { ...anonymousCaller, kind: 'user', deployment: place.id, email: place.admin.email } as const;
  await world.inDeployment(place, (tx) => items.applyPlan(tx, caller, board, { steps: new Map(steps) }));
}
