import { z } from 'zod';
import { scmTypeOf } from '#domain/projects/rules.ts';
import { statusOf } from '#domain/scans/rules.ts';
import { SCM_PROVIDERS, scopesNamed } from '#domain/scm/hosts/host-shape.ts';
import { typeOfHost } from '#domain/scm/scm-types.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { isSetUp } from './filter-conditions.ts';
import { scopesOf } from './rules.ts';
import type { Repository } from './shape.ts';

/** A project has a ref for each pull request, so only the most relevant refs are shown. */
const MAX_REFS = 100;

const RefRow = z.object({ id: z.string(), ref: z.string() });

const Row = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().optional(),
  created_at: z.string(),
  archived_at: z.string().optional(),
  primary_branch: z.string().optional(),
  default_branch: z.string().optional(),
  has_managed_diff_scan: z.boolean(),
  has_managed_full_scan: z.boolean(),
  has_ai_full_scan: z.boolean(),
  is_set_up: z.boolean(),
  tags: z.array(z.string()),
  latest_id: z.string().optional(),
  latest_started_at: z.string().optional(),
  latest_completed_at: z.string().optional(),
  latest_exit_code: z.number().optional(),
  latest_status: z.string().optional(),
  first_scan_id: z.string().optional(),
  full_sca_at: z.string().optional(),
  primary_ref: RefRow.optional(),
  default_ref: RefRow.optional(),
  last_ref: RefRow.optional(),
  refs: z.array(RefRow),
  dependency_counts: z.record(z.string(), z.string()),
  host_provider: z.enum(SCM_PROVIDERS).optional(),
  host_url: z.string().default(''),
  host_id: z.string().optional(),
  host_scopes: z.array(z.string()).default([]),
  host_synced_at: z.string().optional(),
  is_host_gone: z.boolean().default(false),
  is_host_archived: z.boolean().default(false),
});
type Row = z.output<typeof Row>;

const refJson = (table: Sql): Sql =>
  sql`case when ${table}.id is not null then jsonb_build_object('id', ${table}.id::text, 'ref', ${table}.ref) end`;

const columns: Sql = sql`
  project.id, project.name, project.url, project.created_at, project.archived_at, project.primary_branch,
  project.default_branch, project.has_managed_diff_scan, project.has_managed_full_scan, project.has_ai_full_scan,
  ${isSetUp} as is_set_up,
  array(select tag from project_tag
        where project_tag.deployment_id = project.deployment_id and project_tag.project_id = project.id
        order by tag collate "C") as tags,
  latest.id as latest_id, latest.started_at as latest_started_at, latest.completed_at as latest_completed_at,
  latest.exit_code as latest_exit_code, latest.status as latest_status,
  earliest.id as first_scan_id, full_sca.at as full_sca_at,
  ${refJson(sql`primary_ref`)} as primary_ref, ${refJson(sql`default_ref`)} as default_ref,
  ${refJson(sql`last_ref`)} as last_ref, refs.list as refs, dependencies.counts as dependency_counts,
  connection.provider as host_provider, connection.base_url as host_url, connection.scopes as host_scopes,
  connection.synced_at as host_synced_at, repository.external_id as host_id,
  repository.gone_at is not null as is_host_gone, repository.is_archived as is_host_archived`;

const ofProject = (table: Sql): Sql =>
  sql`${table}.deployment_id = project.deployment_id and ${table}.project_id = project.id`;

/** The data of a project, each part read with one index lookup. */
const relations: Sql = sql`
  left join lateral (
    select id, started_at, completed_at, exit_code, status, ref_id from scan where ${ofProject(sql`scan`)}
    order by started_at desc, id desc limit 1
  ) as latest on true
  left join lateral (
    select id from scan where ${ofProject(sql`scan`)} order by started_at, id limit 1
  ) as earliest on true
  left join lateral (
    select coalesce(completed_at, started_at) as at from scan
    where ${ofProject(sql`scan`)} and mode = 'full' and status = 'completed' and 'sca' = any(products)
    order by started_at desc, id desc limit 1
  ) as full_sca on true
  left join scm_repository as repository on ${ofProject(sql`repository`)}
  left join scm_config as connection on connection.deployment_id = repository.deployment_id
    and connection.id = repository.config_id
  left join project_ref as primary_ref on ${ofProject(sql`primary_ref`)}
    and primary_ref.ref = coalesce(project.primary_branch, project.default_branch)
  left join project_ref as default_ref on ${ofProject(sql`default_ref`)}
    and default_ref.ref = project.default_branch
  left join project_ref as last_ref on last_ref.deployment_id = project.deployment_id
    and last_ref.id = latest.ref_id
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('id', known.id::text, 'ref', known.ref)), '[]') as list
    from (
      select project_ref.id, project_ref.ref from project_ref where ${ofProject(sql`project_ref`)}
      order by project_ref.id = primary_ref.id is true desc, project_ref.id = default_ref.id is true desc,
        project_ref.closed_at is not null, project_ref.seen_at desc, project_ref.id desc
      limit ${MAX_REFS}
    ) as known
  ) as refs
  cross join lateral (
    select coalesce(jsonb_object_agg(counted.ecosystem, counted.count), '{}') as counts
    from (
      select dependency.ecosystem, count(*)::text as count from dependency
      where dependency.deployment_id = project.deployment_id and dependency.ref_id = primary_ref.id
      group by dependency.ecosystem
    ) as counted
  ) as dependencies`;

const refOfRow = ({ id, ref }: z.output<typeof RefRow>) => ({ id: id as Id<'Branch'>, ref });

function latestScanOf(row: Row): Pick<Repository, 'latestScan'> {
  if (row.latest_id === undefined || row.latest_started_at === undefined) return {};
  return {
    latestScan: {
      id: row.latest_id as Id<'Scan'>,
      startedAt: new Date(row.latest_started_at),
      ...(row.latest_completed_at === undefined ? {} : { completedAt: new Date(row.latest_completed_at) }),
      ...(row.latest_exit_code === undefined ? {} : { exitCode: String(row.latest_exit_code) }),
      hasLogs: false,
      status: statusOf(row.latest_status ?? ''),
      isManagedScanPlaceholder: false,
    },
  };
}

function refsOf(row: Row): Pick<Repository, 'refs' | 'primaryRef' | 'defaultRef' | 'lastScannedRef'> {
  const { primary_ref, default_ref, last_ref } = row;
  return {
    refs: row.refs.map(({ id, ref }) => ({
      repoRefId: id as Id<'Branch'>,
      ref,
      isDefault: id === default_ref?.id,
      isPrimary: id === primary_ref?.id,
    })),
    ...(primary_ref && { primaryRef: { ...refOfRow(primary_ref), isOverride: row.primary_branch !== undefined } }),
    ...(default_ref && { defaultRef: refOfRow(default_ref) }),
    ...(last_ref && { lastScannedRef: refOfRow(last_ref) }),
  };
}

/** What the connected code host says about a repository; without one, nothing is known. */
function hostOfRow(row: Row) {
  const { host_provider: provider, host_scopes: scopes, is_host_gone: isGone } = row;
  const tokenScopes = scopesNamed(scopes);
  return {
    isDisconnected: isGone,
    hasCodeAccess: provider !== undefined && !isGone && tokenScopes.readContents,
    scmLastSyncedAt: row.host_synced_at === undefined ? 0 : Math.floor(Date.parse(row.host_synced_at) / 1000),
    linkedRepos: [],
    ...(row.host_id !== undefined && { repositoryScmLinkId: row.host_id }),
    tokenScopes,
    isScmArchived: row.is_host_archived,
    scmType: provider === undefined ? scmTypeOf(row.url ?? '') : typeOfHost({ provider, baseUrl: row.host_url }),
  };
}

function repositoryOf(row: Row, caller: Caller): Repository {
  const host = hostOfRow(row);
  const isArchived = row.archived_at !== undefined;
  const hasManagedScans = row.has_managed_diff_scan || row.has_managed_full_scan;
  return {
    ...host,
    id: row.id as Id<'Project'>,
    name: row.name,
    tags: row.tags,
    provisionedAt: new Date(row.created_at),
    ...latestScanOf(row),
    deploymentId: caller.deployment as Id<'Deployment'>,
    url: row.url ?? '',
    ignoredFiles: [],
    productIgnoredFiles: { sast: [], sca: [], secrets: [] },
    ...(row.first_scan_id === undefined ? {} : { firstScanId: row.first_scan_id as Id<'Scan'> }),
    isArchived,
    managedScans: {
      diffScan: row.has_managed_diff_scan,
      numConfigs: hasManagedScans ? 1 : 0,
      fullScan: row.has_managed_full_scan,
    },
    isSetup: row.is_set_up,
    authorizedScopes: scopesOf(caller.permissions),
    ...(host.scmType === 'SCM_TYPE_GITHUB' ? { provider: 'PROVIDER_GITHUB' } : {}),
    defaultBranch: row.default_branch ?? '',
    ...refsOf(row),
    latestFullScaScanParserErrors: { errors: [] },
    ...(row.full_sca_at === undefined ? {} : { latestFullScaScanAt: new Date(row.full_sca_at) }),
    scaInfo: { dependencyCounts: row.dependency_counts },
    aiScans: { fullScan: row.has_ai_full_scan },
    isPlatformArchived: isArchived,
    ...(row.archived_at === undefined ? {} : { archivedAt: new Date(row.archived_at) }),
  };
}

/** One page of repositories in order of registration. The condition must include visibility. */
export async function list(
  tx: Tx,
  caller: Caller,
  { condition, window }: { condition: Sql; window: PageWindow },
): Promise<Repository[]> {
  const rows = await tx.all(Row)`
    select ${columns} from (
      select * from project where ${condition} and project.id > ${window.after?.[0] ?? '-1'}
      order by project.id limit ${window.limit + 1}
    ) as project ${relations}
    order by project.id`;
  return rows.map((row) => repositoryOf(row, caller));
}

export async function find(tx: Tx, caller: Caller, id: string): Promise<Repository | undefined> {
  const row = await tx.one(Row)`
    select ${columns} from project ${relations}
    where project.deployment_id = ${caller.deployment} and project.id = ${id}`;
  return row && repositoryOf(row, caller);
}

const Connection = z.object({ id: z.string() });

/** The connections to code hosts of a deployment. */
export async function listConnections(tx: Tx, deployment: string): Promise<string[]> {
  const rows = await tx.all(Connection)`select id from scm_config where deployment_id = ${deployment} order by id`;
  return rows.map(({ id }) => id);
}

const Connected = z.object({ config: z.string(), repository: z.string() });

/** The repository of a project, and the connection that shows it. */
export const findConnected = (
  tx: Tx,
  deployment: string,
  project: string,
): Promise<z.output<typeof Connected> | undefined> =>
  tx.one(Connected)`
    select config_id as config, external_id as repository from scm_repository
    where deployment_id = ${deployment} and project_id = ${project}`;
