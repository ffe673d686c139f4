import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as bulk from '../bulk/contract.ts';
import * as evidence from './contract.ts';

let world: World;
let place: TestDeployment;
let scanning: ProjectScans;

const at = (line: number, path = 'a.js', rule = 'no-eval') =>
  makeReportedFinding({ rule, path, line, code: 'eval(x)', context: `a${line}\neval(x)\nb` });

before(async () => {
  world = await World.start();
  place = await world.deployment();
  scanning = await ProjectScans.start(world, place);
  await scanning.scan([at(3), at(9, 'b.js')]);
  await scanning.scan([at(5), at(9, 'b.js')]);
  await scanning.scan([at(9, 'b.js')]);
  await scanning.scan([at(7), at(9, 'b.js')]);
  await scanning.scan([at(7)], { ref: 'refs/pull/1/merge' });
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });
const idOf = async (file: string) => (await scanning.findings()).find((one) => one.path === file)?.id ?? '';

async function about(id: string, token = place.admin.jwt) {
  const answer = await world.as(evidence, token).getIssueEvidence({ path: { ...path(), issueId: id } });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body;
}

const triage = (id: string, triageState: 'FINDING_TRIAGE_STATE_IGNORED' | 'FINDING_TRIAGE_STATE_REVIEWING') =>
  world.as(bulk, place.admin.jwt).bulkUpdateIssues({
    path: path(),
    body: { filter: { ids: [id] }, params: { triageState, note: 'because' } },
  });

test('evidence has sightings, refs and a sentence for each match', async () => {
  const id = await idOf('a.js');
  const { firstSeen, lastSeen, refs, matches } = await about(id);
  assert.equal(firstSeen.ref, 'main');
  assert.equal(firstSeen.by, 'test');
  assert.ok(lastSeen.at > firstSeen.at);
  assert.deepEqual(
    refs.map(({ ref, isPrimary, status, line }) => [ref, isPrimary, status, line]),
    [
      ['main', true, 'AGGREGATE_ISSUE_STATE_OPEN', 7],
      ['refs/pull/1/merge', false, 'AGGREGATE_ISSUE_STATE_OPEN', 7],
    ],
  );
  assert.deepEqual(
    matches.map(({ tier, from, to }) => [tier, from?.line, to?.line]),
    [
      ['exact', undefined, 7],
      ['same', 5, 7],
      ['same', 3, 5],
    ],
  );
  assert.match(matches[2]?.sentence ?? '', /^The fingerprint is the same.*It moved from line 3 to line 5\.$/);
  const again = await about(refs[0] ? id : '');
  assert.deepEqual(again.firstSeen, firstSeen);
});

test('events are ordered newest first and only the last decision can be undone', async () => {
  const id = await idOf('a.js');
  await triage(id, 'FINDING_TRIAGE_STATE_REVIEWING');
  await triage(id, 'FINDING_TRIAGE_STATE_IGNORED');
  const { events, sameRule } = await about(id);
  assert.deepEqual(
    events.map(({ kind, canUndo, note }) => [kind, canUndo, note]),
    [
      ['triaged', true, 'because'],
      ['triaged', false, 'because'],
      ['reopened', false, ''],
      ['fixed', false, ''],
      ['moved', false, ''],
    ],
  );
  assert.deepEqual([events[0]?.by, events[0]?.after?.['state']], [place.admin.email, 'ignored']);
  assert.deepEqual(sameRule, { open: '1', fixed: '0', ignored: '1', falsePositive: '0', q: 'rule:no-eval' });
  const reader = await world.member(place, 'ORG_ROLE_READONLY');
  assert.ok((await about(id, reader.jwt)).events.every(({ canUndo }) => !canUndo));
});

test('possible duplicates are suggested with a reason', async () => {
  const other = await ProjectScans.start(world, place);
  await other.scan([makeReportedFinding({ path: 'c.js', line: 4, code: 'const a = eval(one, two, three, four)' })]);
  await other.scan([makeReportedFinding({ path: 'c.js', line: 40, code: 'const b = eval(one, two, three, four)' })]);
  const [gone, fresh] = await other.findings();
  const { suggestions } = await about(fresh?.id ?? '');
  assert.deepEqual(
    suggestions.map(({ issueId }) => issueId),
    [gone?.id],
  );
  assert.match(suggestions[0]?.sentence ?? '', /% alike and came or went with it in c\.js/);
});

test('evidence of an invisible issue is not found (AZN-08)', async () => {
  const outsider = await world.memberWithoutTeam(place);
  const path404 = { ...path(), issueId: await idOf('a.js') };
  assert.equal((await world.as(evidence, outsider.jwt).getIssueEvidence({ path: path404 })).status, 404);
});
