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

const MOST_LISTED = 10;
const MOST_TROUBLES = 20;
const EVERYTHING = { projects: [], projectIds: [], tags: [], teams: [] };
const NO_FACTS = {
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
class Scope {
  readonly asking: CallerContext;
  readonly filter: FindingFilter;
  readonly #q: string;

  constructor(asking: CallerContext, q: string) {
    this.asking = asking;
    this.#q = q.trim();
    this.filter = filterOfText(this.#q, asking.now, '#/q');
  }

  get isNarrow(): boolean {
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
  get isReadOtherwise(): boolean {
    const { ref, isAnywhere } = refScopeOf(this.filter);
    return ref !== undefined || isAnywhere;
  }

  /** A term for open findings that does not depend on refs. */
  get openTerm(): string {
    return this.isReadOtherwise ? `backlog:${formatUtcDay(this.asking.now)}` : OPEN;
  }

  get ignoredTerm(): string {
    return this.isReadOtherwise ? 'ignored:>=1970-01-01' : 'is:ignored';
  }

  with(...terms: string[]): FindingFilter {
    return filterOfText(this.text(...terms), this.asking.now, '#/q');
  }
}

/** Counts each number separately if states depend on refs. */
async function numbersIn(
  tx: Tx,
  scope: Scope,
  { counted, pieces: count, days }: { counted: BacklogFlow; pieces: number; days: ReportDays },
) {
  const terms = {
    open: [OPEN],
    openPriority: [OPEN, 'severity:critical,high'],
    opened: [`opened:${formatUtcDays(days)}`],
    fixed: ['is:fixed', `fixed:${formatUtcDays(days)}`],
  };
  const summed = numbersOf(counted, days.isOpenEnded ? Number.POSITIVE_INFINITY : count);
  const linked = async (name: keyof typeof terms) => ({
    value: scope.isReadOtherwise
      ? await countMatchingFindings(tx, scope.asking, scope.with(...terms[name]))
      : summed[name],
    q: scope.text(...terms[name]),
  });
  return {
    open: await linked('open'),
    openPriority: await linked('openPriority'),
    opened: await linked('opened'),
    fixed: await linked('fixed'),
  };
}

async function fixedBeforeMerge(
  tx: Tx,
  { asking, isNarrow }: Scope,
  { since, until }: ReportDays,
): Promise<{ value?: number }> {
  if (isNarrow) return {};
  const { caller, now } = asking;
  const asked = { since, asOf: until, now, byProject: EVERYTHING, byFact: NO_FACTS };
  const counts = (await countEpisodes(tx, caller, asked)).filter((one) => one.class !== 'silenced');
  const { totalFixed, totalOpened } = guardrailReport([{ since, until }], counts);
  return totalOpened === 0 ? {} : { value: Math.round((totalFixed / totalOpened) * 1000) / 10 };
}

const exact = (key: 'project' | 'rule', value: string) =>
  formatTerm({ key, isNot: false, values: [{ kind: 'exact', value }] });

async function worstProjects(tx: Tx, scope: Scope, open: readonly OpenFindingCount[]) {
  const worst = worstProjectsOf(open, MOST_LISTED);
  const names = await projectNamesById(
    tx,
    scope.asking.caller.deployment,
    worst.map(({ project }) => project),
  );
  return worst.map(({ project, count }) => {
    const name = names.get(project) ?? '';
    return { projectId: project as Id<'Project'>, name, count, q: scope.text(exact('project', name), scope.openTerm) };
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
  const scope = new Scope({ caller, now }, body.q ?? '');
  const { asking } = scope;
  const filter = await resolveTextSearch(tx, scope.filter);
  const condition = await allMatchingSql(tx, asking, filter);
  const parts = bucketPeriods(days, size);
  const meant = { condition, source: countSourceOf(filter), isHourly: hasHourlyCounts(filter) };
  const open = await countOpenFindings(tx, meant);
  const counted: BacklogFlow = {
    open,
    ...(await countOpenedAndClosed(tx, { ...meant, edges: bucketEdges(days, parts) })),
  };
  const total = open.reduce((sum, { count }) => sum + count, 0);
  const critical = scope.with(OPEN, 'severity:critical');
  return {
    numbers: {
      ...(await numbersIn(tx, scope, { counted, pieces: parts.length, days })),
      medianAgeDays: { value: ageInDays(await medianFirstSeenAt(tx, { ...meant, open: total }), now) },
      fixedBeforeMergePercent: await fixedBeforeMerge(tx, scope, days),
    },
    backlog: backlogOf(parts, counted).map((one) => ({ ...one, q: scope.texts(backlogTerms(one.end)) })),
    netChange: netChangeOf(parts, counted).map((one) => {
      const piece = { since: one.start, until: one.end };
      return { ...one, q: scope.texts(changeTerms(piece, days)) };
    }),
    worstProjects: await worstProjects(tx, scope, open),
    noisiestRules: (await listNoisiestRules(tx, { ...meant, most: MOST_LISTED })).map((noisy) => ({
      ...noisy,
      q: scope.text(exact('rule', noisy.rule)),
      ignoredQ: scope.text(exact('rule', noisy.rule), scope.ignoredTerm),
    })),
    oldestCritical: (await listOldestFindings(tx, asking, { filter: critical, most: MOST_LISTED })).map((found) => ({
      issueId: found.id as Id<'Finding'>,
      title: found.title,
      projectName: found.name,
      firstSeenAt: new Date(found.first_seen_at),
    })),
    broken: (await listProjectProblems(tx, asking, MOST_TROUBLES)).map(brokenOf),
    asOf: now,
  };
}
