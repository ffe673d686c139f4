import { z } from 'zod';
import * as dependencies from '#domain/dependencies/store.ts';
import { createIgnoreMatcher, type ProductIgnorePatterns } from '#domain/ignores/ignore-matcher.ts';
import type { ReportedTool } from '#domain/reports/report-items.ts';
import type { ScanMode } from '#domain/scans/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { IdRow } from '../rows.ts';
import {
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
import { closeMissing } from '../tracking/close-missing.ts';
import { fingerprintDigest, toolFamily } from '../tracking/finding-identity.ts';
import { isAnyFindingTouched, markFlapping, touchedByScan, updateFindingStates } from '../tracking/finding-state.ts';
import { matchCandidates } from '../tracking/match-candidates.ts';
import { trackEpisodes } from '../tracking/pull-request-episodes.ts';
import { suggestLinks } from '../tracking/suggest-links.ts';
import { applyReportDecisions } from './report-decisions.ts';
import { type ReportReader, restageReport, stageReport } from './stage-report.ts';
import type { ReportSummary } from './stager.ts';
import {
  cacheInputOf,
  excludeUnchanged,
  loadPreviousContent,
  rulesetDigestOf,
  saveResultCache,
  unchangedCountOf,
} from './unchanged.ts';

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
  const analysis = await tx.one(IdRow)`
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
    where project.deployment_id = ${job.deployment} and project.id = ${job.project}
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

/** The remaining statements look up single findings. */
const tuneForLookups = (tx: Tx) => tx.run`select set_config('enable_nestloop', 'on', true)`;

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
  if (!(await excludeUnchanged(tx, target, summary)))
    summary = withPolicy(await restageReport(tx, read, cacheInput), job);
  return { summary, target, analysisKey, previousCache: previous?.resultCaches.get(analysis) };
}

/**
 * Imports one report in one transaction: readers see all of a scan or none of it. The number of statements does not
 * depend on the size of the report.
 */
export async function ingest(tx: Tx, job: IngestJob, read: ReportReader): Promise<IngestOutcome> {
  const { summary, target, analysisKey, previousCache } = await compareReport(tx, job, read);
  const { deployment } = job;
  const stamp = await openScanBatch(tx, job);
  await applyPolicyModes(tx, job.policyModes ?? []);
  const degenerateKinds = await dropDegenerateFingerprints(tx);
  await collectCandidates(tx, target);
  await applyRenames(tx, summary.coverage.renamedFrom ?? []);
  await matchCandidates(tx, target);
  const opened = await insertNewFindings(tx, target, stamp);
  await saveFingerprints(tx, target);
  const detected = await recordDetections(tx, target, stamp);
  if (detected.moved + detected.reopened + detected.unchanged > 0) await updateFindings(tx, target, stamp);
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
  await applyReportDecisions(tx, target, { ...stamp, decisionCount: summary.decisionCount, vex: summary.vex });
  await tuneForLookups(tx);
  if (await isAnyFindingTouched(tx)) {
    await updateFindingStates(tx, deployment, { touched: touchedByScan, at: job.at });
    await markFlapping(tx, deployment, { touched: touchedByScan, at: job.at });
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
  const isComparable = stamp.isPrimaryRef && degenerateKinds.length === 0;
  if (isComparable && summary.resultCache && !previousCache?.equals(summary.resultCache))
    await saveResultCache(tx, target, summary.resultCache);
  await updateAnalysis(tx, target, {
    job,
    summary,
    isConclusive: summary.decisionCount === 0 && closed.held === 0,
    isComparable,
  });
  const warnings = [
    ...summary.warnings,
    ...degenerateKinds.map(
      (name) => `The tool gives the same "${name}" id to results of different rules; this kind of id was ignored.`,
    ),
  ];
  const { format, tools } = summary;
  const unchanged = detected.unchanged + unchangedCountOf(summary);
  return {
    opened,
    ...detected,
    unchanged,
    ...closed,
    analysisKey,
    tool: tools[0]?.name ?? 'unknown',
    format,
    warnings,
  };
}

interface AnalysisUpdate {
  job: IngestJob;
  summary: ReportSummary;
  /** The report has no decisions, and no closing is held. */
  isConclusive: boolean;
  /** All results were stored as reported. */
  isComparable: boolean;
}

/** Stores what the next scan of this analysis is compared with. Reports with decisions are always read again. */
async function updateAnalysis(
  tx: Tx,
  target: TrackingTarget,
  { job, summary, isConclusive, isComparable }: AnalysisUpdate,
): Promise<void> {
  const { coverage, dependencyCount, unchanged } = summary;
  const isFull = job.mode === 'full' && coverage.isIncomplete !== true;
  await tx.run`
    update analysis set last_scan_id = ${job.scan}, last_scanned_at = ${job.at},
      digest = ${isFull && isConclusive && dependencyCount === 0 ? (job.inputDigest ?? null) : null},
      ruleset_digest = ${isFull && isConclusive && isComparable ? rulesetDigestOf(summary) : null},
      last_full_scan_id = case when ${isFull} then ${job.scan}::bigint else last_full_scan_id end,
      rule_count = case when ${isFull} then ${coverage.rulesRun?.length ?? null}::integer else rule_count end,
      path_count = case when ${isFull} then ${coverage.pathsSearched?.length ?? null}::integer else path_count end
    where deployment_id = ${target.deployment} and id = ${target.analysis}`;
  await tx.run`
    update scan set ref_id = ${target.ref}, found_code = found.code + ${unchanged.sast},
      found_supply_chain = found.supply_chain + ${unchanged.sca}, found_secrets = found.secrets + ${unchanged.secrets}
    from (select count(*) filter (where product not in ('sca', 'secrets')) as code,
        count(*) filter (where product = 'sca') as supply_chain, count(*) filter (where product = 'secrets') as secrets
      from stage_finding as incoming) as found
    where deployment_id = ${target.deployment} and id = ${job.scan}`;
  await tx.run`
    update project set latest_scan_at = ${job.at}
    where deployment_id = ${target.deployment} and id = ${target.project}`;
}
