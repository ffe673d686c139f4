import { refScopeOf } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { allMatchingSql } from '#domain/findings/filter/finding-list.ts';
import { filterOfText } from '#domain/findings/filter/query-filter.ts';
import { resolveTextSearch } from '#domain/findings/filter/text-search.ts';
import { countEpisodes } from '#domain/findings/guardrails/count-episodes.ts';
import {
  countMatchingFindings,
  countOpenedAndClosed,
  countOpenFindings,
  countProjects,
  listNoisiestRules,
  listOldestFindings,
  listProjectProblems,
  medianFirstSeenAt,
  type OpenFindingCount,
  type ProjectProblem,
  projectNamesById,
} from '#domain/findings/metrics/overview-counts.ts';
import { countSourceOf, hasHourlyCounts } from '#domain/findings/metrics/tally.ts';
import { formatTerm } from '#domain/query/format-term.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { type getOverview, PERIOD_REFUSED } from './contract.ts';
import {
  ageInDays,
  type BacklogFlow,
  backlogOf,
  backlogTerms,
  bucketEdges,
  changeTerms,
  formatUtcDay,
  formatUtcDays,
  netChangeOf,
  numbersOf,
  type ReportDays,
  TIME_BUCKET_SIZES,
  wholeDaysOf,
  worstProjectsOf,
} from './overview-rules.ts';
import { bucketPeriods, bucketSizeOf, guardrailReport, periodRefusal } from './rules.ts';

const MAX_LISTED = 10;
const MAX_PROBLEMS = 20;
const ALL_PROJECTS = { projects: [], projectIds: [], tags: [], teams: [] };
const NO_FACT_FILTER = {
  findingTypes: [],
  findingSeverities: [],
  confidence: [],
  reachability: [],
  validity: [],
  ruleIds: [],
  aiVerdicts: [],
  deploymentStatuses: [],
  publicExposures: [],
  findingCategories: [],
};

const OPEN = 'is:open';

/** The filter of the request, to which terms can be added. */
class OverviewScope {
  readonly context: CallerContext;
  readonly filter: FindingFilter;
  readonly #q: string;

  constructor(context: CallerContext, q: string) {
    this.context = context;
    this.#q = q.trim();
    this.filter = filterOfText(this.#q, context.now, '#/q');
  }

  get hasFilter(): boolean {
    return this.#q !== '';
  }

  text(...terms: string[]): string {
    return [this.#q, ...terms].filter((part) => part !== '').join(' ');
  }

  /** Filter texts by name. */
  texts<Name extends string>(terms: Record<Name, string>): Record<Name, string> {
    const entries = Object.entries<string>(terms).map(([name, text]) => [name, this.text(text)]);
    return Object.fromEntries(entries) as Record<Name, string>;
  }

  /** True if the filter evaluates states on refs or pull requests, instead of the states of findings. */
  get dependsOnRefs(): boolean {
    const { ref, isAnywhere } = refScopeOf(this.filter);
    return ref !== undefined || isAnywhere;
  }

  /** A term for open findings that does not depend on refs. */
  get openTerm(): string {
    return this.dependsOnRefs ? `backlog:${formatUtcDay(this.context.now)}` : OPEN;
  }

  get ignoredTerm(): string {
    return this.dependsOnRefs ? 'ignored:>=1970-01-01' : 'is:ignored';
  }

  with(...terms: string[]): FindingFilter {
    return filterOfText(this.text(...terms), this.context.now, '#/q');
  }
}

/** Counts each number separately if states depend on refs. */
async function findNumbers(
  tx: Tx,
  scope: OverviewScope,
  { flow, bucketCount, days }: { flow: BacklogFlow; bucketCount: number; days: ReportDays },
) {
  const terms = {
    open: [OPEN],
    openPriority: [OPEN, 'severity:critical,high'],
    opened: [`opened:${formatUtcDays(days)}`],
    fixed: ['is:fixed', `fixed:${formatUtcDays(days)}`],
  };
  const totals = numbersOf(flow, days.isOpenEnded ? Number.POSITIVE_INFINITY : bucketCount);
  const linkedNumber = async (name: keyof typeof terms) => ({
    value: scope.dependsOnRefs
      ? await countMatchingFindings(tx, scope.context, scope.with(...terms[name]))
      : totals[name],
    q: scope.text(...terms[name]),
  });
  return {
    open: await linkedNumber('open'),
    openPriority: await linkedNumber('openPriority'),
    opened: await linkedNumber('opened'),
    fixed: await linkedNumber('fixed'),
  };
}

async function findFixedBeforeMerge(
  tx: Tx,
  { context, hasFilter }: OverviewScope,
  { since, until }: ReportDays,
): Promise<{ value?: number }> {
  if (hasFilter) return {};
  const { caller, now } = context;
  const query = { since, asOf: until, now, byProject: ALL_PROJECTS, byFact: NO_FACT_FILTER };
  const counts = (await countEpisodes(tx, caller, query)).filter((counted) => counted.class !== 'silenced');
  const { totalFixed, totalOpened } = guardrailReport([{ since, until }], counts);
  return totalOpened === 0 ? {} : { value: Math.round((totalFixed / totalOpened) * 1000) / 10 };
}

const exactTerm = (key: 'project' | 'rule', value: string) =>
  formatTerm({ key, isNot: false, values: [{ kind: 'exact', value }] });

async function listWorstProjects(tx: Tx, scope: OverviewScope, open: readonly OpenFindingCount[]) {
  const worst = worstProjectsOf(open, MAX_LISTED);
  const names = await projectNamesById(
    tx,
    scope.context.caller.deployment,
    worst.map(({ project }) => project),
  );
  return worst.map(({ project, count }) => {
    const name = names.get(project) ?? '';
    return {
      projectId: project as Id<'Project'>,
      name,
      count,
      q: scope.text(exactTerm('project', name), scope.openTerm),
    };
  });
}

function brokenOf({ kind, name, slug, status, at }: ProjectProblem) {
  const day = at.slice(0, 10);
  const failure = status === 'error' ? 'failed' : 'never finished';
  const text =
    kind === 'SCAN_FAILED' ? `The last scan of ${name} ${failure} on ${day}.` : `${name} was last scanned on ${day}.`;
  return { kind, text, href: `/o/${slug}/projects/${encodeURIComponent(name)}/scans` };
}

/** The overview: the state of all findings, its history and what needs attention. */
export async function overview({ body, tx, caller, now }: Call<typeof getOverview>) {
  const days = wholeDaysOf(body, now);
  const size = body.bucket === undefined ? bucketSizeOf(days) : TIME_BUCKET_SIZES[body.bucket];
  const reason = periodRefusal(days, size);
  if (reason !== undefined) throw PERIOD_REFUSED({ reason });
  const scope = new OverviewScope({ caller, now }, body.q ?? '');
  const { context } = scope;
  const filter = await resolveTextSearch(tx, scope.filter);
  const condition = await allMatchingSql(tx, context, filter);
  const buckets = bucketPeriods(days, size);
  const matching = { condition, source: countSourceOf(filter), isHourly: hasHourlyCounts(filter) };
  const open = await countOpenFindings(tx, matching);
  const flow: BacklogFlow = {
    open,
    ...(await countOpenedAndClosed(tx, { ...matching, edges: bucketEdges(days, buckets) })),
  };
  const total = open.reduce((sum, { count }) => sum + count, 0);
  const critical = scope.with(OPEN, 'severity:critical');
  return {
    numbers: {
      ...(await findNumbers(tx, scope, { flow, bucketCount: buckets.length, days })),
      medianAgeDays: { value: ageInDays(await medianFirstSeenAt(tx, { ...matching, open: total }), now) },
      fixedBeforeMergePercent: await findFixedBeforeMerge(tx, scope, days),
    },
    backlog: backlogOf(buckets, flow).map((bucket) => ({ ...bucket, q: scope.texts(backlogTerms(bucket.end)) })),
    netChange: netChangeOf(buckets, flow).map((bucket) => {
      const period = { since: bucket.start, until: bucket.end };
      return { ...bucket, q: scope.texts(changeTerms(period, days)) };
    }),
    worstProjects: await listWorstProjects(tx, scope, open),
    noisiestRules: (await listNoisiestRules(tx, { ...matching, most: MAX_LISTED })).map((noisy) => ({
      ...noisy,
      q: scope.text(exactTerm('rule', noisy.rule)),
      ignoredQ: scope.text(exactTerm('rule', noisy.rule), scope.ignoredTerm),
    })),
    oldestCritical: (await listOldestFindings(tx, context, { filter: critical, most: MAX_LISTED })).map((found) => ({
      issueId: found.id as Id<'Finding'>,
      title: found.title,
      projectName: found.name,
      firstSeenAt: new Date(found.first_seen_at),
    })),
    broken: (await listProjectProblems(tx, context, MAX_PROBLEMS)).map(brokenOf),
    projectCount: await countProjects(tx, context),
    asOf: now,
  };
}
