import { z } from 'zod';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { count, id, timestamp } from '#kernel/contract/proto-fields.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type LibraryRule, RULE_VISIBILITIES, Rule, type RuleVisibility } from './shape.ts';

/** A published rule in its present version. */
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
  select rule.id, rule.path, rule.visibility, rule.version, said.definition, said.language,
    said.test_target as "testTarget", said.origin_note as "originNote", said.created_at as "createdAt",
    said.created_by as "createdBy"
  from published_rule as rule join published_rule_version as said
    on said.deployment_id = rule.deployment_id and said.rule_id = rule.id and said.version = rule.version
  where ${condition} order by rule.path`;

/** Those of the paths that this deployment has published. */
export const listByPaths = (tx: Tx, deployment: string, paths: readonly string[]): Promise<PublishedRule[]> =>
  tx.all(PublishedRule)`
    ${select(sql`rule.deployment_id = ${deployment} and rule.path = any(${paths}::text[])`)}`;

export const findByPath = (tx: Tx, deployment: string, path: string): Promise<PublishedRule | undefined> =>
  tx.one(PublishedRule)`${select(sql`rule.deployment_id = ${deployment} and rule.path = ${path}`)}`;

export const findById = async (tx: Tx, deployment: string, rule: string): Promise<PublishedRule | undefined> =>
  isInt64(rule)
    ? tx.one(PublishedRule)`${select(sql`rule.deployment_id = ${deployment} and rule.id = ${rule}`)}`
    : undefined;

/** What a deployment has published so far, all versions counted. */
export async function totals(tx: Tx, deployment: string): Promise<{ rules: number; sizeBytes: number }> {
  const [row] = await tx.rows`
    select count(distinct rule_id) as rules, coalesce(sum(size_bytes), 0) as size from published_rule_version
    where deployment_id = ${deployment}`;
  return { rules: Number(row?.['rules'] ?? 0), sizeBytes: Number(row?.['size'] ?? 0) };
}

export interface RuleDraft {
  rule: Rule;
  visibility: RuleVisibility;
  language: string;
  testTarget: string;
  originNote: string;
  sizeBytes: number;
}

/** Puts the rule into its first or its next version; the caller holds the deployment. */
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

export const libraryRuleOf = ({ id: own, version, definition }: PublishedRule): LibraryRule => ({
  rule: definition,
  source: 'published',
  ruleId: own,
  versionId: `${own}-${version}`,
});
