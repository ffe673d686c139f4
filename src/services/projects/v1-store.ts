import { z } from 'zod';
import { fullRefName } from '#domain/scans/refs.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import { auditRecordCount } from '#kernel/audit/audit-record.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { ListAnchors, type PageAnchors } from '#kernel/db/query/page-anchors.ts';
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

const VersionRow = z.object({ version: z.string() });

/** The anchors of the list of projects, which only audited operations change. */
export const openAnchors = (tx: Tx, anchors: PageAnchors, { caller, now }: { caller: Caller; now: Date }) =>
  anchors.open({
    deployment: caller.deployment,
    list: ['projects', caller.credential],
    now,
    versionSince: async (since) => {
      const row = await tx.one(VersionRow)`select ${auditRecordCount(caller.deployment, since)}::text as version`;
      return row?.version ?? '';
    },
  });

/** One page of projects that are set up, in order of registration. */
export async function list(
  tx: Tx,
  caller: Caller,
  { limit, offset: page }: PageWindow,
  anchors = new ListAnchors(),
): Promise<V1ListedProject[]> {
  const offset = limit * page;
  const { before, key } = anchors.nearest(offset) ?? { before: 0, key: ['0'] };
  const rows = await tx.all(Row)`
    select ${columns} from (
      select * from project
      where project.deployment_id = ${caller.deployment} and project.archived_at is null and ${isSetUp}
        and project.id >= ${key[0] ?? '0'}::bigint and ${projectVisibilitySql(caller)}
      order by project.id limit ${limit} offset ${offset - before}
    ) as project
    order by project.id`;
  const anchorAt = (index: number) => {
    const row = rows.at(index);
    return row ? [{ before: offset + (index < 0 ? rows.length + index : index), key: [row.id] }] : [];
  };
  anchors.add([...anchorAt(0), ...anchorAt(-1)]);
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
