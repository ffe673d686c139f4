import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DEFAULT_SETTINGS, type DeploymentScanSettings, type DeploymentScanSettingsDraft } from './contract.ts';
import type { SettingsByProject } from './project-contract.ts';

const SettingsRow = z.object({ id: z.string(), fail_open: z.boolean(), seconds: z.int() });
type SettingsRow = z.output<typeof SettingsRow>;

const columns = sql`id, fail_open, fail_open_timeout_seconds as seconds`;

const settingsOf = (deployment: string, row: SettingsRow): DeploymentScanSettings => ({
  id: row.id as Id<'ManagedScanSettings'>,
  deploymentId: deployment as Id<'Deployment'>,
  failOpen: row.fail_open,
  failOpenTimeout: `${row.seconds}s`,
});

export async function findSettings(tx: Tx, deployment: string): Promise<DeploymentScanSettings | undefined> {
  const row = await tx.one(SettingsRow)`
    select ${columns} from managed_scan_settings where deployment_id = ${deployment}`;
  return row && settingsOf(deployment, row);
}

export const defaultSettings = (deployment: string): DeploymentScanSettings => ({
  ...{ id: '0' as Id<'ManagedScanSettings'>, deploymentId: deployment as Id<'Deployment'> },
  ...DEFAULT_SETTINGS,
});

/** Undefined if the deployment has settings already. */
export async function insertSettings(
  tx: Tx,
  deployment: string,
  { failOpen, failOpenTimeout }: DeploymentScanSettingsDraft,
): Promise<DeploymentScanSettings | undefined> {
  const { failOpen: isOpen, failOpenTimeout: timeout } = DEFAULT_SETTINGS;
  const row = await tx.one(SettingsRow)`
    insert into managed_scan_settings (deployment_id, fail_open, fail_open_timeout_seconds)
    values (${deployment}, ${failOpen ?? isOpen}, ${Number.parseInt(failOpenTimeout ?? timeout, 10)})
    on conflict (deployment_id) do nothing
    returning ${columns}`;
  return row && settingsOf(deployment, row);
}

export interface ScanSettingsRef {
  deployment: string;
  id: string;
}

export async function updateSettings(
  tx: Tx,
  { deployment, id }: ScanSettingsRef,
  { failOpen, failOpenTimeout }: DeploymentScanSettingsDraft,
): Promise<DeploymentScanSettings | undefined> {
  const seconds = failOpenTimeout === undefined ? null : Number.parseInt(failOpenTimeout, 10);
  const row = await tx.one(SettingsRow)`
    update managed_scan_settings
    set fail_open = coalesce(${failOpen ?? null}::boolean, fail_open),
        fail_open_timeout_seconds = coalesce(${seconds}::integer, fail_open_timeout_seconds)
    where deployment_id = ${deployment} and id = ${id}
    returning ${columns}`;
  return row && settingsOf(deployment, row);
}

export const removeSettings = (tx: Tx, { deployment, id }: ScanSettingsRef): Promise<number> =>
  tx.run`delete from managed_scan_settings where deployment_id = ${deployment} and id = ${id}`;

const ProjectRow = z.object({ id: z.string(), has_diff_scan: z.boolean(), has_full_scan: z.boolean() });

/** The managed scans of the projects that the caller may see, in the order of their ids. */
export async function listProjectSettings(
  tx: Tx,
  caller: Caller,
  projects: readonly string[],
): Promise<SettingsByProject[]> {
  const rows = await tx.all(ProjectRow)`
    select id, has_managed_diff_scan as has_diff_scan, has_managed_full_scan as has_full_scan from project
    where project.deployment_id = ${caller.deployment} and project.id = any(${projects}::bigint[])
      and ${projectVisibilitySql(caller)}
    order by project.id`;
  return rows.map(({ id, has_diff_scan, has_full_scan }) => ({
    projectId: id as Id<'Project'>,
    project_managed_scan_settings:
      has_diff_scan || has_full_scan
        ? { diff_scan: { enabled: has_diff_scan }, full_scan: { enabled: has_full_scan } }
        : {},
  }));
}
