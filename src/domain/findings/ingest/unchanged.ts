import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from '../tracking/candidates.ts';
import { fingerprintDigest } from '../tracking/finding-identity.ts';
import type { CacheInput } from './stage-report.ts';
import type { ReportSummary } from './stager.ts';

/** Larger analyses are not compared: the worker holds all digests in memory. */
const MOST_KNOWN = 250_000;
const MOST_BYTES = 16 * 2 ** 20;

/** Digest of the ruleset: equal content digests are comparable only for the same ruleset. */
export const rulesetDigestOf = ({ rulesetDigest }: ReportSummary): string => fingerprintDigest('said@1', rulesetDigest);

export const unchangedCountOf = ({ unchanged }: ReportSummary): number =>
  unchanged.sast + unchanged.sca + unchanged.secrets;

export interface PreviousContent {
  /** Content digests of the ref's last scans that occur exactly once; 16 bytes each. */
  digests: Uint8Array;
  /** Serialized result cache by analysis. */
  resultCaches: ReadonlyMap<string, Buffer>;
}

/**
 * The previous content that results can be compared with. Undefined for refs other than the primary one: whether their
 * results are stored depends on other refs.
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

/** All caches combined, because the analysis is known only after reading; empty if they are too large. */
export function cacheInputOf({ digests: known, resultCaches }: PreviousContent): CacheInput {
  const entries = Buffer.concat([...resultCaches.values()]);
  return { previousDigests: known, entries: entries.length > MOST_BYTES ? new Uint8Array() : entries };
}

/**
 * Excludes findings whose results are unchanged. False if some of them changed in the meantime or the ruleset differs:
 * then the report must be read again and compared in full.
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
  // One advisory or secret is one finding, even if a report contains it several times.
  await tx.run`
    delete from stage_finding as incoming using stage_print as print, fingerprint, same
    where incoming.is_unique and print.n = incoming.n and fingerprint.deployment_id = ${deployment}
      and fingerprint.project_id = ${project} and fingerprint.digest = print.digest
      and same.finding_id = fingerprint.finding_id`;
  return true;
}

/** Cached results stay valid even if the scan is undone. */
export async function saveResultCache(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  memory: Uint8Array,
): Promise<void> {
  await tx.run`
    update analysis set result_cache = ${Buffer.from(memory)} where deployment_id = ${deployment} and id = ${analysis}`;
}
