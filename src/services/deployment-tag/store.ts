import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { DeploymentTag } from './contract.ts';

type Tag = z.output<typeof DeploymentTag>;

const TagName = z.object({ tag: z.string() });
const TagRow = TagName.extend({ id: z.string(), count: z.coerce.number().optional() });

const taggedProjects = sql`
  select from project_tag
  join project on project.deployment_id = project_tag.deployment_id and project.id = project_tag.project_id
  where project_tag.deployment_id = deployment_tag.deployment_id and project_tag.tag = deployment_tag.tag`;

/** A condition on `deployment_tag`: it is not only on projects that the caller may not see. */
const isVisibleTo = (caller: Caller): Sql =>
  caller.seesEverything
    ? sql`true`
    : sql`(not exists (${taggedProjects}) or exists (${taggedProjects} and ${projectVisibilitySql(caller)}))`;

export async function listNames(tx: Tx, caller: Caller): Promise<string[]> {
  const rows = await tx.all(TagName)`
    select tag from deployment_tag
    where deployment_id = ${caller.deployment} and ${isVisibleTo(caller)} order by tag collate "C"`;
  return rows.map(({ tag }) => tag);
}

export interface TagListOptions {
  hasCounts: boolean;
}

/** The tags that the caller sees; the counts include only projects that the caller may see. */
export async function find(tx: Tx, caller: Caller, { hasCounts }: TagListOptions): Promise<Tag[]> {
  const rows = await tx.all(TagRow)`
    select deployment_tag.id, deployment_tag.tag
      ${hasCounts ? sql`, coalesce(used.count, 0) as count` : emptySql}
    from deployment_tag
    ${
      hasCounts
        ? sql`
    left join (
      select project_tag.tag, count(*) as count
      from project_tag join project on project.deployment_id = project_tag.deployment_id
        and project.id = project_tag.project_id
      where project_tag.deployment_id = ${caller.deployment} and ${projectVisibilitySql(caller)}
      group by project_tag.tag
    ) as used on used.tag = deployment_tag.tag`
        : emptySql
    }
    where deployment_tag.deployment_id = ${caller.deployment} and ${isVisibleTo(caller)}
    order by deployment_tag.tag collate "C"`;
  return rows.map(({ id, tag, count }) => ({
    id: id as Tag['id'],
    name: tag,
    ...(count === undefined ? {} : { projectCount: count }),
  }));
}

export async function exists(tx: Tx, caller: Caller, tag: string): Promise<boolean> {
  const rows = await tx.rows`
    select from deployment_tag
    where deployment_id = ${caller.deployment} and tag = ${tag} and ${isVisibleTo(caller)}`;
  return rows.length === 1;
}

const UNIQUE_VIOLATION = '23505';

/** Renames a tag, and by its foreign key on every project; `taken` if another tag has the name. */
export async function rename(
  tx: Tx,
  deployment: string,
  { from, to }: { from: string; to: string },
): Promise<'done' | 'absent' | 'taken'> {
  try {
    const changed = await tx.run`
      update deployment_tag set tag = ${to} where deployment_id = ${deployment} and tag = ${from}`;
    return changed === 1 ? 'done' : 'absent';
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return 'taken';
    throw error;
  }
}

/** Deletes a tag, and by its foreign key from every project. */
export const remove = (tx: Tx, deployment: string, tag: string): Promise<number> =>
  tx.run`delete from deployment_tag where deployment_id = ${deployment} and tag = ${tag}`;
