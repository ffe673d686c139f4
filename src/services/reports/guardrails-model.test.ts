import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  type EpisodeDecision,
  type EpisodeEnd,
  endEpisodes,
  markEpisodesShown,
  recordEpisodeDecisions,
  startEpisodes,
} from '#domain/findings/guardrails/episodes.ts';
import * as projectStore from '#domain/projects/store.ts';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import * as issues from '#services/issues/views/contract.ts';
import { type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import { findingsFilterOf, joinList } from '#web/features/reports/filter-params.ts';
import * as contract from './contract.ts';
import { bucketPeriods, bucketSizeOf, type TimeBucketSize } from './rules.ts';

/** Compares the report with a simple model of its definition, for callers who see all, some or no projects (AZN-08). */

const DAY_MS = 24 * 3600 * 1000;
const SPAN_DAYS = 120;
const RULES = ['r1', 'r2', 'r3'];
const CATEGORIES = ['code', 'secrets'];
const SEVERITIES = ['FINDING_SEVERITY_LOW', 'FINDING_SEVERITY_HIGH'] as const;

interface Episode {
  /** Some findings have two episodes. */
  issue: string;
  project: number;
  rule: string;
  category: string;
  severity: string;
  isEligible: boolean;
  start: number;
  shown: number | undefined;
  decisions: { at: number; state: EpisodeDecision['state']; expires: number | undefined }[];
  end: { at: number; reason: EpisodeEnd['reason'] } | undefined;
}

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

/** Six projects: two of a parent team, two of its child, one of another team, one of none. */
interface Stage {
  place: TestDeployment;
  projects: { id: string; name: string; tags: string[]; teams: string[] }[];
  viewers: { person: TestUser; sees: ReadonlySet<number> }[];
}

async function buildStage(): Promise<Stage> {
  const place = await world.deployment();
  const people = await Promise.all([
    world.memberWithoutTeam(place),
    world.memberWithoutTeam(place),
    world.memberWithoutTeam(place),
  ]);
  const projects = await Promise.all(Array.from({ length: 6 }, async () => ({ name: uniqueName('acme/model') })));
  return world.inDeployment(place, async (tx) => {
    const ids: string[] = [];
    for (const { name } of projects) ids.push((await projectStore.insert(tx, { deployment: place.id, name })).id);
    const team = async (name: string, parent: string | undefined) =>
      (await teams.insert(tx, { deployment: place.id, name, parent })) ?? '';
    const parent = await team('Parent', undefined);
    const child = await team('Child', parent);
    const another = await team('Another', undefined);
    const assign = (to: string, which: number[]) =>
      members.addProjects(
        tx,
        { deployment: place.id, team: to },
        which.map((index) => ids[index] ?? ''),
      );
    await assign(parent, [0, 1]);
    await assign(child, [2, 3]);
    await assign(another, [3, 4]);
    for (const [index, to] of [parent, another].entries())
      await members.addMembers(tx, { deployment: place.id, team: to }, [
        { account: people[index]?.id ?? '', role: 'TEAM_ROLE_MEMBER' },
      ]);
    for (const index of [0, 2, 4])
      await projectStore.addTags(tx, { deployment: place.id, id: ids[index] ?? '' }, ['hot']);
    const owners = [['Parent'], ['Parent'], ['Parent', 'Child'], ['Parent', 'Child', 'Another'], ['Another'], []];
    const sights = [new Set([0, 1, 2, 3]), new Set([3, 4]), new Set<number>()];
    return {
      place,
      projects: projects.map(({ name }, index) => ({
        id: ids[index] ?? '',
        name,
        tags: index % 2 === 0 ? ['hot'].filter(() => index < 5) : [],
        teams: owners[index] ?? [],
      })),
      viewers: [
        { person: place.admin, sees: new Set([0, 1, 2, 3, 4, 5]) },
        ...people.map((person, index) => ({ person, sees: sights[index] ?? new Set<number>() })),
      ],
    };
  });
}

const hour = 3600 * 1000;
const moment = fc.integer({ min: 0, max: SPAN_DAYS * 24 }).map((hours) => hours * hour);
const length = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 72 }) },
  { weight: 1, arbitrary: fc.integer({ min: 72, max: 60 * 24 }) },
);
const state = fc.constantFrom<EpisodeDecision['state']>(
  'open',
  'reopened',
  'ignored',
  'provisionally_ignored',
  'fixing',
);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const episode: fc.Arbitrary<Omit<Episode, 'issue'>> = fc
  .record({
    project: fc.integer({ min: 0, max: 5 }),
    rule: fc.constantFrom(...RULES),
    category: fc.constantFrom(...CATEGORIES),
    severity: fc.constantFrom(...SEVERITIES),
    isEligible: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
    start: moment,
    lengthHours: length,
    shownShare: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
    decisions: fc.array(
      fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), state, expires: maybe(length) }),
      { maxLength: 3 },
    ),
    end: fc.constantFrom<EpisodeEnd['reason'] | undefined>('fixed', 'landed', 'abandoned', undefined),
  })
  .map(({ lengthHours, shownShare, decisions, end, ...rest }) => {
    const at = (share: number) => rest.start + Math.round(share * lengthHours) * hour;
    const byTime = new Map(
      decisions.map(({ share, state: decided, expires }) => [
        at(share),
        { at: at(share), state: decided, expires: expires === undefined ? undefined : at(share) + expires * hour },
      ]),
    );
    return {
      ...rest,
      shown: shownShare === undefined ? undefined : at(shownShare),
      decisions: [...byTime.values()].sort((one, other) => one.at - other.at),
      end: end && { at: rest.start + lengthHours * hour, reason: end },
    };
  });

/** The start of the model's clock, in the past; events are hours after it. */
const base = Math.floor(Date.now() / DAY_MS) * DAY_MS - (SPAN_DAYS + 70) * DAY_MS;
const date = (time: number) => new Date(base + time);

/** Episodes with their findings: every fourth is another episode of the previous finding. */
async function cast({ place, projects }: Stage, seed: number): Promise<Episode[]> {
  const made = fc.sample(episode, { numRuns: 250, seed });
  const keys = await plant(
    place,
    made.map(({ project }) => projects[project]?.id ?? ''),
  );
  const episodes: Episode[] = [];
  for (const [index, one] of made.entries()) {
    const before = episodes.at(-1);
    if (before?.end && index % 4 === 3) episodes.push({ ...one, project: before.project, issue: before.issue });
    else episodes.push({ ...one, issue: keys[index] ?? '' });
  }
  return episodes;
}

/** A finding in each of these projects, in any state, whose attributes differ from those of its episodes. */
async function plant(place: TestDeployment, projects: readonly string[]): Promise<string[]> {
  const rows = await world.queryAsOwner<{ id: string }>(
    `insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
       category, cwes, owasps, path, line, start_column, end_line, end_column, state, first_scan_id, first_seen_at,
       relevant_since)
     select $1, project, 'sast', 't', 'other', 'Title', 'm', 2, 1, 'c', '{}', '{}', 'a.ts', n, 1, 1, 1,
       (array['detected', 'fixed', 'removed', 'elsewhere'])[1 + n % 4], 1, now(), now()
     from unnest($2::bigint[]) with ordinality as wanted (project, n) order by n returning id`,
    [place.id, projects],
  );
  return rows.map(({ id }) => `finding:${id}`);
}

/** Episodes of one issue do not overlap. */
async function perform(stage: Stage, episodes: readonly Episode[]): Promise<void> {
  const isFirst = (one: Episode, index: number) => episodes.findIndex(({ issue }) => issue === one.issue) === index;
  await performAll(
    stage,
    episodes.filter((one, index) => isFirst(one, index)),
  );
  await performAll(
    stage,
    episodes.filter((one, index) => !isFirst(one, index)),
  );
}

async function performAll({ place, projects }: Stage, episodes: readonly Episode[]): Promise<void> {
  await world.inDeployment(place, async (tx) => {
    const started = await startEpisodes(
      tx,
      place.id,
      episodes.map((one) => ({
        project: projects[one.project]?.id ?? '',
        issue: one.issue,
        rule: one.rule,
        category: one.category,
        findingType: 'FINDING_TYPE_CODE',
        severity: one.severity,
        isEligible: one.isEligible,
        at: date(one.start),
      })),
    );
    const ids = episodes.map(({ issue }) => started.get(issue) ?? assert.fail());
    const each = <Item>(work: (one: Episode, id: string) => Item[]) =>
      episodes.flatMap((one, index) => work(one, ids[index] ?? ''));
    await markEpisodesShown(
      tx,
      place.id,
      each(({ shown }, id) => (shown === undefined ? [] : [{ episode: id, at: date(shown) }])),
    );
    await recordEpisodeDecisions(
      tx,
      place.id,
      each(({ decisions }, id) =>
        decisions.map(({ at, state: decided, expires }) => ({
          episode: id,
          at: date(at),
          state: decided,
          ...(expires === undefined ? {} : { expiresAt: date(expires) }),
        })),
      ),
    );
    const endings = each(({ end }, id) => (end ? [{ episode: id, at: date(end.at), reason: end.reason }] : []));
    assert.equal(await endEpisodes(tx, place.id, endings), endings.length);
  });
}

/** The class of an episode at a time, by definition; undefined if it is not counted. */
function classOf(one: Episode, asOf: number) {
  const hasEnded = one.end !== undefined && one.end.at <= asOf;
  if (!one.isEligible || (hasEnded && one.end?.reason === 'abandoned')) return undefined;
  const at = hasEnded ? (one.end?.at ?? asOf) : asOf;
  if (one.shown === undefined || one.shown > at) return 'silenced';
  if (hasEnded && one.end?.reason === 'fixed') return 'fixed';
  const last = one.decisions.filter((decision) => decision.at <= at).at(-1);
  if (!last || (last.expires !== undefined && last.expires <= at)) return 'open';
  if (last.state === 'ignored') return 'ignored';
  return last.state === 'provisionally_ignored' ? 'provisionallyIgnored' : 'open';
}

interface ReportQuery {
  viewer: number;
  since: number;
  until: number;
  size: TimeBucketSize | undefined;
  rules: string[];
  categories: string[];
  severities: (typeof SEVERITIES)[number][];
  projects: number[];
  projectIds: number[];
  tags: string[];
  teams: string[];
}

const some = <Value>(values: readonly Value[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<Value[]>([]) }, { weight: 1, arbitrary: fc.subarray([...values]) });

const reportQuery: fc.Arbitrary<ReportQuery> = fc
  .record({
    viewer: fc.integer({ min: 0, max: 3 }),
    since: fc.integer({ min: -5 * 24 * 60, max: SPAN_DAYS * 24 * 60 }).map((minutes) => minutes * 60_000),
    length: fc.integer({ min: 1, max: SPAN_DAYS * 24 * 60 }).map((minutes) => minutes * 60_000),
    size: maybe(
      fc.constantFrom<TimeBucketSize>('TIME_BUCKET_SIZE_DAY', 'TIME_BUCKET_SIZE_WEEK', 'TIME_BUCKET_SIZE_MONTH'),
    ),
    rules: some(RULES),
    categories: some(CATEGORIES),
    severities: some(SEVERITIES),
    projects: some([0, 1, 2, 3]),
    projectIds: some([2, 3, 4, 5]),
    tags: some(['hot', 'unknown']),
    teams: some(['Parent', 'Child', 'Another']),
  })
  .map(({ length: span, ...rest }) => ({ ...rest, until: rest.since + span }));

/** The report of episodes and the report of findings. */
function modelReports({ projects, viewers }: Stage, episodes: readonly Episode[], query: ReportQuery) {
  const asOf = Math.min(query.until, Date.now() - base);
  const sees = viewers[query.viewer]?.sees ?? new Set();
  const hasAny = <Value>(wanted: readonly Value[], had: readonly Value[]) =>
    wanted.length === 0 || had.some((value) => wanted.includes(value));
  const named = [...query.projects, ...query.projectIds];
  // A team that the caller cannot see matches nothing.
  const reachable = [['Parent', 'Child', 'Another'], ['Parent', 'Child'], ['Another'], []][query.viewer] ?? [];
  const selectedTeams = query.teams.filter((name) => reachable.includes(name));
  const counted = episodes.filter((one) => {
    const project = projects[one.project];
    return (
      sees.has(one.project) &&
      hasAny(named, [one.project]) &&
      hasAny(query.tags, project?.tags ?? []) &&
      (query.teams.length === 0 || (project?.teams ?? []).some((name) => selectedTeams.includes(name))) &&
      hasAny(query.rules, [one.rule]) &&
      hasAny(query.categories, [one.category]) &&
      hasAny<string>(query.severities, [one.severity])
    );
  });
  const period = { since: date(query.since), until: date(query.until) };
  const parts = bucketPeriods(period, query.size ?? bucketSizeOf(period));
  const outcomes = counted.flatMap((one) => {
    const [found, at] = [classOf(one, asOf), date(one.start)];
    const place = parts.findIndex(({ since, until }) => at >= since && at < until);
    return found && place >= 0 && one.start < asOf ? [{ issue: one.issue, place, found }] : [];
  });
  const findingsIn = (some: typeof outcomes) => new Set(some.map(({ issue }) => issue)).size;
  const inPart = (place: number) => outcomes.filter((one) => one.place === place);
  const byClass = (some: typeof outcomes, size: (of: typeof outcomes) => number) => {
    const of = (name: string) => size(some.filter(({ found }) => found === name));
    return {
      silenced: of('silenced'),
      open: of('open'),
      fixed: of('fixed'),
      ignored: of('ignored'),
      provisionallyIgnored: of('provisionallyIgnored'),
    };
  };
  const reportOf = (size: (some: typeof outcomes) => number) => ({
    buckets: parts.map(({ since, until }, place) => ({
      timePeriod: { since: since.toISOString(), until: until.toISOString() },
      ...byClass(inPart(place), size),
    })),
    totalFixed: byClass(outcomes, size).fixed,
    totalOpened: size(outcomes),
  });
  const ofFindings = reportOf(findingsIn);
  return {
    report: reportOf((some) => some.length),
    findings: {
      ...ofFindings,
      buckets: ofFindings.buckets.map((bucket, place) => ({ ...bucket, all: findingsIn(inPart(place)) })),
      totals: byClass(outcomes, findingsIn),
    },
  };
}

function filtersOf(stage: Stage, query: ReportQuery) {
  return {
    timePeriod: { since: date(query.since).toISOString(), until: date(query.until).toISOString() },
    ...(query.size ? { timeBucketSize: query.size } : {}),
    ruleIds: query.rules,
    findingCategories: query.categories,
    findingSeverities: query.severities,
    projects: query.projects.map((index) => stage.projects[index]?.name ?? ''),
    projectIds: query.projectIds.map((index) => stage.projects[index]?.id ?? ''),
    tags: query.tags,
    teams: query.teams,
  };
}

test('the report covers exactly what the caller may see, for every filter (AZN-08)', async () => {
  let [nonEmpty, repeated] = [0, 0];
  for (const seed of [1, 2, 3, 4]) {
    const stage = await buildStage();
    const episodes = await cast(stage, seed);
    await perform(stage, episodes);
    for (const query of fc.sample(reportQuery, { numRuns: 60, seed: seed * 100 })) {
      const client = world.as(contract, stage.viewers[query.viewer]?.person.jwt ?? '');
      const input = { path: { deploymentId: stage.place.id }, body: { filters: filtersOf(stage, query) } };
      const { report, findings } = modelReports(stage, episodes, query);
      const { status, body } = await client.getGuardrailsActivityReport(input);
      assert.equal(status, 200);
      assert.deepEqual(body, report, JSON.stringify(query));
      assert.deepEqual((await client.getGuardrailsFindings(input)).body, findings, JSON.stringify(query));
      if (body.totalOpened > 0) nonEmpty += 1;
      if (body.totalOpened > findings.totalOpened) repeated += 1;
    }
  }
  assert.ok(nonEmpty > 50 && repeated > 20, `only ${nonEmpty} reports counted anything, ${repeated} of them twice`);
});

/** In whole days, as in the console and in filters. */
const inDays = ({ since, until, ...query }: ReportQuery): ReportQuery => {
  const day = (time: number) => Math.floor(time / DAY_MS) * DAY_MS;
  return { ...query, since: day(since), until: day(until) + DAY_MS };
};

/** The filter of the same query in the console. */
const textsOf = (stage: Stage, query: ReportQuery) => ({
  severities: query.severities.map((name) => name.replace('FINDING_SEVERITY_', '').toLowerCase()).join(','),
  rules: query.rules.join(','),
  categories: query.categories.join(','),
  projects: joinList([...query.projects, ...query.projectIds].map((index) => stage.projects[index]?.name ?? '')),
  tags: query.tags.join(','),
  teams: query.teams.join(','),
});

test('every number agrees with the list of its filter, for every caller and for archived projects', async () => {
  const stage = await buildStage();
  const episodes = await cast(stage, 5);
  await perform(stage, episodes);
  await world.queryAsOwner('update project set archived_at = now() where id = $1', [stage.projects[1]?.id]);
  let checked = 0;
  for (const query of fc.sample(reportQuery, { numRuns: 25, seed: 6 }).map(inDays)) {
    const { findings } = modelReports(stage, episodes, query);
    const jwt = stage.viewers[query.viewer]?.person.jwt ?? '';
    const counted = { texts: textsOf(stage, query), until: date(query.until), now: new Date() };
    const whole = { since: date(query.since), until: date(query.until) };
    const numbers = findings.buckets.flatMap(({ timePeriod, ...classes }) => {
      const bucket = { since: new Date(timePeriod.since), until: new Date(timePeriod.until) };
      return Object.entries(classes).map(([name, value]) => ({
        value,
        q: findingsFilterOf(bucket, name === 'all' ? undefined : name, counted),
      }));
    });
    const totals = [
      { value: findings.totalOpened, q: findingsFilterOf(whole, undefined, counted) },
      ...Object.entries(findings.totals).map(([name, value]) => ({ value, q: findingsFilterOf(whole, name, counted) })),
    ];
    for (const { value, q = '' } of [...totals, ...numbers.filter((one) => one.value > 0).slice(0, 8)]) {
      const { status, body, text } = await world.as(issues, jwt).getIssueFacets({
        path: { deploymentId: stage.place.id },
        body: { q, keys: [] },
      });
      assert.equal(status, 200, text);
      assert.deepEqual([Number(body.total), body.totalIsExact], [value, true], q);
      if (value > 0) checked += 1;
    }
  }
  assert.ok(checked > 60, `only ${checked} numbers had findings`);
});

test('negated pull request terms match the remaining episodes', async () => {
  const stage = await buildStage();
  await perform(stage, await cast(stage, 7));
  const total = async (q: string) => {
    const query = { path: { deploymentId: stage.place.id }, body: { q, keys: [] } };
    return Number((await world.as(issues, stage.place.admin.jwt).getIssueFacets(query)).body.total);
  };
  const days = `raised:${date(0).toISOString().slice(0, 10)}..${date(60 * DAY_MS)
    .toISOString()
    .slice(0, 10)}`;
  for (const term of ['guardrail:fixed', 'raised-as:rule-r1,severity-high', 'guardrail:silenced,open']) {
    const [all, some, rest] = [await total(days), await total(`${days} ${term}`), await total(`${days} -${term}`)];
    assert.ok(some > 0 && rest > 0, term);
    assert.equal(some + rest, all, term);
  }
});
