import { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { columnSlugOf, POLICY_MODES, policyRuleIdOf, type RuleboardPlan } from './rules.ts';
import {
  type PolicyRule,
  RULE_MODES,
  RULEBOARD_ITEM_KINDS,
  type RuleboardEntry,
  type RuleboardProduct,
  type RuleMetadata,
  type RuleMode,
} from './shape.ts';

/** A rule or ruleset on a board, in one mode. */
const RuleboardItem = z.object({
  kind: z.enum(RULEBOARD_ITEM_KINDS),
  path: z.string(),
  mode: z.enum(RULE_MODES),
  changedAt: timestamp(),
  changedBy: z.string(),
});
export type RuleboardItem = z.output<typeof RuleboardItem>;

export interface RuleboardRef {
  deployment: string;
  board: string;
}

const columns = sql`kind, path, mode, changed_at as "changedAt", changed_by as "changedBy"`;

/** All items of a board: rules before rulesets, each in order of their paths. */
export const list = (tx: Tx, { deployment, board }: RuleboardRef): Promise<RuleboardItem[]> =>
  tx.all(RuleboardItem)`
    select ${columns} from ruleboard_item
    where deployment_id = ${deployment} and ruleboard_id = ${board} order by kind, path`;

const ItemOfBoard = RuleboardItem.extend({ board: z.string() });

/** All items of several boards, by the id of the board. */
export async function listOfBoards(
  tx: Tx,
  deployment: string,
  boards: readonly string[],
): Promise<Map<string, RuleboardItem[]>> {
  const rows = await tx.all(ItemOfBoard)`
    select ruleboard_id as board, ${columns} from ruleboard_item
    where deployment_id = ${deployment} and ruleboard_id = any(${boards}::bigint[]) order by kind, path`;
  return Map.groupBy(rows, ({ board }) => board);
}

export const findRule = (
  tx: Tx,
  { deployment, board }: RuleboardRef,
  path: string,
): Promise<RuleboardItem | undefined> =>
  tx.one(RuleboardItem)`
    select ${columns} from ruleboard_item
    where deployment_id = ${deployment} and ruleboard_id = ${board} and kind = 'rule' and path = ${path}`;

export async function countAll(tx: Tx, { deployment, board }: RuleboardRef): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*) as count from ruleboard_item where deployment_id = ${deployment} and ruleboard_id = ${board}`;
  return row?.count ?? 0;
}

/** The author of a change, as users see it. */
export const actorLabelOf = (caller: Caller): string =>
  caller.kind === 'user' ? caller.email : `token ${caller.name}`;

/** Applies a plan. The caller has locked the board; unchanged items keep the time and author of their last change. */
export async function applyPlan(
  tx: Tx,
  caller: Caller,
  board: string,
  { steps }: Pick<RuleboardPlan, 'steps'>,
): Promise<void> {
  const all = [...steps.values()];
  const removed = all.filter(({ mode }) => mode === undefined);
  const kept = all.filter((step): step is typeof step & { mode: RuleMode } => step.mode !== undefined);
  await tx.run`
    delete from ruleboard_item using unnest(${removed.map(({ kind }) => kind)}::text[],
                                            ${removed.map(({ path }) => path)}::text[]) as removed (kind, path)
    where deployment_id = ${caller.deployment} and ruleboard_id = ${board}
      and ruleboard_item.kind = removed.kind and ruleboard_item.path = removed.path`;
  await tx.run`
    insert into ruleboard_item (deployment_id, ruleboard_id, kind, path, mode, changed_by)
    select ${caller.deployment}, ${board}, kind, path, mode, ${actorLabelOf(caller)}
    from unnest(${kept.map(({ kind }) => kind)}::text[], ${kept.map(({ path }) => path)}::text[],
                ${kept.map(({ mode }) => mode)}::text[]) as kept (kind, path, mode)
    on conflict (deployment_id, ruleboard_id, kind, path)
    do update set mode = excluded.mode, changed_at = now(), changed_by = excluded.changed_by
    where ruleboard_item.mode <> excluded.mode`;
}

export const entryOf = (product: RuleboardProduct, { kind, path, mode }: RuleboardItem): RuleboardEntry => ({
  policy: columnSlugOf(product, mode),
  item: { id: path, type: kind },
});

/** A rule as the deprecated API shows it; the metadata of an unknown rule is empty. */
export const policyRuleOf = (item: Omit<RuleboardItem, 'kind'>, metadata: RuleMetadata | undefined): PolicyRule => ({
  id: policyRuleIdOf(item.path) as PolicyRule['id'],
  category: metadata?.category ?? '',
  confidence: metadata?.confidence ?? 'CONFIDENCE_UNSPECIFIED',
  cweCategories: metadata?.cwe ?? [],
  hasValidators: false,
  languages: metadata?.languages ?? [],
  lastChangeAt: item.changedAt,
  lastChangeBy: item.changedBy,
  owaspCategories: metadata?.owasp ?? [],
  path: item.path,
  policyMode: POLICY_MODES[item.mode],
  registryMaintainer: '',
  rulesets: metadata?.rulesets ?? [],
  secretType: metadata?.secretType ?? '',
  severity: metadata?.severity ?? 'SEVERITY_UNSPECIFIED',
  source: metadata?.source ?? 'SOURCE_UNSPECIFIED',
  technologies: metadata?.technologies ?? [],
  url: '',
  vulnerabilityClass: metadata?.vulnerabilityClass ?? [],
});
