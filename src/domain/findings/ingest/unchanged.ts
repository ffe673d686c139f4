import { z } from 'zod';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from '../tracking/candidates.ts';
import { fingerprintDigest } from '../tracking/finding-identity.ts';
import { isInstanceKind } from '../tracking/match-unique.ts';
import type { CacheInput } from './stage-report.ts';
import type { ReportSummary } from './stager.ts';

/** Larger analyses are not compared: the worker holds all digests in memory. */
const MAX_COMPARED_RESULTS = 250_000;
const MAX_CACHE_BYTES = 16 * 2 ** 20;

/** Digest of the ruleset: equal content digests are comparable only for the same ruleset. */
export const rulesetDigestOf = ({ rulesetDigest }: ReportSummary): string =>
  fingerprintDigest('ruleset@1', rulesetDigest);

export const unchangedCountOf = ({ unchanged }: ReportSummary): number =>
  unchanged.sast + unchanged.sca + unchanged.secrets;

const CachedAnalysis = z.object({ id: z.string().optional(), result_cache: z.instanceof(Buffer).optional() });
const ContentDigests = z.object({ digests: z.instanceof(Buffer).optional() });

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
  const rows = await tx.all(CachedAnalysis)`
    select analysis.id, analysis.result_cache from project
    join project_ref on project_ref.deployment_id = project.deployment_id
      and project_ref.project_id = project.id and project_ref.id = ${ref}
      and project_ref.ref = coalesce(project.primary_branch, project.default_branch)
    left join analysis on analysis.deployment_id = ${unestimated(deployment)} and analysis.ref_id = ${ref}
      and analysis.ruleset_digest is not null
    where project.deployment_id = ${unestimated(deployment)} and project.id = ${project}`;
  if (rows.length === 0) return undefined;
  const resultCaches = new Map(
    rows.flatMap(({ id, result_cache: cache }) => (id !== undefined && cache ? [[id, cache]] : [])),
  );
  return { digests: await loadDigests(tx, { deployment, project, ref }), resultCaches };
}

async function loadDigests(
  tx: Tx,
  { deployment, project, ref }: Omit<TrackingTarget, 'analysis'>,
): Promise<Uint8Array> {
  const row = await tx.one(ContentDigests)`
    with content as (
      select detection.content_digest from analysis
      join detection on detection.deployment_id = analysis.deployment_id and detection.analysis_id = analysis.id
        and detection.state = 'detected' and not detection.is_held
      where analysis.deployment_id = ${unestimated(deployment)} and analysis.ref_id = ${ref}
        and analysis.ruleset_digest is not null
        and detection.content_digest is not null
        and detection.finding_id not in (select id from finding where finding.deployment_id = ${unestimated(deployment)}
          and finding.project_id = ${project} and finding.triage_source = 'sarif')
      group by detection.content_digest having count(*) = 1
      limit ${MAX_COMPARED_RESULTS + 1}
    )
    select string_agg(uuid_send(content_digest), '') as digests from content
    having count(*) <= ${MAX_COMPARED_RESULTS}`;
  return row?.digests ?? new Uint8Array();
}

/** All caches combined, because the analysis is known only after reading; empty if they are too large. */
export function cacheInputOf({ digests, resultCaches }: PreviousContent): CacheInput {
  const entries = Buffer.concat([...resultCaches.values()]);
  return { previousDigests: digests, entries: entries.length > MAX_CACHE_BYTES ? new Uint8Array() : entries };
}

/**
 * Excludes findings whose results are unchanged. False if some of them changed in the meantime or the ruleset differs:
 * then the report must be read again and compared in full.
 */
export async function excludeUnchanged(tx: Tx, target: TrackingTarget, summary: ReportSummary): Promise<boolean> {
  const { deployment, project, analysis } = target;
  await tx.run`
    create temporary table if not exists unchanged_finding (finding_id bigint not null, path text collate "C" not null)
    on commit drop`;
  await tx.run`truncate unchanged_finding`;
  if (unchangedCountOf(summary) === 0) return true;
  const count = await tx.run`
    insert into unchanged_finding (finding_id, path)
    select detection.finding_id, detection.path from stage_unchanged
    join detection on detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
      and detection.content_digest = stage_unchanged.content_digest and detection.state = 'detected'
      and not detection.is_held
    where detection.finding_id not in (select id from finding where finding.deployment_id = ${unestimated(deployment)}
        and finding.project_id = ${project} and finding.triage_source = 'sarif')
      and exists (select from analysis where analysis.deployment_id = ${unestimated(deployment)}
        and analysis.id = ${analysis}
        and analysis.ruleset_digest = ${rulesetDigestOf(summary)})`;
  await tx.run`analyze unchanged_finding`;
  if (count !== unchangedCountOf(summary)) {
    await tx.run`truncate unchanged_finding`;
    return false;
  }
  // The same advisory or secret is one finding, even if a report contains it several times.
  await tx.run`
    delete from stage_finding as incoming
    using stage_fingerprint as staged, fingerprint, unchanged_finding, finding
    where incoming.is_unique and staged.n = incoming.n and ${isInstanceKind(sql`staged`)}
      and fingerprint.deployment_id = ${unestimated(deployment)} and fingerprint.project_id = ${project}
      and fingerprint.digest = staged.digest and unchanged_finding.finding_id = fingerprint.finding_id
      and finding.deployment_id = ${unestimated(deployment)} and finding.id = fingerprint.finding_id
      and finding.package_version is not distinct from incoming.package_version`;
  return true;
}

/**
 * Results without surroundings may look unchanged although they have moved: where as many lines were inserted as there
 * are between two equal ones, the second is now where the first was. So they count as unchanged only if no equal result
 * of the same file is new or gone. Returns the digests of the other unchanged results; undefined if all are unchanged.
 */
export async function digestsWithoutShifted(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
): Promise<Uint8Array | undefined> {
  const count = await tx.run`
    create temporary table shifted_file on commit drop as
    with changed as (
      select path, rule, code from stage_finding where not is_unique and context_digest is null
      union
      select detection.path, finding.rule, finding.code from detection
      join finding on finding.deployment_id = detection.deployment_id and finding.id = detection.finding_id
      where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
        and detection.state = 'detected' and finding.context_digest is null
        and not exists (select from unchanged_finding where unchanged_finding.finding_id = detection.finding_id)
    )
    select distinct unchanged_finding.path from unchanged_finding
    join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = unchanged_finding.finding_id
      and finding.context_digest is null
    join changed on changed.path = unchanged_finding.path and changed.rule = finding.rule
      and coalesce(changed.code, '') = coalesce(finding.code, '')`;
  if (count === 0) return undefined;
  const row = await tx.one(ContentDigests)`
    select string_agg(uuid_send(detection.content_digest), '') as digests from unchanged_finding
    join detection on detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
      and detection.finding_id = unchanged_finding.finding_id
    where unchanged_finding.path not in (select path from shifted_file)`;
  return row?.digests ?? new Uint8Array();
}

/** Cached results stay valid even if the scan is undone. */
export async function saveResultCache(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  cache: Uint8Array,
): Promise<void> {
  await tx.run`
    update analysis set result_cache = ${Buffer.from(cache)} where deployment_id = ${unestimated(deployment)}
      and id = ${analysis}`;
}
