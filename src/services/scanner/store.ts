import { z } from 'zod';
import { isScanVisible } from '#domain/scans/scan-visibility.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

const Deployment = z.object({ id: z.string(), name: z.string(), slug: z.string() });

export async function deploymentOf(tx: Tx, deployment: string): Promise<z.output<typeof Deployment>> {
  const found = await tx.one(Deployment)`select id, name, slug from deployment where id = ${deployment}`;
  if (!found) throw new Error('The deployment of the credential is gone.');
  return found;
}

/** The scan with this client-side id, if the caller may see its project. */
export async function findByRequestId(tx: Tx, caller: Caller, request: string): Promise<string | undefined> {
  const [row] = await tx.rows`
    select scan.id from scan join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    where scan.deployment_id = ${caller.deployment} and scan.request_id = ${request} and ${projectVisibilitySql(caller)}`;
  return row && String(row['id']);
}

/** True if the caller may see the scan. A scan that a token started is not accessible to other tokens (UPL-06). */
export async function isScanAccessible(tx: Tx, caller: Caller, scan: string): Promise<boolean> {
  if (!(await isScanVisible(tx, caller, scan))) return false;
  const [row] = await tx.rows`select started_by from scan where deployment_id = ${caller.deployment} and id = ${scan}`;
  const starter = String(row?.['started_by']);
  return caller.kind === 'user' || !starter.startsWith('token:') || starter === caller.credential;
}

const MOST_IGNORED = 50_000;

/** The ids of ignored findings, which the scanner does not count as blocking. */
export async function ignoredIds(tx: Tx, deployment: string, project: string | undefined) {
  const rows = await tx.rows`
    select syntactic_id, match_based_id from finding
    where deployment_id = ${deployment} and project_id = ${project ?? '0'} and triage_state = 'ignored'
      and state in ('detected', 'elsewhere') and match_based_id is not null
    order by id limit ${MOST_IGNORED}`;
  const texts = (name: string) => rows.flatMap((row) => (row[name] === null ? [] : [String(row[name])]));
  return { syntactic: texts('syntactic_id'), matchBased: texts('match_based_id') };
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
const countedText = (stats: object): string =>
  JSON.stringify(stats, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));

/** Completes a scan. Idempotent. */
export const complete = (tx: Tx, done: ScanCompletion): Promise<number> =>
  tx.run`
    update scan set status = 'completed', exit_code = ${done.exitCode ?? null}, completed_at = ${done.at},
      total_seconds = ${done.totalSeconds ?? null},
      stats = ${done.stats === undefined ? null : countedText(done.stats)}::jsonb
    where deployment_id = ${done.deployment} and id = ${done.scan} and status in ('pending', 'running')`;
