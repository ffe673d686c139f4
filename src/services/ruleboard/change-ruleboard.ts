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
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { RULEBOARD_CHANGE_REFUSED, RULEBOARD_FULL } from './contract.ts';

type Work = Pick<Call, 'tx' | 'caller' | 'answer'>;

/** The ids of the projects that a list names; what is foreign, absent or invisible is refused alike. */
export async function resolveAssignedProjects(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  words: string[],
): Promise<string[]> {
  const found = await boards.resolveProjects(tx, caller, words);
  refuseFieldErrors(
    RULEBOARD_CHANGE_REFUSED,
    found.flatMap((id, index) =>
      id === undefined
        ? [{ pointer: `#/assigned_repos/${index}`, code: 'UNKNOWN_REFERENCE', detail: 'is not a project you see' }]
        : [],
    ),
  );
  return [...new Set(found.flatMap((id) => id ?? []))];
}

/** Carries out changes to what is on a board: all of them, or none. Writers of one board wait for each other. */
export async function changeItems({ tx, caller, answer }: Work, slug: string, changes: readonly RuleboardChange[]) {
  const board = await boards.lock(tx, caller.deployment, slug);
  if (!board) throw NOT_FOUND();
  answer.expectVersion(board.version);
  const spot = { deployment: caller.deployment, board: board.id };
  const plan = planChanges(board.product, changes);
  const present = await items.list(tx, spot);
  const before = new Map(present.map((item) => [itemKeyOf(item), item.mode]));
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
  const rules = await items.list(tx, spot);
  return { rules: rules.map((item) => items.entryOf(board.product, item)) };
}
