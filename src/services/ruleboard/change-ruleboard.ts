import * as items from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import {
  errorsForMissingItems,
  itemKeyOf,
  MAX_RULEBOARD_ITEMS,
  modesAfterPlan,
  planChanges,
  type RuleboardChange,
} from '#domain/policies/rules.ts';
import { lockPolicies } from '#domain/policies/unified-policies.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { RULEBOARD_CHANGE_REFUSED, RULEBOARD_FULL } from './contract.ts';

type ChangeCall = Pick<Call, 'tx' | 'caller' | 'answer'>;

/** Resolves projects by id or name; unknown and invisible projects are refused in the same way. */
export async function resolveAssignedProjects(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  idsOrNames: string[],
): Promise<string[]> {
  const found = await boards.resolveProjects(tx, caller, idsOrNames);
  refuseFieldErrors(
    RULEBOARD_CHANGE_REFUSED,
    found.flatMap((id, index) =>
      id === undefined
        ? [
            {
              pointer: `#/assigned_repos/${index}`,
              code: 'UNKNOWN_REFERENCE',
              detail: 'is not a project that you can see',
            },
          ]
        : [],
    ),
  );
  return [...new Set(found.flatMap((id) => id ?? []))];
}

/** Applies all changes to the items of a board, or none. The board is locked, so that concurrent writers wait. */
export async function changeItems(
  { tx, caller, answer }: ChangeCall,
  slug: string,
  changes: readonly RuleboardChange[],
) {
  await lockPolicies(tx, caller.deployment);
  const board = await boards.lock(tx, caller.deployment, slug);
  if (!board) throw NOT_FOUND();
  answer.expectVersion(board.version);
  const ref = { deployment: caller.deployment, board: board.id };
  const plan = planChanges(board.product, changes);
  const current = await items.list(tx, ref);
  const before = new Map(current.map((item) => [itemKeyOf(item), item.mode]));
  refuseFieldErrors(RULEBOARD_CHANGE_REFUSED, [...plan.errors, ...errorsForMissingItems(plan, before)]);
  const size = modesAfterPlan(plan, before).size;
  if (size > MAX_RULEBOARD_ITEMS && size > before.size) throw RULEBOARD_FULL({ most: MAX_RULEBOARD_ITEMS });
  await items.applyPlan(tx, caller, board.id, plan);
  answer.setEtag(await boards.incrementVersion(tx, caller.deployment, board.id));
  answer.recordEffect({
    object: `ruleboard/${board.slug}`,
    before: Object.fromEntries([...plan.steps.keys()].map((key) => [key, before.get(key) ?? null])),
    after: Object.fromEntries([...plan.steps].map(([key, { mode }]) => [key, mode ?? null])),
  });
  const rules = await items.list(tx, ref);
  return { rules: rules.map((item) => items.entryOf(board.product, item)) };
}
