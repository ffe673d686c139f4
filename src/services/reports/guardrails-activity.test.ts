import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type EpisodeDecision,
  type EpisodeEnd,
  endEpisodes,
  markEpisodeSilenced,
  markEpisodesShown,
  recordEpisodeDecisions,
  startEpisodes,
} from '#domain/findings/guardrails/episodes.ts';
import { sendRequest } from '#test/support/http/exchange.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

type Filters = NonNullable<Parameters<ReturnType<typeof client>['getGuardrailsActivityReport']>[0]['body']['filters']>;
const client = (place: TestDeployment, token = place.admin.jwt) => world.as(contract, token);

async function report(place: TestDeployment, filters: Filters, token?: string) {
  const { status, body, problem } = await client(place, token).getGuardrailsActivityReport({
    path: { deploymentId: place.id },
    body: { filters },
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body;
}

const january = (day: number, hour = 12) => new Date(Date.UTC(2026, 0, day, hour));
let issues = 0;

interface Story {
  isEligible?: boolean;
  startedAt?: Date;
  shownAt?: Date;
  silencedAt?: Date;
  decisions?: Omit<EpisodeDecision, 'episode'>[];
  end?: Omit<EpisodeEnd, 'episode'>;
  rule?: string;
}

/** Records the events of an episode in order. */
async function live(place: TestDeployment, project: string, story: Story): Promise<void> {
  await world.inDeployment(place, async (tx) => {
    const issue = String(++issues);
    const made = await startEpisodes(tx, place.id, [
      {
        project,
        issue,
        rule: story.rule ?? 'rule',
        category: 'security',
        findingType: 'FINDING_TYPE_CODE',
        severity: 'FINDING_SEVERITY_HIGH',
        isEligible: story.isEligible ?? true,
        at: story.startedAt ?? january(5),
      },
    ]);
    const episode = made.get(issue) ?? assert.fail();
    if (story.silencedAt)
      await markEpisodeSilenced(tx, place.id, { episode, at: story.silencedAt, reason: 'autotriage' });
    if (story.shownAt) await markEpisodesShown(tx, place.id, [{ episode, at: story.shownAt }]);
    if (story.decisions)
      await recordEpisodeDecisions(
        tx,
        place.id,
        story.decisions.map((decision) => ({ ...decision, episode })),
      );
    if (story.end) assert.equal(await endEpisodes(tx, place.id, [{ ...story.end, episode }]), 1);
  });
}

const week = {
  timePeriod: { since: '2026-01-05T00:00:00Z', until: '2026-01-12T00:00:00Z' },
  timeBucketSize: 'TIME_BUCKET_SIZE_WEEK',
} as const;

describe('get guardrails activity report (seed 4.2)', () => {
  test('the worked example of one project in the week of Monday 5 January', async () => {
    const place = await world.deployment();
    const project = await world.project(place);
    const shownAt = january(5, 13);
    const stories: Story[] = [
      { shownAt, end: { at: january(6), reason: 'fixed' } },
      { shownAt, end: { at: january(8), reason: 'landed' } },
      { silencedAt: shownAt },
      {
        silencedAt: shownAt,
        shownAt: january(7),
        decisions: [{ at: january(7, 15), state: 'ignored' }],
      },
      { shownAt },
      { shownAt, end: { at: january(9), reason: 'abandoned' } },
      { isEligible: false, shownAt },
    ];
    for (const story of stories) await live(place, project, story);
    assert.deepEqual(await report(place, week), {
      buckets: [
        {
          timePeriod: { since: '2026-01-05T00:00:00.000Z', until: '2026-01-12T00:00:00.000Z' },
          silenced: 1,
          open: 2,
          fixed: 1,
          ignored: 1,
          provisionallyIgnored: 0,
        },
      ],
      totalFixed: 1,
      totalOpened: 5,
    });
  });

  test('an issue has one episode at a time and a new one when it is reintroduced', async () => {
    const place = await world.deployment();
    const project = await world.project(place);
    const start = {
      project,
      issue: '77',
      rule: 'r',
      category: 'c',
      findingType: 'FINDING_TYPE_CODE',
      severity: 'FINDING_SEVERITY_LOW',
      isEligible: true,
    };
    await world.inDeployment(place, async (tx) => {
      const first = await startEpisodes(tx, place.id, [{ ...start, at: january(5) }]);
      assert.equal((await startEpisodes(tx, place.id, [{ ...start, at: january(6) }])).size, 0);
      const episode = first.get('77') ?? assert.fail();
      await endEpisodes(tx, place.id, [{ episode, at: january(6), reason: 'fixed' }]);
      assert.equal(await endEpisodes(tx, place.id, [{ episode, at: january(7), reason: 'landed' }]), 0);
      assert.equal((await startEpisodes(tx, place.id, [{ ...start, at: january(7) }])).size, 1);
    });
    assert.equal((await report(place, week)).totalOpened, 2);
  });

  test('a report of a past period does not change', async () => {
    const place = await world.deployment();
    const project = await world.project(place);
    await live(place, project, { shownAt: january(5), end: { at: january(20), reason: 'fixed' } });
    await live(place, project, { shownAt: january(5), end: { at: january(12, 1), reason: 'abandoned' } });
    await live(place, project, { shownAt: january(15), end: { at: january(30), reason: 'landed' } });
    const early = (await report(place, week)).buckets[0];
    assert.deepEqual([early?.open, early?.fixed, early?.silenced], [2, 0, 1]);
    const late = (await report(place, { ...week, timePeriod: { ...week.timePeriod, until: '2026-02-01T00:00:00Z' } }))
      .buckets[0];
    assert.deepEqual([late?.open, late?.fixed, late?.silenced], [1, 1, 0]);
  });

  test('an ignored finding whose decision expires before the end is open again', async () => {
    const place = await world.deployment();
    const project = await world.project(place);
    const decisions = [{ at: january(6), state: 'ignored', expiresAt: january(10) }] as const;
    await live(place, project, { shownAt: january(5), decisions: [...decisions] });
    const untilDay = async (day: number) =>
      (
        await report(place, { timePeriod: { since: '2026-01-05T00:00:00Z', until: january(day).toISOString() } })
      ).buckets.at(0);
    assert.deepEqual([(await untilDay(9))?.ignored, (await untilDay(10))?.ignored], [1, 0]);
    assert.deepEqual([(await untilDay(9))?.open, (await untilDay(10))?.open], [0, 1]);
  });

  test('buckets are zero-filled and clipped to the period', async () => {
    const place = await world.deployment();
    const project = await world.project(place);
    const now = Date.now();
    await live(place, project, { startedAt: new Date(now - 3600_000), shownAt: new Date(now - 1800_000) });
    const since = new Date(now - 2 * 24 * 3600_000).toISOString();
    const until = new Date(now + 2 * 24 * 3600_000).toISOString();
    const { buckets, totalOpened } = await report(place, { timePeriod: { since, until } });
    assert.equal(buckets.length, 5);
    assert.deepEqual([buckets[0]?.timePeriod.since, buckets.at(-1)?.timePeriod.until], [since, until]);
    assert.deepEqual([totalOpened, buckets.at(-1)?.open], [1, 0]);
  });

  test('without a body the report covers the last 90 days by week', async () => {
    const place = await world.deployment();
    const { body } = await client(place).getGuardrailsActivityReport({ path: { deploymentId: place.id }, body: {} });
    assert.ok(body.buckets.length >= 13 && body.buckets.length <= 14);
    assert.deepEqual([body.totalFixed, body.totalOpened], [0, 0]);
  });

  test('counters are JSON integers, and unknown ids give an empty result', async () => {
    const place = await world.deployment();
    await live(place, await world.project(place), { shownAt: january(5) });
    for (const filter of [
      { projects: ['nobody/knows'] },
      { projectIds: ['x'] },
      { teams: ['x'] },
      { tags: ['x'] },
      { ruleIds: ['x'] },
    ]) {
      const answer = await sendRequest(world.baseUrl, {
        method: 'POST',
        target: `/api/reporting/${place.id}/reports/guardrails-activity`,
        headers: { authorization: `Bearer ${place.admin.jwt}`, 'content-type': 'application/json' },
        body: JSON.stringify({ filters: { ...week, ...filter } }),
      });
      assert.match(answer.text, /"totalFixed":0,"totalOpened":0\}$/);
    }
  });

  test('periods that are too long, have too many buckets or end before they start are refused (LIM-05)', async () => {
    const place = await world.deployment();
    const refused: Filters[] = [
      { timePeriod: { since: '2020-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' } },
      {
        timePeriod: { since: '2024-01-01T00:00:00Z', until: '2025-12-01T00:00:00Z' },
        timeBucketSize: 'TIME_BUCKET_SIZE_DAY',
      },
      { timePeriod: { since: '2026-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' } },
      { projects: new Array(501).fill('p') },
      { timePeriod: { since: 'yesterday' } },
    ];
    for (const filters of refused) {
      const { status } = await client(place).getGuardrailsActivityReport({
        path: { deploymentId: place.id },
        body: { filters },
      });
      assert.equal(status, 400, JSON.stringify(filters).slice(0, 99));
    }
  });

  test('deleting a project removes its counts', async () => {
    const place = await world.deployment();
    const project = await world.project(place);
    await live(place, project, { shownAt: january(5), end: { at: january(6), reason: 'fixed' } });
    await live(place, project, { shownAt: january(5) });
    assert.equal((await report(place, week)).totalOpened, 2);
    await world.queryAsOwner('delete from project where id = $1', [project]);
    assert.equal((await report(place, week)).totalOpened, 0);
  });
});
