import { z } from 'zod';
import { RULEBOARD_PRODUCTS, type RuleboardProduct } from '#domain/policies/shape.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const PolicyRow = z.object({
  product: z.enum(RULEBOARD_PRODUCTS),
  rulesets: z.array(z.string()),
  rules: z.array(z.string()),
  disabled: z.array(z.string()),
});

const ExceptionRow = z.object({
  product: z.enum(RULEBOARD_PRODUCTS),
  kind: z.enum(['rule', 'pack']),
  path: z.string(),
  effect: z.enum(['include', 'exclude']),
  projectId: z.string().optional(),
  tagId: z.string().optional(),
  /** The name of the project, or the tag. */
  target: z.string(),
});

/** An exception for one project, or for the projects with a tag. */
export type StoredException = Omit<z.output<typeof ExceptionRow>, 'product'>;

export interface DetectionPolicy {
  rulesets: string[];
  rules: string[];
  disabled: string[];
  exceptions: StoredException[];
}

const exceptionsWhere = (tx: Tx, deployment: string, condition: Sql) =>
  tx.all(ExceptionRow)`
    select exception.product, exception.kind, exception.path, exception.effect,
      exception.project_id as "projectId", exception.tag_id as "tagId", coalesce(project.name, tag.tag) as target
    from detection_exception as exception
    left join project on project.deployment_id = exception.deployment_id and project.id = exception.project_id
    left join deployment_tag as tag on tag.deployment_id = exception.deployment_id and tag.id = exception.tag_id
    where exception.deployment_id = ${deployment} and ${condition}`;

async function load(tx: Tx, deployment: string, exceptions: Sql): Promise<Map<RuleboardProduct, DetectionPolicy>> {
  const rows = await tx.all(PolicyRow)`
    select product, rulesets, rules, disabled from detection_policy where deployment_id = ${deployment}`;
  const byProduct = Map.groupBy(await exceptionsWhere(tx, deployment, exceptions), ({ product }) => product);
  return new Map(
    rows.map(({ product, ...lists }) => [
      product,
      { ...lists, exceptions: (byProduct.get(product) ?? []).map(({ product: _, ...exception }) => exception) },
    ]),
  );
}

/** The detection policies of a migrated deployment by product. */
export const listAll = (tx: Tx, deployment: string): Promise<Map<RuleboardProduct, DetectionPolicy>> =>
  load(tx, deployment, sql`true`);

export async function find(tx: Tx, deployment: string, product: RuleboardProduct): Promise<DetectionPolicy> {
  const all = await load(tx, deployment, sql`exception.product = ${product}`);
  return all.get(product) ?? { rulesets: [], rules: [], disabled: [], exceptions: [] };
}

/** The same with only the exceptions that concern a project. */
export const listForProject = (
  tx: Tx,
  deployment: string,
  project: string | undefined,
): Promise<Map<RuleboardProduct, DetectionPolicy>> =>
  load(
    tx,
    deployment,
    sql`(exception.project_id = ${project ?? null}::bigint or exception.tag_id in (
      select own.id from project_tag join deployment_tag as own
        on own.deployment_id = project_tag.deployment_id and own.tag = project_tag.tag
      where project_tag.deployment_id = ${deployment} and project_tag.project_id = ${project ?? null}::bigint))`,
  );

/** Replaces a policy. The caller has locked the deployment. */
export async function save(
  tx: Tx,
  { deployment, product, by }: { deployment: string; product: RuleboardProduct; by: string },
  { rulesets, rules, disabled, exceptions }: DetectionPolicy,
): Promise<void> {
  await tx.run`
    insert into detection_policy (deployment_id, product, rulesets, rules, disabled, updated_by)
    values (${deployment}, ${product}, ${rulesets}::text[], ${rules}::text[], ${disabled}::text[], ${by})
    on conflict (deployment_id, product) do update set rulesets = excluded.rulesets, rules = excluded.rules,
      disabled = excluded.disabled, updated_at = now(), updated_by = excluded.updated_by`;
  await tx.run`delete from detection_exception where deployment_id = ${deployment} and product = ${product}`;
  await tx.run`
    insert into detection_exception (deployment_id, product, project_id, tag_id, kind, path, effect)
    select ${deployment}, ${product}, project_id, tag_id, kind, path, effect
    from unnest(${exceptions.map(({ projectId = null }) => projectId)}::bigint[],
                ${exceptions.map(({ tagId = null }) => tagId)}::bigint[], ${exceptions.map(({ kind }) => kind)}::text[],
                ${exceptions.map(({ path }) => path)}::text[], ${exceptions.map(({ effect }) => effect)}::text[])
      as given (project_id, tag_id, kind, path, effect)`;
}

const ReferenceRow = z.object({ requested: z.string(), id: z.string(), name: z.string() });
export type NamedReference = z.output<typeof ReferenceRow>;

/** The projects with these names, whatever their case. */
export const findProjects = (tx: Tx, deployment: string, keys: readonly string[]): Promise<NamedReference[]> =>
  tx.all(ReferenceRow)`
    select name_key as requested, id, name from project
    where deployment_id = ${deployment} and name_key = any(${keys}::text[])`;

export const findTags = (tx: Tx, deployment: string, tags: readonly string[]): Promise<NamedReference[]> =>
  tx.all(ReferenceRow)`
    select tag as requested, id, tag as name from deployment_tag
    where deployment_id = ${deployment} and tag = any(${tags}::text[])`;
