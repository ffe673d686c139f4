import { z } from 'zod';
import { fullRefName } from '#domain/scans/refs.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { isSetUp } from './filter-conditions.ts';
import type { V1ListedProject, V1Project } from './v1-contract.ts';

const Row = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().optional(),
  tags: z.array(z.string()),
  created_at: z.string(),
  latest_scan_at: z.string().optional(),
  primary_branch: z.string().optional(),
  default_branch: z.string().optional(),
  has_managed_diff_scan: z.boolean(),
  has_managed_full_scan: z.boolean(),
});
type Row = z.output<typeof Row>;

const columns: Sql = sql`
  project.id, project.name, project.url, project.created_at, project.latest_scan_at,
  coalesce(project.primary_branch, project.default_branch) as primary_branch, project.default_branch,
  project.has_managed_diff_scan, project.has_managed_full_scan,
  array(select tag from project_tag
        where project_tag.deployment_id = project.deployment_id and project_tag.project_id = project.id
        order by tag collate "C") as tags`;

const listed = (row: Row): V1ListedProject => ({
  id: row.id as Id<'Project'>,
  name: row.name,
  url: row.url ?? null,
  tags: row.tags,
  created_at: new Date(row.created_at),
  latest_scan_at: row.latest_scan_at === undefined ? null : new Date(row.latest_scan_at),
  primary_branch: row.primary_branch === undefined ? null : fullRefName(row.primary_branch),
  default_branch: row.default_branch === undefined ? null : fullRefName(row.default_branch),
});

/** One page of projects that are set up, in order of registration. */
export async function list(tx: Tx, caller: Caller, { limit, offset }: PageWindow): Promise<V1ListedProject[]> {
  const rows = await tx.all(Row)`
    select ${columns} from (
      select * from project
      where project.deployment_id = ${caller.deployment} and project.archived_at is null and ${isSetUp}
        and ${projectVisibilitySql(caller)}
      order by project.id limit ${limit} offset ${limit * offset}
    ) as project
    order by project.id`;
  return rows.map(listed);
}

export async function find(tx: Tx, deployment: string, id: string): Promise<V1Project | undefined> {
  const row = await tx.one(Row)`
    select ${columns} from project where project.deployment_id = ${deployment} and project.id = ${id}`;
  if (!row) return undefined;
  return {
    ...listed(row),
    managed_scan_config: {
      diff_scan: { enabled: row.has_managed_diff_scan },
      full_scan: { enabled: row.has_managed_full_scan },
    },
  };
}
