import { z } from 'zod';
import { rulesetNameOf } from '#domain/rules/rules.ts';
import { rulesOfRuleset } from '#domain/rules/shipped-rules.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { AutomationConditionType, AutomationFilters } from '../shape.ts';

/** The findings of a policy: those of its product in its projects, or in all projects. */
export interface PolicyScope {
  isOfSecrets: boolean;
  /** Undefined for a default policy, which applies to all projects. */
  projects: ReadonlySet<string> | undefined;
}

/** What the values of conditions refer to. A value that refers to nothing is missing. */
export interface References {
  projects: ReadonlySet<string>;
  projectsOfTag: ReadonlyMap<string, ReadonlySet<string>>;
  policies: ReadonlyMap<string, readonly PolicyScope[]>;
  rulesOfRuleset: ReadonlyMap<string, readonly string[]>;
}

const ProjectRow = z.object({ id: z.string() });
const TagRow = z.object({ value: z.string(), projects: z.array(z.string()) });
const PolicyRow = z.object({
  value: z.string(),
  product: z.string(),
  is_default: z.boolean(),
  projects: z.array(z.string()),
});

const valuesOf = (filters: readonly AutomationFilters[], type: AutomationConditionType): string[] => [
  ...new Set(
    filters.flatMap(({ conditions }) => conditions.filter((one) => one.type === type).flatMap(({ values }) => values)),
  ),
];

const tagsOf = (tx: Tx, deployment: string, values: readonly string[]) =>
  tx.all(TagRow)`
    select requested.value, array(select project_tag.project_id::text from project_tag
      where project_tag.deployment_id = ${deployment} and project_tag.tag = tag.tag) as projects
    from unnest(${values}::text[]) as requested (value)
    join deployment_tag as tag on tag.deployment_id = ${deployment}
      and (tag.id::text = requested.value or tag.tag = requested.value)`;

const policiesOf = (tx: Tx, deployment: string, values: readonly string[]) =>
  tx.all(PolicyRow)`
    select requested.value, board.product, board.is_default, array(select assigned.project_id::text
      from ruleboard_project as assigned
      where assigned.deployment_id = ${deployment} and assigned.ruleboard_id = board.id) as projects
    from unnest(${values}::text[]) as requested (value)
    join ruleboard as board on board.deployment_id = ${deployment}
      and requested.value in (board.id::text, board.slug, board.name)`;

/** Resolves the values of all filters with one statement per kind. */
export async function resolveReferences(
  tx: Tx,
  deployment: string,
  filters: readonly AutomationFilters[],
): Promise<References> {
  const projects = valuesOf(filters, 'CONDITION_TYPE_REPOSITORY_ID').filter(isInt64);
  const tags = valuesOf(filters, 'CONDITION_TYPE_REPOSITORY_TAG_ID');
  const policies = valuesOf(filters, 'CONDITION_TYPE_POLICY');
  const found =
    projects.length === 0
      ? []
      : await tx.all(ProjectRow)`
          select id from project where deployment_id = ${deployment} and id = any(${projects}::bigint[])`;
  const projectsOfTag = new Map<string, Set<string>>();
  for (const { value, projects: ids } of tags.length === 0 ? [] : await tagsOf(tx, deployment, tags))
    projectsOfTag.set(value, new Set([...(projectsOfTag.get(value) ?? []), ...ids]));
  const scopes = new Map<string, PolicyScope[]>();
  for (const row of policies.length === 0 ? [] : await policiesOf(tx, deployment, policies)) {
    const scope = {
      isOfSecrets: row.product === 'secrets',
      projects: row.is_default ? undefined : new Set(row.projects),
    };
    scopes.set(row.value, [...(scopes.get(row.value) ?? []), scope]);
  }
  const rules = new Map<string, string[]>();
  for (const value of valuesOf(filters, 'CONDITION_TYPE_RULESET_ID')) {
    const ruleset = rulesOfRuleset(rulesetNameOf(value));
    if (ruleset)
      rules.set(
        value,
        ruleset.map(({ ruleId }) => ruleId),
      );
  }
  return { projects: new Set(found.map(({ id }) => id)), projectsOfTag, policies: scopes, rulesOfRuleset: rules };
}

const isKnown = (type: AutomationConditionType, value: string, references: References): boolean => {
  switch (type) {
    case 'CONDITION_TYPE_REPOSITORY_ID':
      return references.projects.has(value);
    case 'CONDITION_TYPE_REPOSITORY_TAG_ID':
      return references.projectsOfTag.has(value);
    case 'CONDITION_TYPE_POLICY':
      return references.policies.has(value);
    case 'CONDITION_TYPE_RULESET_ID':
      return references.rulesOfRuleset.has(value);
    default:
      return true;
  }
};

/** The first excluded value that refers to nothing: without it, the conditions would match more than they say. */
export const missingExclusion = ({ mode, conditions }: AutomationFilters, references: References): string | undefined =>
  missingReference(
    { mode, conditions: conditions.filter((condition) => mode === 'MODE_NONE' || condition.mode === 'MODE_NONE') },
    references,
  );

/** The first value that refers to nothing: an automation with such a value must not run, because it could match all. */
export function missingReference(filters: AutomationFilters, references: References): string | undefined {
  for (const { type, values } of filters.conditions)
    for (const value of values) if (!isKnown(type, value, references)) return `${type} ${value}`;
  return undefined;
}
