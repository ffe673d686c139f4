import { z } from 'zod';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { count, id, timestamp } from '#kernel/contract/proto-fields.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type LibraryRule, RULE_VISIBILITIES, Rule, type RuleVisibility } from './shape.ts';

/** A published rule in its current version. */
const PublishedRule = z.object({
  id: id('PublishedRule'),
  path: z.string(),
  visibility: z.enum(RULE_VISIBILITIES),
  version: count(),
  definition: Rule,
  language: z.string(),
  testTarget: z.string(),
  originNote: z.string(),
  createdAt: timestamp(),
  createdBy: z.string(),
});
export type PublishedRule = z.output<typeof PublishedRule>;

const select = (condition: Sql): Sql => sql`
  select rule.id, rule.path, rule.visibility, rule.version, current.definition, current.language,
    current.test_target as "testTarget", current.origin_note as "originNote", current.created_at as "createdAt",
    current.created_by as "createdBy"
  from published_rule as rule join published_rule_version as current
    on current.deployment_id = rule.deployment_id and current.rule_id = rule.id and current.version = rule.version
  where ${condition} order by rule.path`;

/** The published rules of the deployment with these paths. */
export const listByPaths = (tx: Tx, deployment: string, paths: readonly string[]): Promise<PublishedRule[]> =>
  tx.all(PublishedRule)`
    ${select(sql`rule.deployment_id = ${deployment} and rule.path = any(${paths}::text[])`)}`;

export const findByPath = (tx: Tx, deployment: string, path: string): Promise<PublishedRule | undefined> =>
  tx.one(PublishedRule)`${select(sql`rule.deployment_id = ${deployment} and rule.path = ${path}`)}`;

export const findById = async (tx: Tx, deployment: string, rule: string): Promise<PublishedRule | undefined> =>
  isInt64(rule)
    ? tx.one(PublishedRule)`${select(sql`rule.deployment_id = ${deployment} and rule.id = ${rule}`)}`
    : undefined;

const Totals = z.object({ rules: z.coerce.number(), sizeBytes: z.coerce.number() });

/** The number and total size of a deployment's published rules, with all versions. */
export async function totals(tx: Tx, deployment: string): Promise<{ rules: number; sizeBytes: number }> {
  const row = await tx.one(Totals)`
    select count(distinct rule_id) as rules, coalesce(sum(size_bytes), 0) as "sizeBytes" from published_rule_version
    where deployment_id = ${deployment}`;
  return row ?? { rules: 0, sizeBytes: 0 };
}

export interface RuleDraft {
  rule: Rule;
  visibility: RuleVisibility;
  language: string;
  testTarget: string;
  originNote: string;
  sizeBytes: number;
}

/** Inserts the first or the next version of a rule. The caller has locked the deployment. */
export async function insertVersion(tx: Tx, deployment: string, draft: RuleDraft & { by: string }): Promise<void> {
  await tx.run`
    with rule as (
      insert into published_rule (deployment_id, path, visibility)
      values (${deployment}, ${draft.rule.id}, ${draft.visibility})
      on conflict (deployment_id, path)
      do update set visibility = excluded.visibility, version = published_rule.version + 1
      returning id, version)
    insert into published_rule_version (deployment_id, rule_id, version, definition, language, test_target,
                                        origin_note, size_bytes, created_by)
    select ${deployment}, rule.id, rule.version, ${JSON.stringify(draft.rule)}::jsonb, ${draft.language},
      ${draft.testTarget}, ${draft.originNote}, ${draft.sizeBytes}, ${draft.by}
    from rule`;
}

export const setVisibility = (tx: Tx, deployment: string, rule: string, visibility: RuleVisibility): Promise<number> =>
  tx.run`update published_rule set visibility = ${visibility} where deployment_id = ${deployment} and id = ${rule}`;

export const libraryRuleOf = ({ id: ruleId, version, definition }: PublishedRule): LibraryRule => ({
  rule: definition,
  source: 'published',
  ruleId,
  versionId: `${ruleId}-${version}`,
});
