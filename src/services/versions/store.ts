import { z } from 'zod';
import { environmentOf } from '#domain/scans/rules.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ProjectScannerInfo } from './contract.ts';

const ScannerRow = z.object({
  id: id('Project'),
  name: z.string(),
  scanner_version: z.string().optional(),
  environment: z.string(),
});

/** The scanner of the latest scan for a product, for each visible project that has one. */
export async function list(tx: Tx, caller: Caller, product: string): Promise<ProjectScannerInfo[]> {
  const rows = await tx.all(ScannerRow)`
    select project.id, project.name, latest.scanner_version, latest.environment
    from project
    cross join lateral (
      select scan.scanner_version, scan.environment from scan
      where scan.deployment_id = project.deployment_id and scan.project_id = project.id
        and ${product} = any(scan.products)
      order by scan.started_at desc, scan.id desc limit 1
    ) as latest
    where project.deployment_id = ${caller.deployment} and project.archived_at is null
      and ${projectVisibilitySql(caller)}
    order by project.name_key, project.id`;
  return rows.map((row) => ({
    repositoryName: row.name,
    repositoryId: row.id,
    cliVersion: row.scanner_version ?? '',
    scanEnvironment: environmentOf(row.environment),
  }));
}
