import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { anonymousCaller, type Caller } from '#kernel/auth/caller.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { checkProperty } from '#test/support/properties.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import type { FindingFilter } from '../filter/finding-filter.ts';
import { takeIdSnapshot } from '../tracking/id-snapshot.ts';
import { expireDecisions } from './expire-decisions.ts';
import { type TriageDecision, triageFindings } from './triage.ts';
import { undoTriageBatch } from './undo-batch.ts';

let world: World;
let place: TestDeployment;
let scanning: ProjectScans;
let clock = Date.UTC(2026, 6, 1);

const FILES = ['a', 'b', 'c', 'd', 'e', 'f'];
const found = (files = FILES) =>
  files.map((name) => makeReportedFinding({ rule: `rule-${name}`, path: `${name}.js`, line: 1, code: name }));

before(async () => {
  world = await World.start();
});
after(() => world.stop());

beforeEach(async () => {
  place = await world.deployment();
  scanning = await ProjectScans.start(world, place);
  await scanning.scan(found());
});

const caller = (): Caller => ({
  ...anonymousCaller,
  kind: 'user',
  deployment: place.id,
  email: 'one@example.com',
  permissions: new Set(['issue:triage', 'product:manage']),
  seesEverything: true,
});
function callerContext() {
  clock += 1000;
  return { caller: caller(), now: new Date(clock) };
}
const decide = (filter: FindingFilter, decision: TriageDecision, more: { snapshot?: string; limit?: number } = {}) =>
  world.inDeployment(place, (tx) => triageFindings(tx, callerContext(), { filter, decision, ...more }));
const takeBack = (batch: string | undefined) =>
  world.inDeployment(place, (tx) => undoTriageBatch(tx, callerContext(), batch ?? '0'));

/** All triage fields, by file. */
const kept = () =>
  world.queryAsOwner<{ path: string }>(
    `select path, triage_state, triage_reason, triage_note, triage_until, triaged_at, triaged_by, triage_source
     from finding where project_id = $1 order by path`,
    [scanning.project],
  );

const eventCount = async () => (await scanning.events()).filter((kind) => kind === 'triaged').length;

const ofFiles = (files: readonly string[]): FindingFilter => ({
  paths: files.map((name) => ({ kind: 'exact', value: `${name}.js` })),
});

const aDecision: fc.Arbitrary<TriageDecision> = fc
  .record(
    {
      state: fc.constantFrom('ignored', 'reviewing', 'fixing', 'reopened', 'provisionally_ignored', 'untriaged'),
      note: fc.constantFrom('one', 'two', ''),
      until: fc.constantFrom(new Date('2030-01-01T00:00:00Z'), new Date('2031-01-01T00:00:00Z')),
    },
    { requiredKeys: ['state'] },
  )
  .chain((decision) =>
    decision.state === 'ignored'
      ? fc.constantFrom('false_positive', 'no_time').map((reason) => ({ ...decision, reason }) as TriageDecision)
      : fc.constant(decision as TriageDecision),
  );
const aStep = fc.record({ files: fc.subarray(FILES, { minLength: 1 }), decision: aDecision });

describe('a decision', () => {
  test('that is repeated changes nothing and records no event', async (context) => {
    await checkProperty(
      context,
      fc.asyncProperty(aStep, async ({ files, decision }) => {
        await decide(ofFiles(files), decision);
        const [before, count] = [await kept(), await eventCount()];
        const again = await decide(ofFiles(files), decision);
        assert.deepEqual([again.changed, again.batch, again.findings.length], [0, undefined, files.length]);
        assert.deepEqual([await kept(), await eventCount()], [before, count]);
      }),
      { full: 25, quick: 10, seed: 1 },
    );
  });

  test('that is undone restores the previous state', async (context) => {
    await checkProperty(
      context,
      fc.asyncProperty(fc.array(aStep, { maxLength: 3 }), aStep, async (earlier, last) => {
        for (const { files, decision } of earlier) await decide(ofFiles(files), decision);
        const before = await kept();
        const { batch, changed } = await decide(ofFiles(last.files), last.decision);
        if (batch === undefined) return;
        const undone = await takeBack(batch);
        assert.deepEqual([undone.undone, undone.skipped], [changed, 0]);
        assert.deepEqual(await kept(), before);
      }),
      { full: 25, quick: 10, seed: 2 },
    );
  });

  test('that was changed again is not undone, but the rest of its batch is', async (context) => {
    await checkProperty(
      context,
      fc.asyncProperty(aStep, aStep, async (first, second) => {
        const before = new Map((await kept()).map((row) => [row.path, row]));
        const { batch, changed } = await decide(ofFiles(first.files), first.decision);
        if (batch === undefined) return;
        const middle = new Map((await kept()).map((row) => [row.path, row]));
        await decide(ofFiles(second.files), second.decision);
        const newest = new Map((await kept()).map((row) => [row.path, row]));
        const { undone, skipped } = await takeBack(batch);
        assert.equal(undone + skipped, changed);
        for (const row of await kept()) {
          const isNewer = JSON.stringify(newest.get(row.path)) !== JSON.stringify(middle.get(row.path));
          assert.deepEqual(row, isNewer ? newest.get(row.path) : before.get(row.path));
        }
      }),
      { full: 25, quick: 10, seed: 3 },
    );
  });

  test('with a snapshot does not affect newer findings', async () => {
    const snapshot = await world.inDeployment(place, (tx) => takeIdSnapshot(tx, place.id));
    await scanning.scan(found([...FILES, 'late']));
    const { findings } = await decide({ is: ['open'] }, { state: 'reviewing' }, { snapshot });
    assert.equal(findings.length, FILES.length);
    assert.equal((await decide({ is: ['open'] }, { state: 'reviewing' })).findings.length, 1);
  });

  test('with a snapshot does not affect findings of a concurrent import', async () => {
    const [slow, quick] = [await ProjectScans.start(world, place), await ProjectScans.start(world, place)];
    await slow.scan([]);
    let scanned: Promise<unknown> = Promise.resolve();
    const isOpening = () =>
      world.queryAsOwner(`select from pg_locks where locktype = 'advisory' and mode = 'ShareLock'
        and database = (select oid from pg_database where datname = current_database())`);
    const snapshot = await world.inDeployment(place, async (tx) => {
      // A scan updates its project last, after it has drawn its ids.
      await tx.rows`select from project where deployment_id = ${place.id} and id = ${slow.project} for no key update`;
      scanned = slow.scan(found(['slow']));
      while ((await isOpening()).length === 0) await sleep(10);
      await quick.scan(found(['quick']));
      return world.inDeployment(place, (reading) => takeIdSnapshot(reading, place.id));
    });
    await scanned;
    const { findings } = await decide({ is: ['open'] }, { state: 'reviewing' }, { snapshot });
    assert.equal(findings.length, FILES.length);
  });

  test('is not changed by scans, nor lost when a finding is fixed and detected again', async () => {
    await decide({ is: ['open'] }, { state: 'ignored', reason: 'no_time', note: 'kept' });
    const before = await kept();
    await scanning.scan(found());
    await scanning.scan(found(['a']));
    await scanning.scan(found());
    assert.deepEqual(await kept(), before);
  });

  test('without a state changes only the note', async () => {
    await decide(ofFiles(['a']), { state: 'fixing' });
    const [before] = await kept();
    await decide(ofFiles(['a']), { note: 'noted' });
    assert.deepEqual((await kept())[0], { ...before, triage_note: 'noted' });
  });
});

describe('concurrent decisions', () => {
  test('lose nothing: the events of each finding form one chain that ends in its current state (CON-03)', async () => {
    const steps = fc.sample(aStep, { numRuns: 24, seed: 8 });
    await Promise.all(steps.map(({ files, decision }) => decide(ofFiles(files), decision)));
    const rows = await world.queryAsOwner<{ path: string; before: object; after: object; now: object }>(
      `select finding.path, event.before, event.after, jsonb_build_object('state', triage_state,
         'reason', triage_reason, 'note', triage_note, 'until', triage_until, 'at', triaged_at, 'by',
         triaged_by, 'source', triage_source, 'assignee', assignee_id)
         as now
       from finding_event as event join finding on finding.id = event.finding_id
       where finding.project_id = $1 and event.kind = 'triaged' order by finding.path, event.id`,
      [scanning.project],
    );
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1];
      assert.deepEqual(row.after, next?.path === row.path ? next.before : row.now);
    }
    assert.ok(rows.length > FILES.length);
  });
});

describe('a decision with an expiry', () => {
  test('is reset after it, with an event, and no other decision is', async () => {
    await decide(ofFiles(['a', 'b']), { state: 'ignored', reason: 'acceptable_risk', until: new Date('2027-01-01') });
    await decide(ofFiles(['c']), { state: 'ignored', reason: 'acceptable_risk', until: new Date('2028-01-01') });
    await decide(ofFiles(['d']), { state: 'fixing' });
    const states = async () => (await scanning.statuses()).map((text) => text.split(' ')[1]);
    assert.equal(await expireDecisions(world.assembly.db, new Date('2026-12-31')), 0);
    const count = await eventCount();
    assert.equal(await expireDecisions(world.assembly.db, new Date('2027-01-02')), 2);
    assert.deepEqual(await states(), ['open', 'open', 'ignored', 'fixing', 'open', 'open']);
    assert.equal(await eventCount(), count + 2);
    assert.equal(await expireDecisions(world.assembly.db, new Date('2027-01-02')), 0);
  });
});

describe('a decision during a guardrail episode', () => {
  test('is recorded on it, and so is undoing the decision', async () => {
    const blocking = makeReportedFinding({
      rule: 'blocks',
      path: 'pull.js',
      line: 1,
      code: 'x',
      more: { isBlocking: true },
    });
    await scanning.scan([...found(), blocking], { ref: 'refs/pull/1/merge' });
    const episode = async () =>
      (
        await world.queryAsOwner<{ decided_state: string | null }>(
          `select decided_state from guardrail_episode where project_id = $1 and rule_id = 'blocks'`,
          [scanning.project],
        )
      )[0]?.decided_state;
    assert.equal(await episode(), null);
    const [row] = await world.queryAsOwner<{ id: string }>(
      `select id from finding where rule = 'blocks' and project_id = $1`,
      [scanning.project],
    );
    const { batch } = await decide({ ids: [row?.id ?? ''] }, { state: 'ignored' });
    assert.equal(await episode(), 'ignored');
    await takeBack(batch);
    assert.equal(await episode(), 'open');
  });
});
