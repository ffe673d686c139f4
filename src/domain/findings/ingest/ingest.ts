import * as dependencies from '#domain/dependencies/store.ts';
import { createIgnoreMatcher, type ProductIgnorePatterns } from '#domain/ignores/ignore-matcher.ts';
import type { ReportedTool } from '#domain/reports/report-items.ts';
import type { ScanMode } from '#domain/scans/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
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

async function analysisOf(tx: Tx, ingest: IngestJob, key: string): Promise<string> {
  const [row] = await tx.rows`
    insert into analysis (deployment_id, project_id, ref_id, key)
    values (${ingest.deployment}, ${ingest.project}, ${ingest.ref}, ${key})
    on conflict (deployment_id, ref_id, key) do update set key = excluded.key
    returning id`;
  return String(row?.['id']);
}

export async function openScanBatch(
  tx: Tx,
  ingest: Omit<IngestJob, 'hasCompleteRuleList' | 'ignores'>,
): Promise<ScanStamp> {
  const [row] = await tx.rows`
    with batch as (
      insert into finding_batch (deployment_id, kind, scan_id, actor, at)
      values (${ingest.deployment}, 'scan', ${ingest.scan}, ${ingest.actor}, ${ingest.at}) returning id
    )
    select batch.id, project_ref.ref = coalesce(project.primary_branch, project.default_branch) as is_reference
    from batch, project join project_ref on project_ref.deployment_id = project.deployment_id
      and project_ref.project_id = project.id
    where project.deployment_id = ${ingest.deployment} and project.id = ${ingest.project}
      and project_ref.id = ${ingest.ref}`;
  const { scan, at } = ingest;
  return { scan, at, batch: String(row?.['id']), isPrimaryRef: row?.['is_reference'] === true };
}

const LARGE = 500;

/**
 * The planner's statistics of a project lag behind the last import: where it expects one row and finds all of them, a
 * nested loop takes hours. Large reports use hash and merge joins instead.
 */
async function planFor(tx: Tx, heard: ReportSummary): Promise<void> {
  const count = heard.findingCount + unchangedCountOf(heard);
  await tx.run`
    select set_config('work_mem', '32MB', true),
      set_config('enable_nestloop', ${count > LARGE ? 'off' : 'on'}, true)`;
}

/** The remaining statements look up single findings. */
const planForSingles = (tx: Tx) => tx.run`select set_config('enable_nestloop', 'on', true)`;

interface Compared {
  heard: ReportSummary;
  target: TrackingTarget;
  analysisKey: string;
  /** The stored result cache of this analysis. */
  memory: Buffer | undefined;
}

/** Policy modes are part of the ruleset: when they change, all results are compared again. */
const withPolicy = (heard: ReportSummary, { policyModes = [] }: IngestJob): ReportSummary =>
  policyModes.length === 0
    ? heard
    : { ...heard, rulesetDigest: fingerprintDigest('policy@1', heard.rulesetDigest, JSON.stringify(policyModes)) };

/** Applies policy modes to results without a mode. */
async function followPolicy(tx: Tx, acting: NonNullable<IngestJob['policyModes']>): Promise<void> {
  if (acting.length === 0) return;
  await tx.run`
    update stage_finding as incoming set mode = asked.mode
    from unnest(${acting.map(({ rule }) => rule)}::text[], ${acting.map(({ mode }) => mode)}::text[],
      ${acting.map(({ product }) => product === 'secrets')}::boolean[]) as asked (rule, mode, is_secret)
    where incoming.mode is null and incoming.rule = asked.rule and asked.is_secret = (coalesce(
      (select rule.product from stage_rule as rule where rule.run = incoming.run and rule.rule = incoming.rule),
      incoming.product) = 'secrets')`;
}

/** Stages a report and excludes unchanged results. */
async function compare(tx: Tx, job: IngestJob, read: ReportReader): Promise<Compared> {
  const { deployment, project, ref: branch } = job;
  const before = job.mode === 'full' ? await loadPreviousContent(tx, job) : undefined;
  const knowing = before ? cacheInputOf(before) : {};
  let heard = withPolicy(await stageReport(tx, read, knowing), job);
  await lockProject(tx, job);
  const analysisKey = analysisKeyOf(heard.tools, job.category);
  const target: TrackingTarget = { deployment, project, ref: branch, analysis: await analysisOf(tx, job, analysisKey) };
  await planFor(tx, heard);
  if (!(await excludeUnchanged(tx, target, heard))) heard = withPolicy(await restageReport(tx, read, knowing), job);
  return { heard, target, analysisKey, memory: before?.resultCaches.get(target.analysis) };
}

/**
 * Imports one report in one transaction: readers see all of a scan or none of it. The number of statements does not
 * depend on the size of the report.
 */
export async function ingest(tx: Tx, job: IngestJob, read: ReportReader): Promise<IngestOutcome> {
  const { heard, target, analysisKey, memory } = await compare(tx, job, read);
  const { deployment } = job;
  const stamp = await openScanBatch(tx, job);
  await followPolicy(tx, job.policyModes ?? []);
  const useless = await dropDegenerateFingerprints(tx);
  await collectCandidates(tx, target);
  await applyRenames(tx, heard.coverage.renamedFrom ?? []);
  await matchCandidates(tx, target);
  const opened = await insertNewFindings(tx, target, stamp);
  await saveFingerprints(tx, target);
  const seen = await recordDetections(tx, target, stamp);
  if (seen.moved + seen.reopened + seen.unchanged > 0) await updateFindings(tx, target, stamp);
  const covered = {
    ...heard.coverage,
    mode: job.mode,
    hasCompleteRuleList: job.hasCompleteRuleList(heard.format),
    products: job.products,
    isIgnored: createIgnoreMatcher(job.ignores),
  };
  const closed = await closeMissing(tx, target, { ...stamp, covered, sameCount: unchangedCountOf(heard) });
  // Without statistics the planner assumes a thousand rows, and reads all detections of the deployment.
  await tx.run`analyze closing`;
  await applyReportDecisions(tx, target, { ...stamp, decisionCount: heard.decisionCount, vex: heard.vex });
  await planForSingles(tx);
  if (await isAnyFindingTouched(tx)) {
    await updateFindingStates(tx, deployment, { touched: touchedByScan, at: job.at });
    await markFlapping(tx, deployment, { touched: touchedByScan, at: job.at });
  }
  await trackEpisodes(tx, target, stamp);
  if (opened > 0) {
    await planFor(tx, heard);
    await suggestLinks(tx, target, stamp);
  }
  if (heard.dependencyCount > 0)
    await dependencies.replaceDependencies(tx, {
      ...target,
      scan: job.scan,
      at: job.at,
      isFull: job.mode === 'full',
      pathsFailed: heard.coverage.pathsFailed ?? [],
    });
  const isComparable = stamp.isPrimaryRef && useless.length === 0;
  if (isComparable && heard.resultCache && !memory?.equals(heard.resultCache))
    await saveResultCache(tx, target, heard.resultCache);
  await remember(tx, target, {
    job,
    heard,
    isPlain: heard.decisionCount === 0 && closed.held === 0,
    isComparable,
  });
  const warnings = [
    ...heard.warnings,
    ...useless.map((name) => `The ids of kind "${name}" name results of different rules, so they were not used.`),
  ];
  const { format, tools } = heard;
  const unchanged = seen.unchanged + unchangedCountOf(heard);
  return { opened, ...seen, unchanged, ...closed, analysisKey, tool: tools[0]?.name ?? 'unknown', format, warnings };
}

interface Remembered {
  job: IngestJob;
  heard: ReportSummary;
  /** The report has no decisions, and no closing is held. */
  isPlain: boolean;
  /** All results were stored as reported. */
  isComparable: boolean;
}

/** Stores what the next scan of this analysis is compared with. Reports with decisions are always read again. */
async function remember(tx: Tx, target: TrackingTarget, { job, heard, isPlain, isComparable }: Remembered) {
  const { coverage, dependencyCount, unchanged } = heard;
  const isFull = job.mode === 'full' && coverage.isIncomplete !== true;
  await tx.run`
    update analysis set last_scan_id = ${job.scan}, last_scanned_at = ${job.at},
      digest = ${isFull && isPlain && dependencyCount === 0 ? (job.inputDigest ?? null) : null},
      ruleset_digest = ${isFull && isPlain && isComparable ? rulesetDigestOf(heard) : null},
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
