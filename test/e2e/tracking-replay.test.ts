import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as contract from '#services/imports/contract.ts';
import { commitsOf } from '#test/bench/tracking/git-history.ts';
import { positionOf, type ReplayTarget, readSnapshots, replay } from '#test/bench/tracking/replay.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

/** Snapshots far apart, so that files were renamed and lines edited in between. */
const SNAPSHOTS = 3;
const commits = commitsOf(SNAPSHOTS);
const skip = commits.length < SNAPSHOTS && 'the checkout has no history: clone it with its commits';

describe('a replay of the history of this repository', { skip }, () => {
  let world: World;
  let deployment: TestDeployment;
  before(async () => {
    world = await World.start();
    deployment = await world.deployment();
  });
  after(() => world?.stop());

  const target: ReplayTarget = {
    send: async (report, query) => {
      const upload = Buffer.concat([...report]);
      const path = { deployment: deployment.id };
      const { status, body } = await world.as(contract, deployment.admin.jwt).importReport({ path, query, upload });
      assert.equal(status, 200);
      return body;
    },
    openFindings: async (project) => {
      const rows = await world.queryAsOwner<{ rule: string; path: string; line: number; id: string }>(
        `select finding.rule, detection.path, detection.line, finding.id from detection
         join finding on finding.deployment_id = detection.deployment_id and finding.id = detection.finding_id
         join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
         where project.name = $1 and detection.state = 'detected' and not detection.is_held`,
        [project],
      );
      return new Map(rows.map(({ id, ...position }) => [positionOf(position), id]));
    },
  };

  test('loses few findings, recognizes edited lines and renamed files, and does not depend on the order', async () => {
    const snapshots = readSnapshots(commits);
    const counts = await replay(target, snapshots, { variant: 'no context' });
    const { survived, lost, edited, editedKept, renamed, renamedKept, gone, falselyContinued } = counts;
    assert.ok(survived > 100, 'the snapshots share too little');
    assert.ok(lost <= survived * 0.01, `${lost} of ${survived} lost`);
    assert.ok(editedKept >= edited * 0.6, `${editedKept} of ${edited} edited ones recognized`);
    assert.ok(renamedKept >= renamed * 0.9, `${renamedKept} of ${renamed} recognized in renamed files`);
    assert.ok(falselyContinued <= gone * 0.05, `${falselyContinued} of ${gone} falsely continued`);
    const shuffled = await replay(target, snapshots, { variant: 'no context', isShuffled: true });
    assert.deepEqual({ ...shuffled, last: shuffled.last.size }, { ...counts, last: counts.last.size });
  });
});
