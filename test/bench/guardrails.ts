import { performance } from 'node:perf_hooks';
import pg from 'pg';
import {
  endEpisodes,
  markEpisodesShown,
  recordEpisodeDecisions,
  startEpisodes,
} from '#domain/findings/guardrails/episodes.ts';
import * as contract from '#services/reports/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { type BenchOptions, median, percentile } from './figure.ts';

const PROJECTS = 50;
const DAYS = 730;
const ROUNDS = 100;
const DAY_MS = 24 * 3600 * 1000;

/**
 * Episodes like those of years of pull requests: in order, most end within days, some stay open, each with its class.
 */
const EPISODES = `
  insert into guardrail_episode (deployment_id, project_id, issue_key, number, rule_id, category, finding_type,
    severity, confidence, reachability, validity, ai_verdict, deployment_status, public_exposure, is_eligible,
    started_at, shown_at, ended_at, end_reason, end_class)
  select $1::bigint, ($2::bigint[])[1 + n % $3::int], n::text, 1, 'rule-' || n % 200,
    (array['code', 'secrets'])[1 + n % 2],
    'FINDING_TYPE_CODE', (array['FINDING_SEVERITY_LOW', 'FINDING_SEVERITY_HIGH'])[1 + n % 2],
    'FINDING_CONFIDENCE_HIGH', 'FINDING_REACHABILITY_NO_REACHABILITY_ANALYSIS', 'FINDING_VALIDITY_NO_VALIDATOR',
    'VERDICT_NO_VERDICT', 'DEPLOYMENT_STATUS_UNKNOWN', 'PUBLIC_EXPOSURE_UNKNOWN', true, started_at,
    case when dice < 0.8 then started_at end,
    case when ended_at < now() then ended_at end,
    case when ended_at < now() then case when dice < 0.5 then 'fixed' when dice < 0.9 then 'landed' else 'abandoned' end
    end,
    case when ended_at < now() and dice < 0.9 then
      case when dice >= 0.8 then 'silenced' when dice < 0.5 then 'fixed' when dice < 0.6 then 'ignored' else 'open' end
    end
  from (
    select n, started_at, dice, started_at - ln(1 - spread) * interval '2 days' as ended_at
    from (select n, now() - (n - random()) / $4::int * interval '${DAYS} days' as started_at, random() as dice,
            random() as spread
          from generate_series($4::int, 1, -1) as n) as drawn
  ) as lived`;

const ROLL_UP = `
  insert into guardrail_day (deployment_id, start_day, project_id, silenced, open, fixed, ignored,
    provisionally_ignored)
  select deployment_id, date_trunc('day', started_at, 'UTC') as start_day, project_id,
    count(*) filter (where end_class = 'silenced'), count(*) filter (where end_class = 'open'),
    count(*) filter (where end_class = 'fixed'), count(*) filter (where end_class = 'ignored'), 0
  from guardrail_episode where deployment_id = $1 and end_class is not null
  group by deployment_id, start_day, project_id`;

const CARRY = `
  insert into guardrail_carryover (deployment_id, week, ended_at, episode_id, project_id, started_at, shown_at,
    decided_at, decided_state, decided_until, end_class)
  select deployment_id, week, ended_at, id, project_id, started_at, shown_at, decided_at, decided_state, decided_until,
    end_class
  from guardrail_episode, generate_series(
    date_trunc('week', started_at, 'UTC') + interval '7 days', ended_at, interval '7 days') as week
  where deployment_id = $1 and ended_at is not null`;

export async function load(world: World, episodes: number): Promise<TestDeployment> {
  const place = await world.deployment();
  const projects: string[] = [];
  for (let index = 0; index < PROJECTS; index++) projects.push(await world.project(place));
  const owner = new pg.Client(world.database.connection);
  await owner.connect();
  // Nothing here can violate a foreign key, and checking a million of them takes longer than writing the rows.
  await owner.query('set session_replication_role = replica');
  await owner.query(EPISODES, [place.id, projects, PROJECTS, episodes]);
  await owner.query(ROLL_UP, [place.id]);
  await owner.query(CARRY, [place.id]);
  await owner.end();
  return place;
}

type Call = Parameters<ReturnType<typeof callsOf>['getGuardrailsActivityReport']>[0];
type Filters = NonNullable<Call['body']['filters']>;
const callsOf = (world: World, token: string) => world.as(contract, token);

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const QUERIES: Record<string, () => Filters> = {
  recent90Days: () => ({ timePeriod: { since: daysAgo(90), until: daysAgo(0) } }),
  past90Days: () => ({ timePeriod: { since: daysAgo(400), until: daysAgo(310) } }),
  wholeSpan: () => ({ timePeriod: { since: daysAgo(DAYS - 0.1), until: daysAgo(0) } }),
  recent90DaysOfOneRule: () => ({
    timePeriod: { since: daysAgo(90), until: daysAgo(0) },
    ruleIds: ['rule-7'],
  }),
};

type Ask = () => Promise<{ status: number }>;

/** The queries alternate, so that other load on the machine affects all of them equally. */
async function timesOf(asks: readonly Ask[]): Promise<number[][]> {
  const times = asks.map((): number[] => []);
  for (let turn = -10; turn < ROUNDS; turn++)
    for (const [index, ask] of asks.entries()) {
      const start = performance.now();
      const { status } = await ask();
      if (status !== 200) throw new Error(`The report was rejected with ${status}.`);
      if (turn >= 0) times[index]?.push(performance.now() - start);
    }
  return times;
}

const BATCH = 500;

/** The writes of one scan: episodes that start, are seen, triaged and ended; in milliseconds for all of them. */
async function liveBatch(world: World, place: TestDeployment): Promise<number> {
  const project = await world.project(place);
  const now = new Date();
  const start = performance.now();
  await world.inDeployment(place, async (tx) => {
    const made = await startEpisodes(
      tx,
      place.id,
      Array.from({ length: BATCH }, (_, index) => ({
        project,
        issue: String(10_000_000 + index),
        rule: 'rule-1',
        category: 'code',
        findingType: 'FINDING_TYPE_CODE',
        severity: 'FINDING_SEVERITY_LOW',
        isEligible: true,
        at: now,
      })),
    );
    const episodes = [...made.values()].map((episode) => ({ episode, at: now }));
    await markEpisodesShown(tx, place.id, episodes);
    await recordEpisodeDecisions(
      tx,
      place.id,
      episodes.map((one) => ({ ...one, state: 'ignored' })),
    );
    await endEpisodes(
      tx,
      place.id,
      episodes.map((one) => ({ ...one, reason: 'landed' })),
    );
  });
  return performance.now() - start;
}

/** How the guardrails report grows with the number of episodes: p95 in milliseconds on N and 10 N, and their ratio. */
export async function benchGuardrails({ scale, log }: BenchOptions): Promise<Record<string, number>> {
  const world = await World.start();
  try {
    const small = await load(world, Math.round(100_000 * scale));
    const large = await load(world, Math.round(1_000_000 * scale));
    await world.queryAsOwner('vacuum analyze');
    log('loaded');
    const result: Record<string, number> = {};
    const member = await world.member(large);
    for (const [name, filters] of Object.entries(QUERIES)) {
      const ask = (place: TestDeployment, token: string) => () =>
        callsOf(world, token).getGuardrailsActivityReport({
          path: { deploymentId: place.id },
          body: { filters: filters() },
        });
      const [few = [], many = [], ofMember = []] = await timesOf([
        ask(small, small.admin.jwt),
        ask(large, large.admin.jwt),
        ask(large, member.jwt),
      ]);
      result[`${name}FewMs`] = percentile(few, 95);
      result[`${name}ManyMs`] = percentile(many, 95);
      result[`${name}ManyOfMemberMs`] = percentile(ofMember, 95);
      result[`${name}Ratio`] = percentile(many, 95) / percentile(few, 95);
      // On a busy machine the slowest replies are dominated by waiting; the median says more about the work.
      result[`${name}MedianRatio`] = median(many) / median(few);
      log(`${name}: median ${median(few).toFixed(1)} ms and ${median(many).toFixed(1)} ms`);
    }
    result[`write${BATCH}Ms`] = await liveBatch(world, large);
    return result;
  } finally {
    await world.stop();
  }
}
