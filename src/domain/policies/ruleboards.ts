import { z } from 'zod';
import { nameKey, numberedSlug, slugOf } from '#domain/deployments/rules.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { count, id } from '#kernel/contract/proto-fields.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { boardSlugOf } from './rules.ts';
import { RULEBOARD_PRODUCTS, Ruleboard, type RuleboardProduct } from './shape.ts';

/** A ruleboard without its items. */
const RuleboardRecord = z.object({
  id: id('Policy'),
  product: z.enum(RULEBOARD_PRODUCTS),
  name: z.string(),
  slug: z.string(),
  isDefault: z.boolean(),
  version: count(),
});
export type RuleboardRecord = z.output<typeof RuleboardRecord>;

const columns = sql`id, product, name, slug, is_default as "isDefault", version`;

export const MAX_RULEBOARDS = 200;

/** The default boards of a new deployment, each with the shipped rules of its product as a ruleset. */
const DEFAULTS: readonly { product: RuleboardProduct; name: string; slug: string; ruleset: string }[] = [
  { product: 'sast', name: 'Global Policy', slug: 'global-policy', ruleset: 'p/parapet' },
  { product: 'secrets', name: 'Global Secrets Policy', slug: 'global-policy-secrets', ruleset: 'p/secrets' },
];

/** The author of the items that a new deployment starts with. */
export const INITIAL_AUTHOR = 'Parapet';

/** Inserts the default boards of a new deployment, which run the shipped rules in monitor mode. */
export async function insertDefaults(tx: Tx, deployment: string): Promise<void> {
  await tx.run`
    with initial (product, name, name_key, slug, ruleset) as (
      select * from unnest(
        ${DEFAULTS.map(({ product }) => product)}::text[], ${DEFAULTS.map(({ name }) => name)}::text[],
        ${DEFAULTS.map(({ name }) => nameKey(name))}::text[], ${DEFAULTS.map(({ slug }) => slug)}::text[],
        ${DEFAULTS.map(({ ruleset }) => ruleset)}::text[]))
    , board as (
      insert into ruleboard (deployment_id, product, name, name_key, slug, is_default)
      select ${deployment}, product, name, name_key, slug, true from initial
      returning id, product)
    insert into ruleboard_item (deployment_id, ruleboard_id, kind, path, mode, changed_by)
    select ${deployment}, board.id, 'ruleset', initial.ruleset, 'monitor', ${INITIAL_AUTHOR}
    from board join initial using (product)`;
}

const bySlug = (deployment: string, slug: string): Sql =>
  sql`deployment_id = ${deployment} and slug = ${boardSlugOf(slug)}`;

const assignedProjects = sql`
  select from ruleboard_project
  join project on project.deployment_id = ruleboard_project.deployment_id and project.id = ruleboard_project.project_id
  where ruleboard_project.deployment_id = ruleboard.deployment_id and ruleboard_project.ruleboard_id = ruleboard.id`;

/** A condition on `ruleboard`: it is not only for projects that the caller may not see. */
const isVisibleTo = (caller: Caller): Sql =>
  caller.seesEverything
    ? sql`true`
    : sql`(not exists (${assignedProjects}) or exists (${assignedProjects} and ${projectVisibilitySql(caller)}))`;

export const find = (tx: Tx, caller: Caller, slug: string): Promise<RuleboardRecord | undefined> =>
  tx.one(RuleboardRecord)`
    select ${columns} from ruleboard where ${bySlug(caller.deployment, slug)} and ${isVisibleTo(caller)}`;

export const findById = (tx: Tx, caller: Caller, board: string): Promise<RuleboardRecord | undefined> =>
  tx.one(RuleboardRecord)`
    select ${columns} from ruleboard
    where deployment_id = ${caller.deployment} and id = ${board} and ${isVisibleTo(caller)}`;

/** The boards that the caller sees, default boards first. */
export const listVisible = (tx: Tx, caller: Caller): Promise<RuleboardRecord[]> =>
  tx.all(RuleboardRecord)`
    select ${columns} from ruleboard
    where deployment_id = ${caller.deployment} and ${isVisibleTo(caller)} order by is_default desc, ruleboard.id`;

/** Locks the board, so that concurrent writers wait. */
export const lock = (tx: Tx, deployment: string, slug: string): Promise<RuleboardRecord | undefined> =>
  tx.one(RuleboardRecord)`select ${columns} from ruleboard where ${bySlug(deployment, slug)} for no key update`;

export const lockById = (tx: Tx, deployment: string, board: string): Promise<RuleboardRecord | undefined> =>
  tx.one(RuleboardRecord)`
    select ${columns} from ruleboard where deployment_id = ${deployment} and id = ${board} for no key update`;

export const list = (tx: Tx, deployment: string): Promise<RuleboardRecord[]> =>
  tx.all(RuleboardRecord)`
    select ${columns} from ruleboard where deployment_id = ${deployment} order by is_default desc, ruleboard.id`;

/** The boards that apply to a project: the default boards, and then its own boards, which add to them. */
export const listForProject = (tx: Tx, deployment: string, project: string | undefined): Promise<RuleboardRecord[]> =>
  tx.all(RuleboardRecord)`
    select ${columns} from ruleboard
    where deployment_id = ${deployment} and (is_default or id in (
      select ruleboard_id from ruleboard_project
      where deployment_id = ${deployment} and project_id = ${project ?? null}::bigint))
    order by is_default desc, ruleboard.id`;

const columnsFor = (caller: Caller): Sql => sql`
  name, slug, is_default as "default",
  array(select project.id::text from ruleboard_project
        join project on project.deployment_id = ruleboard_project.deployment_id
          and project.id = ruleboard_project.project_id
        where ruleboard_project.deployment_id = ruleboard.deployment_id
          and ruleboard_project.ruleboard_id = ruleboard.id and ${projectVisibilitySql(caller)}
        order by project.id) as assigned_repos`;

/** The boards with the projects that the caller sees, default boards first. */
export const listForCaller = (tx: Tx, caller: Caller, product: RuleboardProduct | undefined): Promise<Ruleboard[]> =>
  tx.all(Ruleboard)`
    select ${columnsFor(caller)} from ruleboard
    where deployment_id = ${caller.deployment} ${product === undefined ? emptySql : sql`and product = ${product}`}
      and ${isVisibleTo(caller)}
    order by is_default desc, ruleboard.id`;

export const findForCaller = (tx: Tx, caller: Caller, board: string): Promise<Ruleboard | undefined> =>
  tx.one(Ruleboard)`
    select ${columnsFor(caller)} from ruleboard where deployment_id = ${caller.deployment} and id = ${board}`;

const AssignedProject = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().default(''),
  tags: z.array(z.string()),
});

export const listProjects = (tx: Tx, caller: Caller, board: string): Promise<z.output<typeof AssignedProject>[]> =>
  tx.all(AssignedProject)`
    select project.id, project.name, project.url,
      array(select tag from project_tag
            where project_tag.deployment_id = project.deployment_id and project_tag.project_id = project.id
            order by tag) as tags
    from ruleboard_project join project
      on project.deployment_id = ruleboard_project.deployment_id and project.id = ruleboard_project.project_id
    where ruleboard_project.deployment_id = ${caller.deployment} and ruleboard_project.ruleboard_id = ${board}
      and ${projectVisibilitySql(caller)}
    order by project.id`;

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from ruleboard where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

const Slug = z.object({ slug: z.string() });

/** The new board, or undefined if another board of the product has that name. The caller has locked the deployment. */
export async function insert(
  tx: Tx,
  board: { deployment: string; product: RuleboardProduct; name: string },
): Promise<RuleboardRecord | undefined> {
  const slug = slugOf(board.name);
  const rows = await tx.all(Slug)`
    select slug from ruleboard
    where deployment_id = ${board.deployment} and starts_with(slug, ${slug.slice(0, 50)})`;
  const taken = new Set(rows.map(({ slug: used }) => used));
  let n = 1;
  while (taken.has(numberedSlug(slug, n))) n++;
  return tx.one(RuleboardRecord)`
    insert into ruleboard (deployment_id, product, name, name_key, slug)
    values (${board.deployment}, ${board.product}, ${board.name}, ${nameKey(board.name)}, ${numberedSlug(slug, n)})
    on conflict do nothing
    returning ${columns}`;
}

/** False if another board of the product has that name. The slug is unchanged, because clients use it as the id. */
export async function rename(tx: Tx, board: { deployment: string; id: string; name: string }): Promise<boolean> {
  const changed = await tx.run`
    update ruleboard set name = ${board.name}, name_key = ${nameKey(board.name)}
    where deployment_id = ${board.deployment} and id = ${board.id}
      and not exists (select from ruleboard as other
        where other.deployment_id = ruleboard.deployment_id and other.product = ruleboard.product
          and other.id <> ruleboard.id and other.name_key = ${nameKey(board.name)})`;
  return changed === 1;
}

const Version = z.object({ version: count() });

/** Increments the version after a change and returns it. */
export async function incrementVersion(tx: Tx, deployment: string, board: string): Promise<number> {
  const row = await tx.one(Version)`
    update ruleboard set version = version + 1 where deployment_id = ${deployment} and id = ${board} returning version`;
  return row?.version ?? 0;
}

export const remove = (tx: Tx, deployment: string, board: string): Promise<number> =>
  tx.run`delete from ruleboard where deployment_id = ${deployment} and id = ${board}`;

const ResolvedProject = z.object({ id: z.string().optional() });

/** The ids of projects that are given by id or name; undefined for those that the caller does not see. */
export async function resolveProjects(tx: Tx, caller: Caller, idsOrNames: string[]): Promise<(string | undefined)[]> {
  const rows = await tx.all(ResolvedProject)`
    select found.id from unnest(${idsOrNames.map((text) => (isInt64(text) ? text : null))}::bigint[],
                                ${idsOrNames.map(nameKey)}::text[]) with ordinality
      as requested (id, name_key, position)
    left join lateral (
      select project.id from project
      where project.deployment_id = ${caller.deployment}
        and (project.id = requested.id or project.name_key = requested.name_key) and ${projectVisibilitySql(caller)}
      order by project.id = requested.id desc nulls last limit 1) as found on true
    order by requested.position`;
  return rows.map(({ id: found }) => found);
}

/** Assigns exactly these projects to the board. Returns the slugs of other boards that lost projects. */
export async function assignProjects(
  tx: Tx,
  deployment: string,
  board: RuleboardRecord,
  projects: string[],
): Promise<string[]> {
  const left = await tx.all(Slug)`
    update ruleboard set version = version + 1
    where deployment_id = ${deployment} and id <> ${board.id} and id in (
      select ruleboard_id from ruleboard_project
      where deployment_id = ${deployment} and product = ${board.product} and project_id = any(${projects}::bigint[]))
    returning slug`;
  await tx.run`
    delete from ruleboard_project
    where deployment_id = ${deployment} and ruleboard_id = ${board.id} and project_id <> all(${projects}::bigint[])`;
  await tx.run`
    insert into ruleboard_project (deployment_id, product, project_id, ruleboard_id)
    select ${deployment}, ${board.product}, id, ${board.id} from unnest(${projects}::bigint[]) as assigned (id)
    on conflict (deployment_id, product, project_id) do update set ruleboard_id = excluded.ruleboard_id`;
  return left.map(({ slug }) => slug);
}
