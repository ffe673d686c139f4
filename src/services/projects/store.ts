import { z } from 'zod';
import { scmTypeOf } from '#domain/projects/rules.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Id, id, count as int64Count } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ProjectRecord } from './shape.ts';

const Row = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().optional(),
  created_at: z.string(),
  tags: z.array(z.string()),
  latest_scan_id: z.string().optional(),
  primary_id: z.string().optional(),
  default_id: z.string().optional(),
});

const refId = (ref: Sql): Sql => sql`(
  select project_ref.id from project_ref
  where project_ref.deployment_id = project.deployment_id and project_ref.project_id = project.id
    and project_ref.ref = ${ref})`;

const columns: Sql = sql`
  project.id, project.name, project.url, project.created_at,
  array(select tag from project_tag
        where project_tag.deployment_id = project.deployment_id and project_tag.project_id = project.id
        order by tag collate "C") as tags,
  (select scan.id from scan where scan.deployment_id = project.deployment_id and scan.project_id = project.id
   order by scan.started_at desc, scan.id desc limit 1) as latest_scan_id,
  ${refId(sql`coalesce(project.primary_branch, project.default_branch)`)} as primary_id,
  ${refId(sql`project.default_branch`)} as default_id`;

const projectOf = (row: z.output<typeof Row>): ProjectRecord => ({
  id: row.id as Id<'Project'>,
  name: row.name,
  createTime: new Date(row.created_at),
  tags: row.tags,
  ...(row.latest_scan_id === undefined ? {} : { latestScanId: row.latest_scan_id as Id<'Scan'> }),
  url: row.url ?? '',
  primaryBranchId: row.primary_id ?? '',
  defaultBranchId: row.default_id ?? '',
  scmType: scmTypeOf(row.url ?? ''),
});

/** One page of projects in order of registration. The condition must include visibility. */
export async function list(tx: Tx, condition: Sql, window: PageWindow): Promise<ProjectRecord[]> {
  const rows = await tx.all(Row)`
    select ${columns} from project
    where ${condition} and project.id > ${window.after?.[0] ?? '-1'}
    order by project.id limit ${window.limit + 1}`;
  return rows.map(projectOf);
}

export async function find(tx: Tx, deployment: string, project: string): Promise<ProjectRecord | undefined> {
  const row = await tx.one(Row)`
    select ${columns} from project where project.deployment_id = ${deployment} and project.id = ${project}`;
  return row && projectOf(row);
}

const CountRow = z.object({ count: int64Count() });

export async function count(tx: Tx, condition: Sql): Promise<number> {
  const row = await tx.one(CountRow)`select count(*) as count from project where ${condition}`;
  return row?.count ?? 0;
}

const IdRow = z.object({ id: id('Project') });

/** The ids of matching projects, in order; one more than `maxIds` if there are more. */
export async function listMatchingIds(
  tx: Tx,
  { condition, exclude, maxIds }: { condition: Sql; exclude: readonly string[]; maxIds: number },
): Promise<Id<'Project'>[]> {
  const rows = await tx.all(IdRow)`
    select project.id from project where ${condition} and project.id <> all(${exclude}::bigint[])
    order by project.id limit ${maxIds + 1}`;
  return rows.map((row) => row.id);
}

const TagRow = z.object({ id: z.string(), projects: z.array(id('Project')) });

/** Visible projects by tag; tags without projects are left out. */
export async function listByTag(tx: Tx, caller: Caller): Promise<Record<string, { repoIds: Id<'Project'>[] }>> {
  const rows = await tx.all(TagRow)`
    select deployment_tag.id, array_agg(project.id::text order by project.id) as projects
    from deployment_tag
    join project_tag on project_tag.deployment_id = deployment_tag.deployment_id
      and project_tag.tag = deployment_tag.tag
    join project on project.deployment_id = project_tag.deployment_id and project.id = project_tag.project_id
    where deployment_tag.deployment_id = ${caller.deployment} and project.archived_at is null
      and ${projectVisibilitySql(caller)}
    group by deployment_tag.id order by deployment_tag.id`;
  return Object.fromEntries(rows.map((row) => [row.id, { repoIds: row.projects }]));
}

const BranchRow = z.object({ id: id('Branch'), name: z.string() });

export const findBranch = (
  tx: Tx,
  { deployment, project, branch }: { deployment: string; project: string; branch: string },
): Promise<z.output<typeof BranchRow> | undefined> =>
  tx.one(BranchRow)`
    select id, ref as name from project_ref
    where deployment_id = ${deployment} and project_id = ${project} and id = ${branch}`;
