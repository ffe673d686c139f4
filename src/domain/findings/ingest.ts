import * as dependencies from '#domain/dependencies/store.ts';
import { type IgnoredPaths, ignoring } from '#domain/ignores/matcher.ts';
import type { ReportedTool } from '#domain/reports/reported.ts';
import type { ScanMode } from '#domain/scans/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { detect, keepPrints, openNew, refresh, type Stamp } from './apply.ts';
import { close } from './close.ts';
import { digestOf, toolFamily } from './identity.ts';
import { dropDegenerate, followRenames, gatherKnown, type Target } from './known.ts';
import { match } from './match.ts';
import { trackEpisodes } from './pull-requests.ts';
import { decideByReport } from './report-decisions.ts';
import { keepMemory, knowingOf, saidBefore, saidUnder, sameCountOf, setSameAside } from './same.ts';
import type { Heard } from './stager.ts';
import { type Read, stage, stageAgain } from './staging.ts';
import { suggestLinks } from './suggest.ts';
import { isAnyTouched, markFlapping, summarise, touchedByScan } from './summarise.ts';

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
  /** True for formats in which the rules that a report names are all that ran. */
  isExactAboutRules: (format: Heard['format']) => boolean;
  ignores: readonly IgnoredPaths[];
  /** What the policy asks for where the report does not say it; `product` is secrets, or anything else. */
  acting?: readonly { product: string; rule: string; mode: string }[];
  /** Names the report and how it is read: the same again says the same, if nothing came between. */
  reading?: string;
  at: Date;
  actor: string;
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
  format: Heard['format'];
  warnings: string[];
}

/** Runs of one tool and category see the same; editions and versions of a tool do not set them apart. */
function analysisKeyOf(tools: readonly ReportedTool[], given: string | undefined): string {
  const keys = tools.map(({ name, category = given }) => [toolFamily(name), ...(category ? [category] : [])].join('/'));
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

export async function stampOf(tx: Tx, ingest: Omit<Ingest, 'isExactAboutRules' | 'ignores'>): Promise<Stamp> {
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
async function planFor(tx: Tx, heard: Heard): Promise<void> {
  const count = heard.findingCount + sameCountOf(heard);
  await tx.run`
    select set_config('work_mem', '32MB', true),
      set_config('enable_nestloop', ${count > LARGE ? 'off' : 'on'}, true)`;
}

/** What remains goes by single findings again, wherever they are in the deployment. */
const planForSingles = (tx: Tx) => tx.run`select set_config('enable_nestloop', 'on', true)`;

interface Compared {
  heard: Heard;
  target: Target;
  analysisKey: string;
  /** What was remembered of this analysis before. */
  memory: Buffer | undefined;
}

/** What the policy asks for belongs to the rules: when it changes, all results are looked at again. */
const withPolicy = (heard: Heard, { acting = [] }: Ingest): Heard =>
  acting.length === 0
    ? heard
    : { ...heard, rulesDigest: digestOf('policy@1', heard.rulesDigest, JSON.stringify(acting)) };

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

/** Stages a report, and sets aside what it says again. */
async function compare(tx: Tx, job: Ingest, read: Read): Promise<Compared> {
  const { deployment, project, branch } = job;
  const before = job.mode === 'full' ? await saidBefore(tx, job) : undefined;
  const knowing = before ? knowingOf(before) : {};
  let heard = withPolicy(await stage(tx, read, knowing), job);
  await takeTurn(tx, job);
  const analysisKey = analysisKeyOf(heard.tools, job.category);
  const target: Target = { deployment, project, branch, analysis: await analysisOf(tx, job, analysisKey) };
  await planFor(tx, heard);
  if (!(await setSameAside(tx, target, heard))) heard = withPolicy(await stageAgain(tx, read, knowing), job);
  return { heard, target, analysisKey, memory: before?.memories.get(target.analysis) };
}

/**
 * Brings one report in, in one transaction: a reader sees all of a scan or nothing of it. The number of statements
 * does not depend on the size of the report.
 */
export async function ingest(tx: Tx, job: Ingest, read: Read): Promise<Outcome> {
  const { heard, target, analysisKey, memory } = await compare(tx, job, read);
  const { deployment } = job;
  const stamp = await stampOf(tx, job);
  await followPolicy(tx, job.acting ?? []);
  const useless = await dropDegenerate(tx);
  await gatherKnown(tx, target);
  await followRenames(tx, heard.coverage.renamedFrom ?? []);
  await match(tx, target);
  const opened = await openNew(tx, target, stamp);
  await keepPrints(tx, target);
  const seen = await detect(tx, target, stamp);
  if (seen.moved + seen.reopened + seen.unchanged > 0) await refresh(tx, target, stamp);
  const covered = {
    ...heard.coverage,
    mode: job.mode,
    isExactAboutRules: job.isExactAboutRules(heard.format),
    products: job.products,
    isIgnored: ignoring(job.ignores),
  };
  const closed = await close(tx, target, { ...stamp, covered, sameCount: sameCountOf(heard) });
  // What nobody has counted is taken for a thousand rows, and then all detections of the deployment are read.
  await tx.run`analyze closing`;
  await decideByReport(tx, target, { ...stamp, decisionCount: heard.decisionCount, vex: heard.vex });
  await planForSingles(tx);
  if (await isAnyTouched(tx)) {
    await summarise(tx, deployment, { touched: touchedByScan, at: job.at });
    await markFlapping(tx, deployment, { touched: touchedByScan, at: job.at });
  }
  await trackEpisodes(tx, target, stamp);
  if (opened > 0) {
    await planFor(tx, heard);
    await suggestLinks(tx, target, stamp);
  }
  if (heard.dependencyCount > 0)
    await dependencies.takeOver(tx, {
      ...target,
      scan: job.scan,
      at: job.at,
      isFull: job.mode === 'full',
      pathsFailed: heard.coverage.pathsFailed ?? [],
    });
  const isComparable = stamp.isReference && useless.length === 0;
  if (isComparable && heard.memory && !memory?.equals(heard.memory)) await keepMemory(tx, target, heard.memory);
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
  const unchanged = seen.unchanged + sameCountOf(heard);
  return { opened, ...seen, unchanged, ...closed, analysisKey, tool: tools[0]?.name ?? 'unknown', format, warnings };
}

interface Remembered {
  job: Ingest;
  heard: Heard;
  /** It decides nothing, and nothing waits for the next one. */
  isPlain: boolean;
  /** All that it says was taken over as it stands. */
  isComparable: boolean;
}

/** What the next scan of this analysis is compared with. A report that decides things is always read again. */
async function remember(tx: Tx, target: Target, { job, heard, isPlain, isComparable }: Remembered) {
  const { coverage, dependencyCount, same } = heard;
  const isFull = job.mode === 'full' && coverage.isIncomplete !== true;
  await tx.run`
    update analysis set last_scan_id = ${job.scan}, last_scanned_at = ${job.at},
      digest = ${isFull && isPlain && dependencyCount === 0 ? (job.reading ?? null) : null},
      said = ${isFull && isPlain && isComparable ? saidUnder(heard) : null},
      last_full_scan_id = case when ${isFull} then ${job.scan}::bigint else last_full_scan_id end,
      rule_count = case when ${isFull} then ${coverage.rulesRun?.length ?? null}::integer else rule_count end,
      path_count = case when ${isFull} then ${coverage.pathsSearched?.length ?? null}::integer else path_count end
    where deployment_id = ${target.deployment} and id = ${target.analysis}`;
  await tx.run`
    update scan set branch_id = ${target.branch}, found_code = found.code + ${same.sast},
      found_supply_chain = found.supply_chain + ${same.sca}, found_secrets = found.secrets + ${same.secrets}
    from (select count(*) filter (where product not in ('sca', 'secrets')) as code,
        count(*) filter (where product = 'sca') as supply_chain, count(*) filter (where product = 'secrets') as secrets
      from stage_finding as incoming) as found
    where deployment_id = ${target.deployment} and id = ${job.scan}`;
  await tx.run`
    update project set latest_scan_at = ${job.at}
    where deployment_id = ${target.deployment} and id = ${target.project}`;
}
