import { type Asking, contextOf, type Filter } from '#domain/findings/filter.ts';
import { countGuardrails } from '#domain/findings/guardrails.ts';
import { allWanted } from '#domain/findings/list.ts';
import {
  countOf,
  medianOpening,
  movedIn,
  namesOf,
  noisiest,
  type Open,
  oldest,
  openNow,
  type Trouble,
  troubles,
} from '#domain/findings/overview.ts';
import { filterOfText } from '#domain/findings/query-filter.ts';
import { isHourly, sourceOf } from '#domain/findings/tally.ts';
import { withWordsFound } from '#domain/findings/words.ts';
import { termText } from '#domain/query/write.ts';
import type { Id } from '#kernel/contract/proto.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/group.ts';
import { type getOverview, PERIOD_REFUSED } from './contract.ts';
import {
  ageDays,
  backlogOf,
  backlogTerms,
  changeTerms,
  type Days,
  daysOf,
  daysText,
  dayText,
  edgesOf,
  type Flow,
  netChangeOf,
  numbersOf,
  SIZES,
  worstOf,
} from './overview-rules.ts';
import { pieces, refusalOf, sizeOf, tally } from './rules.ts';

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

/** A question about findings as it is asked here: the filter of the request, and what is added to it. */
class Scope {
  readonly asking: Asking;
  readonly filter: Filter;
  readonly #q: string;

  constructor(asking: Asking, q: string) {
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

  /** Filters by name, each with the terms of that name. */
  texts<Name extends string>(terms: Record<Name, string>): Record<Name, string> {
    const entries = Object.entries<string>(terms).map(([name, text]) => [name, this.text(text)]);
    return Object.fromEntries(entries) as Record<Name, string>;
  }

  /** The filter reads states otherwise than findings have them: ref by ref, or of pull requests. */
  get isReadOtherwise(): boolean {
    const { ref, isAnywhere } = contextOf(this.filter);
    return ref !== undefined || isAnywhere;
  }

  /** What findings themselves have as open, in words that no filter reads otherwise. */
  get openTerm(): string {
    return this.isReadOtherwise ? `backlog:${dayText(this.asking.now)}` : OPEN;
  }

  get ignoredTerm(): string {
    return this.isReadOtherwise ? 'ignored:>=1970-01-01' : 'is:ignored';
  }

  with(...terms: string[]): Filter {
    return filterOfText(this.text(...terms), this.asking.now, '#/q');
  }
}

/** Where states are read otherwise, the numbers are asked for one by one. */
async function numbersIn(
  tx: Tx,
  scope: Scope,
  { counted, pieces: count, days }: { counted: Flow; pieces: number; days: Days },
) {
  const terms = {
    open: [OPEN],
    openPriority: [OPEN, 'severity:critical,high'],
    opened: [`opened:${daysText(days)}`],
    fixed: ['is:fixed', `fixed:${daysText(days)}`],
  };
  const summed = numbersOf(counted, days.isOpenEnded ? Number.POSITIVE_INFINITY : count);
  const linked = async (name: keyof typeof terms) => ({
    value: scope.isReadOtherwise ? await countOf(tx, scope.asking, scope.with(...terms[name])) : summed[name],
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
  { since, until }: Days,
): Promise<{ value?: number }> {
  if (isNarrow) return {};
  const { caller, now } = asking;
  const asked = { since, asOf: until, now, byProject: EVERYTHING, byFact: NO_FACTS };
  const counts = (await countGuardrails(tx, caller, asked)).filter((one) => one.class !== 'silenced');
  const { totalFixed, totalOpened } = tally([{ since, until }], counts);
  return totalOpened === 0 ? {} : { value: Math.round((totalFixed / totalOpened) * 1000) / 10 };
}

const exact = (key: 'project' | 'rule', value: string) =>
  termText({ key, isNot: false, values: [{ kind: 'exact', value }] });

async function worstProjects(tx: Tx, scope: Scope, open: readonly Open[]) {
  const worst = worstOf(open, MOST_LISTED);
  const names = await namesOf(
    tx,
    scope.asking.caller.deployment,
    worst.map(({ project }) => project),
  );
  return worst.map(({ project, count }) => {
    const name = names.get(project) ?? '';
    return { projectId: project as Id<'Project'>, name, count, q: scope.text(exact('project', name), scope.openTerm) };
  });
}

function brokenOf({ kind, name, slug, status, at }: Trouble) {
  const day = at.slice(0, 10);
  const failure = status === 'error' ? 'failed' : 'never finished';
  const text =
    kind === 'SCAN_FAILED' ? `The last scan of ${name} ${failure} on ${day}.` : `${name} was last scanned on ${day}.`;
  return { kind, text, href: `/o/${slug}/projects/${encodeURIComponent(name)}/scans` };
}

/** The state of the findings, how it came about, and what needs somebody. */
export async function overview({ body, tx, caller, now }: Call<typeof getOverview>) {
  const days = daysOf(body, now);
  const size = body.bucket === undefined ? sizeOf(days) : SIZES[body.bucket];
  const reason = refusalOf(days, size);
  if (reason !== undefined) throw PERIOD_REFUSED({ reason });
  const scope = new Scope({ caller, now }, body.q ?? '');
  const { asking } = scope;
  const filter = await withWordsFound(tx, scope.filter);
  const wanted = await allWanted(tx, asking, filter);
  const parts = pieces(days, size);
  const meant = { wanted, source: sourceOf(filter), isHourly: isHourly(filter) };
  const open = await openNow(tx, meant);
  const counted: Flow = { open, ...(await movedIn(tx, { ...meant, edges: edgesOf(days, parts) })) };
  const total = open.reduce((sum, { count }) => sum + count, 0);
  const critical = scope.with(OPEN, 'severity:critical');
  return {
    numbers: {
      ...(await numbersIn(tx, scope, { counted, pieces: parts.length, days })),
      medianAgeDays: { value: ageDays(await medianOpening(tx, { ...meant, open: total }), now) },
      fixedBeforeMergePercent: await fixedBeforeMerge(tx, scope, days),
    },
    backlog: backlogOf(parts, counted).map((one) => ({ ...one, q: scope.texts(backlogTerms(one.end)) })),
    netChange: netChangeOf(parts, counted).map((one) => {
      const piece = { since: one.start, until: one.end };
      return { ...one, q: scope.texts(changeTerms(piece, days)) };
    }),
    worstProjects: await worstProjects(tx, scope, open),
    noisiestRules: (await noisiest(tx, { ...meant, most: MOST_LISTED })).map((noisy) => ({
      ...noisy,
      q: scope.text(exact('rule', noisy.rule)),
      ignoredQ: scope.text(exact('rule', noisy.rule), scope.ignoredTerm),
    })),
    oldestCritical: (await oldest(tx, asking, { filter: critical, most: MOST_LISTED })).map((found) => ({
      issueId: found.id as Id<'Finding'>,
      title: found.title,
      projectName: found.name,
      firstSeenAt: new Date(found.first_seen_at),
    })),
    broken: (await troubles(tx, asking, MOST_TROUBLES)).map(brokenOf),
    asOf: now,
  };
}
