import * as dependencies from '#domain/dependencies/store.ts';
import { type IsIgnored, loadIgnores } from '#domain/ignores/store.ts';
import type { Reported, ReportedCoverage, ReportedDecision, ReportedTool } from '#domain/reports/reported.ts';
import type { ScanMode } from '#domain/scans/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { detect, keepPrints, openNew, refresh, type Stamp } from './apply.ts';
import { close } from './close.ts';
import { toolFamily } from './identity.ts';
import { dropDegenerate, followRenames, gatherKnown, type Target } from './known.ts';
import { match } from './match.ts';
import { trackEpisodes } from './pull-requests.ts';
import { decideByReport } from './report-decisions.ts';
import { Staging } from './staging.ts';
import { suggestLinks } from './suggest.ts';
import { markFlapping, summarise, touchedByScan } from './summarise.ts';

export interface Ingest {
  deployment: string;
  project: string;
  branch: string;
  scan: string;
  mode: ScanMode;
  /** Sets analyses of one tool apart, where the caller knows better than the report. */
  category?: string;
  /** What the scan was for; nothing of other products is closed. Absent means all. */
  products?: readonly string[];
  /** True when the rules that the report names are all that ran; asked when it has been read. */
  isExactAboutRules: () => boolean;
  /** What the policy asks for where the report does not say it; `product` is secrets, or anything else. */
  acting?: readonly { product: string; rule: string; mode: string }[];
  /** Names the report and how it is read: the same again says the same, if nothing came between. */
  reading?: string;
  at: Date;
  actor: string;
  secretDigest: (value: string) => string;
}

export interface Outcome {
  opened: number;
  fixed: number;
  reopened: number;
  removed: number;
  unchanged: number;
  moved: number;
  held: number;
  analysisKey: string;
  tool: string;
  warnings: string[];
}

const MOST_WARNINGS = 100;

interface Heard {
  /** By the run of the report; a later word about a run replaces an earlier one. */
  tools: Map<number, ReportedTool>;
  coverage: ReportedCoverage;
  vex: ReportedDecision[];
  warnings: string[];
}

const joined = (one: string[] | undefined, other: string[] | undefined) =>
  one === undefined ? other : other === undefined ? one : [...one, ...other];

/** What several runs in one report looked at, together. */
function addCoverage(all: ReportedCoverage, more: ReportedCoverage): ReportedCoverage {
  const lists = ['rulesRun', 'pathsSearched', 'pathsFailed', 'rulesFailed', 'renamedFrom'] as const;
  const merged: ReportedCoverage = { isIncomplete: all.isIncomplete === true || more.isIncomplete === true };
  for (const name of lists) {
    const both = joined(all[name], more[name]);
    if (both !== undefined) merged[name] = both;
  }
  return merged;
}

async function stageAll(
  stage: Staging,
  items: AsyncIterable<readonly Reported[]>,
  isIgnored: IsIgnored,
): Promise<Heard> {
  const heard: Heard = { tools: new Map(), coverage: {}, vex: [], warnings: [] };
  for await (const batch of items)
    for (const item of batch) {
      if (item.kind === 'warning' && heard.warnings.length < MOST_WARNINGS) heard.warnings.push(item.message);
      if (item.kind === 'coverage') heard.coverage = addCoverage(heard.coverage, item);
      if (item.kind === 'decision' && item.source === 'vex') heard.vex.push(item);
      if (item.kind === 'tool') heard.tools.set(item.run ?? 0, item);
      // What lies in ignored paths is as if the scanner had not looked there.
      if (item.kind === 'finding' && isIgnored(item.product, item.path)) continue;
      if (stage.add(item)) await stage.flush();
    }
  await stage.end();
  return heard;
}

/** The policy speaks where the report is silent. */
async function followPolicy(tx: Tx, acting: NonNullable<Ingest['acting']>): Promise<void> {
  if (acting.length === 0) return;
  await tx.run`
    update stage_finding as incoming set mode = asked.mode
    from unnest(${acting.map(({ rule }) => rule)}::text[], ${acting.map(({ mode }) => mode)}::text[],
      ${acting.map(({ product }) => product === 'secrets')}::boolean[]) as asked (rule, mode, is_secret)
    where incoming.mode is null and incoming.rule = asked.rule and asked.is_secret = (coalesce(
      (select rule.product from stage_rule as rule where rule.run = incoming.run and rule.rule = incoming.rule),
      incoming.product) = 'secrets')`;
}

/** Runs of one tool and category see the same; editions and versions of a tool do not set them apart. */
function analysisKeyOf(tools: Iterable<ReportedTool>, given: string | undefined): string {
  const keys = [...tools].map(({ name, category = given }) =>
    [toolFamily(name), ...(category ? [category] : [])].join('/'),
  );
  return [...new Set(keys)].sort().join('+') || 'unknown';
}

/** Scans of one project wait for each other here: what one finds new must be known to the next. */
export async function takeTurn(tx: Tx, { deployment, project }: Pick<Ingest, 'deployment' | 'project'>): Promise<void> {
  await tx.run`select pg_advisory_xact_lock(hashtextextended(${`findings of ${deployment}/${project}`}, 0))`;
}

async function analysisOf(tx: Tx, ingest: Ingest, key: string): Promise<string> {
  const [row] = await tx.rows`
    insert into analysis (deployment_id, project_id, branch_id, key)
    values (${ingest.deployment}, ${ingest.project}, ${ingest.branch}, ${key})
    on conflict (deployment_id, branch_id, key) do update set key = excluded.key
    returning id`;
  return String(row?.['id']);
}

export async function stampOf(tx: Tx, ingest: Omit<Ingest, 'isExactAboutRules' | 'secretDigest'>): Promise<Stamp> {
  const [row] = await tx.rows`
    with batch as (
      insert into finding_batch (deployment_id, kind, scan_id, actor, at)
      values (${ingest.deployment}, 'scan', ${ingest.scan}, ${ingest.actor}, ${ingest.at}) returning id
    )
    select batch.id, project_branch.ref = coalesce(project.primary_branch, project.default_branch) as is_reference
    from batch, project join project_branch on project_branch.deployment_id = project.deployment_id
      and project_branch.project_id = project.id
    where project.deployment_id = ${ingest.deployment} and project.id = ${ingest.project}
      and project_branch.id = ${ingest.branch}`;
  const { scan, at } = ingest;
  return { scan, at, batch: String(row?.['id']), isReference: row?.['is_reference'] === true };
}

const LARGE = 500;

/**
 * What PostgreSQL believes of a project is older than what was brought in last: where it expects one row and finds
 * all of them, a nested loop takes hours. Large reports are joined in one walk along the project's rows instead.
 */
async function planFor(tx: Tx, { findingCount }: Staging): Promise<void> {
  await tx.run`
    select set_config('work_mem', '32MB', true),
      set_config('enable_nestloop', ${findingCount > LARGE ? 'off' : 'on'}, true)`;
}

/** What remains goes by single findings again, wherever they are in the deployment. */
const planForSingles = (tx: Tx) => tx.run`select set_config('enable_nestloop', 'on', true)`;

/**
 * Brings one report in, in one transaction: a reader sees all of a scan or nothing of it. The number of statements
 * does not depend on the size of the report.
 */
export async function ingest(tx: Tx, job: Ingest, items: AsyncIterable<readonly Reported[]>): Promise<Outcome> {
  const stage = new Staging(tx, job.secretDigest);
  const isIgnored = await loadIgnores(tx, job.deployment);
  const heard = await stageAll(stage, items, isIgnored);
  await followPolicy(tx, job.acting ?? []);
  await takeTurn(tx, job);
  await planFor(tx, stage);
  const analysisKey = analysisKeyOf(heard.tools.values(), job.category);
  const { deployment, project, branch } = job;
  const target: Target = { deployment, project, branch, analysis: await analysisOf(tx, job, analysisKey) };
  const stamp = await stampOf(tx, job);
  const useless = await dropDegenerate(tx);
  await gatherKnown(tx, target);
  await followRenames(tx, heard.coverage.renamedFrom ?? []);
  await match(tx, target);
  const opened = await openNew(tx, target, stamp);
  await keepPrints(tx, target);
  const seen = await detect(tx, target, stamp);
  await refresh(tx, target, stamp);
  const covered = {
    ...heard.coverage,
    mode: job.mode,
    isExactAboutRules: job.isExactAboutRules(),
    products: job.products,
    isIgnored,
  };
  const closed = await close(tx, target, { ...stamp, covered });
  // What nobody has counted is taken for a thousand rows, and then all detections of the deployment are read.
  await tx.run`analyze closing`;
  await decideByReport(tx, target, { ...stamp, vex: heard.vex });
  await planForSingles(tx);
  await summarise(tx, deployment, { touched: touchedByScan, at: job.at });
  await markFlapping(tx, deployment, { touched: touchedByScan, at: job.at });
  await trackEpisodes(tx, target, stamp);
  if (opened > 0) {
    await planFor(tx, stage);
    await suggestLinks(tx, target, stamp);
  }
  if (stage.dependencyCount > 0)
    await dependencies.takeOver(tx, {
      ...target,
      scan: job.scan,
      at: job.at,
      isFull: job.mode === 'full',
      pathsFailed: heard.coverage.pathsFailed ?? [],
    });
  const isPlain = stage.dependencyCount === 0 && stage.decisionCount === 0 && closed.held === 0;
  await remember(tx, target, { job, coverage: heard.coverage, isPlain });
  const warnings = [
    ...heard.warnings,
    ...useless.map((name) => `The ids of kind "${name}" name results of different rules, so they were not used.`),
  ];
  return { opened, ...seen, ...closed, analysisKey, tool: heard.tools.get(0)?.name ?? 'unknown', warnings };
}

/** What the next scan of this analysis is compared with. A report that decides things is always read again. */
async function remember(
  tx: Tx,
  target: Target,
  { job, coverage, isPlain }: { job: Ingest; coverage: ReportedCoverage; isPlain: boolean },
) {
  const isFull = job.mode === 'full' && coverage.isIncomplete !== true;
  await tx.run`
    update analysis set last_scan_id = ${job.scan}, last_scanned_at = ${job.at},
      digest = ${isFull && isPlain ? (job.reading ?? null) : null},
      last_full_scan_id = case when ${isFull} then ${job.scan}::bigint else last_full_scan_id end,
      rule_count = case when ${isFull} then ${coverage.rulesRun?.length ?? null}::integer else rule_count end,
      path_count = case when ${isFull} then ${coverage.pathsSearched?.length ?? null}::integer else path_count end
    where deployment_id = ${target.deployment} and id = ${target.analysis}`;
  await tx.run`
    update scan set branch_id = ${target.branch},
      found_code = (select count(*) from stage_finding as incoming where product not in ('sca', 'secrets')),
      found_supply_chain = (select count(*) from stage_finding as incoming where product = 'sca'),
      found_secrets = (select count(*) from stage_finding as incoming where product = 'secrets')
    where deployment_id = ${target.deployment} and id = ${job.scan}`;
  await tx.run`
    update project set latest_scan_at = ${job.at}
    where deployment_id = ${target.deployment} and id = ${target.project}`;
}
