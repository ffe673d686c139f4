import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as imports from '#services/imports/contract.ts';
import * as inbox from '#services/inbox/contract.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const FILES = Array.from({ length: 40 }, (_, index) => `src/file${index}.js`);
const ALL = FILES.map((path) => makeReportedFinding({ path, line: 1, code: 'eval(a)' }));

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const api = (token = place.admin.jwt) => world.as(contract, token);
const pathOf = (scanId: string) => ({ path: { deploymentId: place.id, scanId } });

async function listed(project: string, token?: string) {
  const answer = await api(token).listHeldClosings({ path: { deploymentId: place.id, projectId: project } });
  return answer.status === 200 ? answer.body.scans : answer.status;
}

/** A project whose last scan reported nothing at all, so that its closings are held. */
async function holding(report: Parameters<ProjectScans['scan']> = [[]]) {
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan(ALL, { coverage: { pathsSearched: FILES } });
  assert.equal((await scanning.scan(...report)).held, 40 - report[0].length);
  const scans = await listed(scanning.project);
  assert.ok(Array.isArray(scans));
  return { scanning, scan: scans[0]?.scanId ?? '' };
}

const statesOf = async ({ scanning }: { scanning: ProjectScans }) => [
  ...new Set((await scanning.findings()).map(({ state }) => state)),
];

describe('closings that a scan held', () => {
  test('are listed for the project, with the scan and their number', async () => {
    const { scanning, scan } = await holding();
    const scans = await listed(scanning.project);
    assert.ok(Array.isArray(scans));
    assert.deepEqual(
      scans.map(({ scanId, ref, count }) => ({ scanId, ref, count })),
      [{ scanId: scan, ref: 'main', count: 40 }],
    );
    const outsider = await world.memberWithoutTeam(place);
    assert.equal(await listed(scanning.project, outsider.jwt), 404);
    assert.equal((await api(outsider.jwt).confirmHeldClosings(pathOf(scan))).status, 404);
    const reader = await world.member(place, 'ORG_ROLE_READONLY');
    assert.equal((await api(reader.jwt).confirmHeldClosings(pathOf(scan))).status, 403);
    assert.equal((await api(reader.jwt).rejectHeldClosings(pathOf(scan))).status, 403);
    assert.deepEqual(await statesOf({ scanning }), ['detected']);
  });

  test('close the findings when a person confirms them', async () => {
    const held = await holding();
    const answer = await api().confirmHeldClosings(pathOf(held.scan));
    assert.deepEqual([answer.status, answer.body.count], [200, 40]);
    assert.deepEqual(await statesOf(held), ['fixed']);
    assert.deepEqual(await listed(held.scanning.project), []);
    const { body } = await world.as(inbox, place.admin.jwt).getFailing({ path: { deployment: place.id } });
    assert.ok(!body.heldClosings.some(({ scanId }) => scanId === held.scan));
    const { body: diff } = await api().getScanDiff(pathOf(held.scan));
    assert.deepEqual([diff.counts.held, diff.counts.fixed], [0, 40]);
  });

  test('close findings in files that the scan did not search as removed', async () => {
    const held = await holding([ALL.slice(0, 5), { coverage: { pathsSearched: FILES.slice(0, 5) } }]);
    await api().confirmHeldClosings(pathOf(held.scan));
    assert.deepEqual((await statesOf(held)).toSorted(), ['detected', 'removed']);
  });

  test('stay open when a person rejects them, and the next such report is held again', async () => {
    const report: Parameters<ProjectScans['scan']> = [
      ALL.slice(0, 5),
      { coverage: { pathsSearched: FILES.slice(0, 5) } },
    ];
    const held = await holding(report);
    const answer = await api().rejectHeldClosings(pathOf(held.scan));
    assert.deepEqual([answer.status, answer.body.count], [200, 35]);
    assert.deepEqual(await statesOf(held), ['detected']);
    assert.deepEqual(await listed(held.scanning.project), []);
    assert.equal((await held.scanning.scan(...report)).held, 35);
    assert.equal((await held.scanning.scan(...report)).removed, 35);
  });

  test('are decided once, also by several people at once', async () => {
    const { scan } = await holding();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? api().confirmHeldClosings(pathOf(scan)) : api().rejectHeldClosings(pathOf(scan)),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(9).fill(409)]);
    assert.ok(answers.every(({ status, problem }) => status === 200 || problem?.code === 'NO_HELD_CLOSINGS'));
  });

  test('that were confirmed open again when the scan is undone', async () => {
    const held = await holding();
    await api().confirmHeldClosings(pathOf(held.scan));
    const undone = await world
      .as(imports, place.admin.jwt)
      .undoImport({ path: { deployment: place.id, scanId: held.scan } });
    assert.deepEqual([undone.status, undone.body.restored], [200, 40]);
    assert.deepEqual(await statesOf(held), ['detected']);
  });
});
