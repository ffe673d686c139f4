import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ProjectSettings } from './rules.ts';

const SettingsRow = z.object({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  primary_branch: z.string().optional(),
  has_managed_diff_scan: z.boolean(),
  has_managed_full_scan: z.boolean(),
  has_ai_full_scan: z.boolean(),
});

export interface LockedProject extends ProjectSettings {
  id: string;
}

/** The existing projects of these ids, locked until the end of the transaction, in order of their ids. */
export async function lockProjects(tx: Tx, deployment: string, ids: readonly string[]): Promise<LockedProject[]> {
  // Tags are read after locking: another transaction may have changed them while this one waited.
  await tx.run`
    select from project where deployment_id = ${deployment} and id = any(${ids}::bigint[])
    order by id for no key update`;
  const rows = await tx.all(SettingsRow)`
    select id, name, primary_branch, has_managed_diff_scan, has_managed_full_scan, has_ai_full_scan,
      array(select tag from project_tag
            where deployment_id = ${deployment} and project_id = project.id order by tag) as tags
    from project where deployment_id = ${deployment} and id = any(${ids}::bigint[]) order by id`;
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    tags: row.tags,
    primaryBranch: row.primary_branch,
    hasDiffScan: row.has_managed_diff_scan,
    hasFullScan: row.has_managed_full_scan,
    hasAiFullScan: row.has_ai_full_scan,
  }));
}

const UNIQUE_VIOLATION = '23505';

/** Writes the settings of locked projects; `taken` if another project has one of the names. */
export async function updateSettings(
  tx: Tx,
  deployment: string,
  projects: readonly LockedProject[],
): Promise<'done' | 'taken'> {
  const column = <Value>(of: (project: LockedProject) => Value) => projects.map(of);
  try {
    await tx.run`
      update project set name = updated.name, name_key = updated.name_key, primary_branch = updated.primary_branch,
        has_managed_diff_scan = updated.has_diff_scan, has_managed_full_scan = updated.has_full_scan,
        has_ai_full_scan = updated.has_ai_full_scan
      from unnest(${column(({ id }) => id)}::bigint[], ${column(({ name }) => name)}::text[],
        ${column(({ name }) => nameKey(name))}::text[],
        ${column(({ primaryBranch }) => primaryBranch ?? null)}::text[],
        ${column(({ hasDiffScan }) => hasDiffScan)}::boolean[], ${column(({ hasFullScan }) => hasFullScan)}::boolean[],
        ${column(({ hasAiFullScan }) => hasAiFullScan)}::boolean[])
        as updated (id, name, name_key, primary_branch, has_diff_scan, has_full_scan, has_ai_full_scan)
      where project.deployment_id = ${deployment} and project.id = updated.id
        and (project.name, project.primary_branch, project.has_managed_diff_scan, project.has_managed_full_scan,
             project.has_ai_full_scan)
          is distinct from (updated.name, updated.primary_branch, updated.has_diff_scan, updated.has_full_scan,
             updated.has_ai_full_scan)`;
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return 'taken';
    throw error;
  }
  await writeTags(tx, deployment, projects);
  return 'done';
}

/** Replaces the tags of each project, and adds new tags to the deployment. */
async function writeTags(tx: Tx, deployment: string, projects: readonly LockedProject[]): Promise<void> {
  const ids = projects.map(({ id }) => id);
  const pairs = projects.flatMap(({ id, tags }) => tags.map((tag) => ({ id, tag })));
  const updated = sql`
    select * from unnest(${pairs.map(({ id }) => id)}::bigint[], ${pairs.map(({ tag }) => tag)}::text[])
      as updated (project_id, tag)`;
  await tx.run`
    delete from project_tag where deployment_id = ${deployment} and project_id = any(${ids}::bigint[])
      and (project_id, tag) not in (${updated})`;
  await tx.run`
    with added as (
      select project_id, tag from (${updated}) as updated
      where not exists (select from project_tag where deployment_id = ${deployment}
        and project_tag.project_id = updated.project_id and project_tag.tag = updated.tag)
    ),
    known as (
      insert into deployment_tag (deployment_id, tag)
      select distinct ${deployment}::bigint, tag from added order by tag
      on conflict (deployment_id, tag) do update set tag = excluded.tag
    )
    insert into project_tag (deployment_id, project_id, tag)
    select ${deployment}, project_id, tag from added`;
}

/** Deletes a project with its refs, scans, findings and dependencies. */
export async function remove(tx: Tx, deployment: string, id: string): Promise<number> {
  // Deleting a hundred thousand findings takes about ten seconds, longer than the usual timeout.
  await tx.run`select set_config('statement_timeout', '10min', true)`;
  return tx.run`delete from project where deployment_id = ${deployment} and id = ${id}`;
}
