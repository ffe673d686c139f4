import { z } from 'zod';
import { assignActionIds } from '#domain/automations/actions.ts';
import { resolveReferences } from '#domain/automations/conditions/references.ts';
import * as policyStore from '#domain/automations/policy-store.ts';
import * as automations from '#domain/automations/store.ts';
import { numberedSlug, slugOf } from '#domain/deployments/rules.ts';
import * as items from '#domain/policies/ruleboard-items.ts';
import * as ruleboards from '#domain/policies/ruleboards.ts';
import type { RuleboardProduct } from '#domain/policies/shape.ts';
import * as products from '#domain/products/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { detectionOfBoards } from './board-detection.ts';
import { type BoardPolicy, type MigratedBoard, policiesOfBoard, policiesOfValidation } from './board-policies.ts';
import { compareRules } from './compare-rules.ts';
import * as detection from './detection-store.ts';
import { MIGRATION_TOO_LARGE } from './fault-shape.ts';
import { MAX_DETECTION_EXCEPTIONS, MAX_DETECTION_RULES, MAX_POLICIES } from './shape.ts';

const ProjectOfBoard = z.object({ board: z.string(), id: z.string(), name: z.string() });

async function loadBoards(tx: Tx, deployment: string): Promise<MigratedBoard[]> {
  const boards = await ruleboards.list(tx, deployment);
  const itemsOf = await items.listOfBoards(
    tx,
    deployment,
    boards.map(({ id }) => id),
  );
  const rows = await tx.all(ProjectOfBoard)`
    select ruleboard_id as board, project.id, project.name from ruleboard_project
    join project on project.deployment_id = ruleboard_project.deployment_id
      and project.id = ruleboard_project.project_id
    where ruleboard_project.deployment_id = ${deployment} order by project.id`;
  const projectsOf = Map.groupBy(rows, ({ board }) => board);
  return boards.map(({ id, name, product, isDefault }) => ({
    ...{ name, product, isDefault },
    items: itemsOf.get(id) ?? [],
    projects: projectsOf.get(id) ?? [],
  }));
}

/** What the migration makes of the boards. */
export interface MigrationPlan {
  boards: MigratedBoard[];
  detection: Map<RuleboardProduct, detection.DetectionPolicy>;
  policies: (BoardPolicy & { slug: string })[];
  /** The number of groups of projects whose rules and modes were compared before and after. */
  comparedGroups: number;
}

/** Gives each policy a slug that no automation has or had. */
async function withSlugs(
  tx: Tx,
  deployment: string,
  policies: readonly BoardPolicy[],
): Promise<MigrationPlan['policies']> {
  const taken = new Set((await policyStore.listSlugs(tx, deployment)).map(({ slug }) => slug));
  return policies.map((policy) => {
    const base = slugOf(policy.name);
    let number = 1;
    while (taken.has(numberedSlug(base, number))) number += 1;
    const slug = numberedSlug(base, number);
    taken.add(slug);
    return { ...policy, slug };
  });
}

/** Plans the migration, and proves that the rules of each project and their modes stay the same. */
export async function planMigration(tx: Tx, deployment: string): Promise<MigrationPlan> {
  const boards = await loadBoards(tx, deployment);
  const made = detectionOfBoards(boards);
  for (const { exceptionCount, rules } of made.values()) {
    if (exceptionCount > MAX_DETECTION_EXCEPTIONS)
      throw MIGRATION_TOO_LARGE({
        sentence: `${exceptionCount} exceptions of one detection policy, which can have ${MAX_DETECTION_EXCEPTIONS}`,
      });
    if (rules.length > MAX_DETECTION_RULES)
      throw MIGRATION_TOO_LARGE({
        sentence: `a policy of ${rules.length} rules, which can have ${MAX_DETECTION_RULES}`,
      });
  }
  const { settings } = await products.find(tx, deployment);
  const policies = [
    ...boards.flatMap(policiesOfBoard),
    ...policiesOfValidation(settings.secrets.global_validation_state_policy),
  ];
  const count = policies.length + (await automations.countAll(tx, deployment));
  if (count > MAX_POLICIES)
    throw MIGRATION_TOO_LARGE({ sentence: `${count} automations of the deployment, which can have ${MAX_POLICIES}` });
  const plan = {
    boards,
    detection: new Map(
      [...made].map(([product, { exceptions, exceptionCount: _, ...lists }]) => [
        product,
        { ...lists, exceptions: exceptions() },
      ]),
    ),
    policies: await withSlugs(tx, deployment, policies),
  };
  const references = await resolveReferences(
    tx,
    deployment,
    policies.map(({ filters }) => filters),
  );
  const { groups, differences } = compareRules(plan, references);
  if (differences.length > 0)
    throw new Error(`The migration would change rules: ${differences.slice(0, 5).join('; ')}`);
  return { ...plan, comparedGroups: groups };
}

/** Writes the plan. The policies are locked, and the migration is recorded. */
export async function applyMigration(
  tx: Tx,
  { deployment, by }: { deployment: string; by: string },
  { detection: made, policies }: MigrationPlan,
): Promise<void> {
  for (const [product, policy] of made) await detection.save(tx, { deployment, product, by }, policy);
  const written = policies.map(({ actions: drafts, ...policy }) => {
    const { actions, lastId } = assignActionIds(drafts, { before: [], lastId: 0 });
    return { ...policy, actions, active: true, lastActionId: lastId };
  });
  if (written.length > 0) await policyStore.insertPolicies(tx, { deployment, by }, written);
}
