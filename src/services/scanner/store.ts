import { z } from 'zod';
import { announceScanEnd } from '#domain/scans/scan-ended.ts';
import { isScanVisible } from '#domain/scans/scan-visibility.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

const DeploymentRow = z.object({ id: z.string(), name: z.string(), slug: z.string() });

export async function deploymentOf(tx: Tx, deployment: string): Promise<z.output<typeof DeploymentRow>> {
  const found = await tx.one(DeploymentRow)`select id, name, slug from deployment where id = ${deployment}`;
  if (!found) throw new Error('The deployment of the credential does not exist.');
  return found;
}

const IdRow = z.object({ id: z.string() });

/** The scan with this client-side id, if the caller may see its project. */
export async function findByRequestId(tx: Tx, caller: Caller, request: string): Promise<string | undefined> {
  const row = await tx.one(IdRow)`
    select scan.id from scan join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    where scan.deployment_id = ${caller.deployment} and scan.request_id = ${request}
      and ${projectVisibilitySql(caller)}`;
  return row?.id;
}

/** The running scan with this client-side id that the credential started. */
export async function findOwnRunning(tx: Tx, caller: Caller, request: string): Promise<string | undefined> {
  const row = await tx.one(IdRow)`
    select id from scan
    where deployment_id = ${caller.deployment} and request_id = ${request} and started_by = ${caller.credential}
      and status = 'running'`;
  return row?.id;
}

const StarterRow = z.object({ started_by: z.string() });

/** True if the caller may see the scan. A scan that a token started is not accessible to other tokens (UPL-06). */
export async function isScanAccessible(tx: Tx, caller: Caller, scan: string): Promise<boolean> {
  if (!(await isScanVisible(tx, caller, scan))) return false;
  const row = await tx.one(StarterRow)`
    select started_by from scan where deployment_id = ${caller.deployment} and id = ${scan}`;
  const startedBy = row?.started_by ?? '';
  return caller.kind === 'user' || !startedBy.startsWith('token:') || startedBy === caller.credential;
}

const MAX_IGNORED_IDS = 50_000;

const IgnoredRow = z.object({ syntactic_id: z.string().optional(), match_based_id: z.string() });

/** The ids of ignored findings, which the scanner does not count as blocking. */
export async function ignoredIds(tx: Tx, deployment: string, project: string | undefined) {
  const rows = await tx.all(IgnoredRow)`
    select syntactic_id, match_based_id from finding
    where deployment_id = ${deployment} and project_id = ${project ?? '0'} and triage_state = 'ignored'
      and state in ('detected', 'elsewhere') and match_based_id is not null
    order by id limit ${MAX_IGNORED_IDS}`;
  return {
    syntactic: rows.flatMap((row) => row.syntactic_id ?? []),
    matchBased: rows.map((row) => row.match_based_id),
  };
}

export interface ScanCompletion {
  deployment: string;
  scan: string;
  exitCode: number | undefined;
  totalSeconds: number | undefined;
  stats: object | undefined;
  at: Date;
}

/** Scanner counts may exceed the exact range of a double; the loss of precision does not matter here. */
const statsJson = (stats: object): string =>
  JSON.stringify(stats, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));

/** Completes a scan, and announces its end. Idempotent. */
export async function complete(tx: Tx, completion: ScanCompletion): Promise<number> {
  const count = await tx.run`
    update scan set status = 'completed', exit_code = ${completion.exitCode ?? null}, completed_at = ${completion.at},
      total_seconds = ${completion.totalSeconds ?? null},
      stats = ${completion.stats === undefined ? null : statsJson(completion.stats)}::jsonb
    where deployment_id = ${completion.deployment} and id = ${completion.scan} and status in ('pending', 'running')`;
  if (count === 1) await announceScanEnd(tx, completion);
  return count;
}
