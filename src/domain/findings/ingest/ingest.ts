import { z } from 'zod';
import * as dependencies from '#domain/dependencies/store.ts';
import { createIgnoreMatcher, type ProductIgnorePatterns } from '#domain/ignores/ignore-matcher.ts';
import type { ReportedTool } from '#domain/reports/report-items.ts';
import type { ScanMode } from '#domain/scans/store.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { announceBatch } from '../tracking/announce-batch.ts';
import {
  type DetectionCounts,
  insertNewFindings,
  recordDetections,
  type ScanStamp,
  saveFingerprints,
  updateFindings,
} from '../tracking/apply-matches.ts';
import {
  applyRenames,
  collectCandidates,
  dropDegenerateFingerprints,
  type TrackingTarget,
} from '../tracking/candidates.ts';
import { type ClosedCounts, closeMissing } from '../tracking/close-missing.ts';
import { fingerprintDigest, toolFamily } from '../tracking/finding-identity.ts';
import {
  isAnyFindingTouched,
  markFlapping,
  touchedByScan,
  tuneForLookups,
  updateFindingStates,
} from '../tracking/finding-state.ts';
import { matchCandidates } from '../tracking/match-candidates.ts';
import { trackEpisodes } from '../tracking/pull-request-episodes.ts';
import { recordChanges } from '../tracking/record-changes.ts';
import { suggestLinks } from '../tracking/suggest-links.ts';
import { analyzeAfterGrowth } from './analyze-growth.ts';
import { heldWarning, notifyOfHeldClosings } from './held-closings.ts';
import { applyReportDecisions } from './report-decisions.ts';
import { type ReportReader, restageReport, stageReport } from './stage-report.ts';
import type { ReportSummary } from './stager.ts';
import {
  cacheInputOf,
  digestsWithoutShifted,
  excludeUnchanged,
  loadPreviousContent,
  saveResultCache,
  unchangedCountOf,
} from './unchanged.ts';
import { updateAnalysis } from './update-analysis.ts';

export interface IngestJob {
  deployment: string;
  project: string;
  ref: string;
  scan: string;
  mode: ScanMode;
  /** Separates analyses of one tool; overrides the report's own category. */
  category?: string;
  /** The products that were scanned; findings of other products are not closed. Absent means all. */
  products?: readonly string[];
  /** True for formats that list every rule that ran. */
  hasCompleteRuleList: (format: ReportSummary['format']) => boolean;
  ignores: readonly ProductIgnorePatterns[];
  /** Policy modes for rules whose findings carry none; `product` is `secrets` or anything else. */
  policyModes?: readonly { product: string; rule: string; mode: string }[];
  /** Digest of the report and of how it is read: an equal input has the same result if nothing changed in between. */
  inputDigest?: string;
  at: Date;
  actor: string;
}

export interface IngestOutcome {
  opened: number;
  fixed: number;
  reopened: number;
  removed: number;
  unchanged: number;
  moved: number;
  held: number;
  analysisKey: string;
  tool: string;
  format: ReportSummary['format'];
  warnings: string[];
}

/** Runs of one tool and category are one analysis, whatever the tool's edition or version. */
function analysisKeyOf(tools: readonly ReportedTool[], given: string | undefined): string {
  const keys = tools.map(({ name, category = given }) => [toolFamily(name), ...(category ? [category] : [])].join('/'));
  return [...new Set(keys)].sort().join('+') || 'unknown';
}

/** Serializes scans of one project: each must see the findings that the previous one created. */
export async function lockProject(
  tx: Tx,
  { deployment, project }: Pick<IngestJob, 'deployment' | 'project'>,
): Promise<void> {
  await tx.run`select pg_advisory_xact_lock(hashtextextended(${`findings of ${deployment}/${project}`}, 0))`;
}

async function findOrCreateAnalysis(tx: Tx, job: IngestJob, key: string): Promise<string> {
  const analysis = await tx.one(RowId)`
    insert into analysis (deployment_id, project_id, ref_id, key)
    values (${job.deployment}, ${job.project}, ${job.ref}, ${key})
    on conflict (deployment_id, ref_id, key) do update set key = excluded.key
    returning id`;
  if (!analysis) throw new Error('The analysis was not stored.');
  return analysis.id;
}

const ScanBatch = z.object({ id: z.string(), is_primary_ref: z.boolean().optional() });

/** Opens the batch of a scan's changes. */
export async function openScanBatch(
  tx: Tx,
  job: Omit<IngestJob, 'hasCompleteRuleList' | 'ignores'>,
): Promise<ScanStamp> {
  const batch = await tx.one(ScanBatch)`
    with batch as (
      insert into finding_batch (deployment_id, kind, scan_id, actor, at)
      values (${job.deployment}, 'scan', ${job.scan}, ${job.actor}, ${job.at}) returning id
    )
    select batch.id, project_ref.ref = coalesce(project.primary_branch, project.default_branch) as is_primary_ref
    from batch, project join project_ref on project_ref.deployment_id = project.deployment_id
      and project_ref.project_id = project.id
    where project.deployment_id = ${unestimated(job.deployment)} and project.id = ${job.project}
      and project_ref.id = ${job.ref}`;
  if (!batch) throw new Error('The project or its ref is gone.');
  return { scan: job.scan, at: job.at, batch: batch.id, isPrimaryRef: batch.is_primary_ref === true };
}

const LARGE_REPORT_RESULTS = 500;

/**
 * The planner's statistics of a project lag behind the last import: where it expects one row and finds all of them, a
 * nested loop takes hours. Large reports use hash and merge joins instead.
 */
async function tunePlanner(tx: Tx, summary: ReportSummary): Promise<void> {
  const count = summary.findingCount + unchangedCountOf(summary);
  await tx.run`
    select set_config('work_mem', '32MB', true),
      set_config('enable_nestloop', ${count > LARGE_REPORT_RESULTS ? 'off' : 'on'}, true)`;
}

interface ComparedReport {
  summary: ReportSummary;
  target: TrackingTarget;
  analysisKey: string;
  /** The stored result cache of this analysis. */
  previousCache: Buffer | undefined;
}

/** Policy modes are part of the ruleset: when they change, all results are compared again. */
const withPolicy = (summary: ReportSummary, { policyModes = [] }: IngestJob): ReportSummary =>
  policyModes.length === 0
    ? summary
    : { ...summary, rulesetDigest: fingerprintDigest('policy@1', summary.rulesetDigest, JSON.stringify(policyModes)) };

/** Applies policy modes to results without a mode. */
async function applyPolicyModes(tx: Tx, modes: NonNullable<IngestJob['policyModes']>): Promise<void> {
  if (modes.length === 0) return;
  await tx.run`
    update stage_finding as incoming set mode = policy.mode
    from unnest(${modes.map(({ rule }) => rule)}::text[], ${modes.map(({ mode }) => mode)}::text[],
      ${modes.map(({ product }) => product === 'secrets')}::boolean[]) as policy (rule, mode, is_secret)
    where incoming.mode is null and incoming.rule = policy.rule and policy.is_secret = (coalesce(
      (select rule.product from stage_rule as rule where rule.run = incoming.run and rule.rule = incoming.rule),
      incoming.product) = 'secrets')`;
}

const NO_DIGESTS = new Uint8Array();

/** Stages a report and excludes unchanged results. */
async function compareReport(tx: Tx, job: IngestJob, read: ReportReader): Promise<ComparedReport> {
  const previous = job.mode === 'full' ? await loadPreviousContent(tx, job) : undefined;
  const cacheInput = previous ? cacheInputOf(previous) : {};
  let summary = withPolicy(await stageReport(tx, read, cacheInput), job);
  await lockProject(tx, job);
  const analysisKey = analysisKeyOf(summary.tools, job.category);
  const { deployment, project, ref } = job;
  const analysis = await findOrCreateAnalysis(tx, job, analysisKey);
  const target: TrackingTarget = { deployment, project, ref, analysis };
  await tunePlanner(tx, summary);
  const restage = async (previousDigests: Uint8Array) => {
    summary = withPolicy(await restageReport(tx, read, { ...cacheInput, previousDigests }), job);
    return excludeUnchanged(tx, target, summary);
  };
  if (!(await excludeUnchanged(tx, target, summary))) await restage(NO_DIGESTS);
  const digests = unchangedCountOf(summary) > 0 ? await digestsWithoutShifted(tx, target) : undefined;
  if (digests && !(await restage(digests))) await restage(NO_DIGESTS);
  return { summary, target, analysisKey, previousCache: previous?.resultCaches.get(analysis) };
}

interface TrackedReport {
  stamp: ScanStamp;
  opened: number;
  detected: DetectionCounts;
  closed: ClosedCounts;
  /** Kinds of tool ids that were ignored. */
  degenerateKinds: string[];
}

/** Matches the staged results to findings, and writes findings, fingerprints and detections. */
async function trackResults(tx: Tx, job: IngestJob, { summary, target }: ComparedReport): Promise<TrackedReport> {
  const stamp = await openScanBatch(tx, job);
  await applyPolicyModes(tx, job.policyModes ?? []);
  const degenerateKinds = await dropDegenerateFingerprints(tx);
  await collectCandidates(tx, target);
  await applyRenames(tx, summary.coverage.renamedFrom ?? []);
  await matchCandidates(tx, target);
  const opened = await insertNewFindings(tx, target, stamp);
  await saveFingerprints(tx, target);
  const detected = await recordDetections(tx, target, stamp);
  if (detected.moved + detected.reopened + detected.unchanged > 0) {
    await recordChanges(tx, target, stamp);
    await updateFindings(tx, target, stamp);
  }
  const coverage = {
    ...summary.coverage,
    mode: job.mode,
    hasCompleteRuleList: job.hasCompleteRuleList(summary.format),
    products: job.products,
    isIgnored: createIgnoreMatcher(job.ignores),
  };
  const closed = await closeMissing(tx, target, { ...stamp, coverage, unchangedCount: unchangedCountOf(summary) });
  // Without statistics the planner assumes a thousand rows, and reads all detections of the deployment.
  await tx.run`analyze closing`;
  return { stamp, opened, detected, closed, degenerateKinds };
}

/** Updates everything that depends on detections: decisions, states, episodes, links and dependencies. */
async function updateDependents(
  tx: Tx,
  job: IngestJob,
  { summary, target, stamp, opened }: ComparedReport & TrackedReport,
): Promise<void> {
  await applyReportDecisions(tx, target, { ...stamp, decisionCount: summary.decisionCount, vex: summary.vex });
  await tuneForLookups(tx);
  if (await isAnyFindingTouched(tx)) {
    await updateFindingStates(tx, job.deployment, { touched: touchedByScan, at: job.at, batch: stamp.batch });
    await markFlapping(tx, job.deployment, { touched: touchedByScan, at: job.at });
  }
  await trackEpisodes(tx, target, stamp);
  if (opened > 0) {
    await tunePlanner(tx, summary);
    await suggestLinks(tx, target, stamp);
  }
  if (summary.dependencyCount > 0)
    await dependencies.replaceDependencies(tx, {
      ...target,
      scan: job.scan,
      at: job.at,
      isFull: job.mode === 'full',
      pathsFailed: summary.coverage.pathsFailed ?? [],
    });
}

const degenerateWarning = (kind: string) =>
  `The tool gives the same "${kind}" id to results of different rules; this kind of id was ignored.`;

/**
 * Imports one report in one transaction: readers see all of a scan or none of it. The number of statements does not
 * depend on the size of the report.
 */
export async function ingest(tx: Tx, job: IngestJob, read: ReportReader): Promise<IngestOutcome> {
  const compared = await compareReport(tx, job, read);
  const tracked = await trackResults(tx, job, compared);
  await updateDependents(tx, job, { ...compared, ...tracked });
  const { summary, target, analysisKey, previousCache } = compared;
  const { stamp, opened, detected, closed, degenerateKinds } = tracked;
  const isComparable = stamp.isPrimaryRef && degenerateKinds.length === 0;
  if (isComparable && summary.resultCache && !previousCache?.equals(summary.resultCache))
    await saveResultCache(tx, target, summary.resultCache);
  const { holdReason: reason, ...closedCounts } = closed;
  const held = reason && { ...target, scan: job.scan, held: closed.held, reason };
  if (held) await notifyOfHeldClosings(tx, held);
  await analyzeAfterGrowth(tx, job.deployment, opened);
  await updateAnalysis(tx, target, { job, summary, hasHeldClosings: closed.held > 0, isComparable });
  await announceBatch(tx, { deployment: job.deployment, batch: stamp.batch });
  return {
    opened,
    ...detected,
    unchanged: detected.unchanged + unchangedCountOf(summary),
    ...closedCounts,
    analysisKey,
    tool: summary.tools[0]?.name ?? 'unknown',
    format: summary.format,
    warnings: [...(held ? [heldWarning(held)] : []), ...summary.warnings, ...degenerateKinds.map(degenerateWarning)],
  };
}
