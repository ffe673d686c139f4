import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from '../tracking/candidates.ts';
import { fingerprintDigest } from '../tracking/finding-identity.ts';
import type { CacheInput } from './stage-report.ts';
import type { ReportSummary } from './stager.ts';

/** More than these are not compared: a worker holds them all while it reads. */
const MOST_KNOWN = 250_000;
const MOST_BYTES = 16 * 2 ** 20;

/** Under what a project's primary ref is scanned: results that say the same mean the same only under the same rules. */
export const rulesetDigestOf = ({ rulesetDigest }: ReportSummary): string => fingerprintDigest('said@1', rulesetDigest);

export const unchangedCountOf = ({ unchanged }: ReportSummary): number =>
  unchanged.sast + unchanged.sca + unchanged.secrets;

export interface PreviousContent {
  /** Digests of what the last scans of a ref said, of each result that nobody else said the same of; 16 bytes each. */
  digests: Uint8Array;
  /** By analysis, what its results said by their bytes. */
  resultCaches: ReadonlyMap<string, Buffer>;
}

/**
 * What a report may say again. Undefined for refs that do not speak for their project: what scans of those say is taken
 * over or not, depending on others.
 */
export async function loadPreviousContent(
  tx: Tx,
  { deployment, project, ref }: Omit<TrackingTarget, 'analysis'>,
): Promise<PreviousContent | undefined> {
  const rows = await tx.rows`
    select analysis.id, analysis.result_cache from project
    join project_ref on project_ref.deployment_id = project.deployment_id
      and project_ref.project_id = project.id and project_ref.id = ${ref}
      and project_ref.ref = coalesce(project.primary_branch, project.default_branch)
    left join analysis on analysis.deployment_id = ${deployment} and analysis.ref_id = ${ref}
      and analysis.ruleset_digest is not null
    where project.deployment_id = ${deployment} and project.id = ${project}`;
  if (rows.length === 0) return undefined;
  const memories = new Map(
    rows.flatMap(({ id, result_cache: memory }) => (memory ? [[String(id), memory as Buffer]] : [])),
  );
  return { digests: await digestsOf(tx, { deployment, project, ref }), resultCaches: memories };
}

async function digestsOf(tx: Tx, { deployment, project, ref }: Omit<TrackingTarget, 'analysis'>): Promise<Uint8Array> {
  const [row] = await tx.rows`
    with said as (
      select detection.content_digest from analysis
      join detection on detection.deployment_id = analysis.deployment_id and detection.analysis_id = analysis.id
        and detection.state = 'detected' and not detection.is_held
      where analysis.deployment_id = ${deployment} and analysis.ref_id = ${ref} and analysis.ruleset_digest is not null
        and detection.content_digest is not null
        and detection.finding_id not in (select id from finding where finding.deployment_id = ${deployment}
          and finding.project_id = ${project} and finding.triage_source = 'sarif')
      group by detection.content_digest having count(*) = 1
      limit ${MOST_KNOWN + 1}
    )
    select string_agg(uuid_send(content_digest), '') as digests from said having count(*) <= ${MOST_KNOWN}`;
  return (row?.['digests'] as Buffer | null | undefined) ?? new Uint8Array();
}

/** All of it as one, for a reading that knows its analysis only at the end; of very much nothing is remembered. */
export function cacheInputOf({ digests: known, resultCaches }: PreviousContent): CacheInput {
  const entries = Buffer.concat([...resultCaches.values()]);
  return { previousDigests: known, entries: entries.length > MOST_BYTES ? new Uint8Array() : entries };
}

/**
 * Sets aside the findings whose results say the same again. False when they are not all there any more as they were,
 * or when the rules have changed: then the report has to be read once more, and all of it compared.
 */
export async function excludeUnchanged(tx: Tx, target: TrackingTarget, heard: ReportSummary): Promise<boolean> {
  const { deployment, project, analysis } = target;
  await tx.run`
    create temporary table same (finding_id bigint not null, path text collate "C" not null) on commit drop`;
  if (unchangedCountOf(heard) === 0) return true;
  const kept = await tx.run`
    insert into same (finding_id, path)
    select detection.finding_id, detection.path from stage_same
    join detection on detection.deployment_id = ${deployment} and detection.analysis_id = ${analysis}
      and detection.content_digest = stage_same.content_digest and detection.state = 'detected' and not detection.is_held
    where detection.finding_id not in (select id from finding where finding.deployment_id = ${deployment}
        and finding.project_id = ${project} and finding.triage_source = 'sarif')
      and exists (select from analysis where analysis.deployment_id = ${deployment} and analysis.id = ${analysis}
        and analysis.ruleset_digest = ${rulesetDigestOf(heard)})`;
  await tx.run`analyze same`;
  if (kept !== unchangedCountOf(heard)) {
    await tx.run`truncate same`;
    return false;
  }
  // One advisory or secret is one finding, however often a report names it.
  await tx.run`
    delete from stage_finding as incoming using stage_print as print, fingerprint, same
    where incoming.is_unique and print.n = incoming.n and fingerprint.deployment_id = ${deployment}
      and fingerprint.project_id = ${project} and fingerprint.digest = print.digest
      and same.finding_id = fingerprint.finding_id`;
  return true;
}

/** What results said by their bytes stays true, whatever becomes of the scan. */
export async function saveResultCache(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  memory: Uint8Array,
): Promise<void> {
  await tx.run`
    update analysis set result_cache = ${Buffer.from(memory)} where deployment_id = ${deployment} and id = ${analysis}`;
}
