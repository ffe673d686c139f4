import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FakeS3 } from '#test/support/chat/fake-s3.ts';
import { automationOf, condition, considerAll, deliveriesOf, drain } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { makeStorageCredential } from '#test/support/factories/storage.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { objectUrl } from './s3-adapter.ts';

let world: World;
let place: TestDeployment;
let storage: FakeS3;

before(async () => {
  storage = await FakeS3.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${storage.port}` });
});
after(async () => {
  await world.stop();
  await storage.stop();
});
beforeEach(async () => {
  place = await world.deployment();
  storage.objects.clear();
  storage.requests = 0;
});

const scene = () => ({ world, place });
const START = Date.parse('2026-11-16T12:00:00Z');

/** One new finding for an automation that writes to a bucket. */
async function write(config: Record<string, string>): Promise<string> {
  await automationOf(scene(), {
    conditions: [condition('SEVERITY', 'high')],
    actions: [{ type: 'ACTION_TYPE_S3', config: { bucket: 'findings', credential_slug: 'archive', ...config } }],
  });
  const scans = await ProjectScans.start(world, place);
  await scans.scan([makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)' })]);
  await considerAll(scene(), new Date(START));
  const [row] = await world.queryAsOwner<{ id: string }>(
    `select id from destination where deployment_id = $1 and kind = 's3'`,
    [place.id],
  );
  return row?.id ?? '0';
}
const connect = (secret?: string) =>
  makeStorageCredential(scene(), {
    ...{ name: 'Archive', endpoint: storage.endpoint },
    ...(secret !== undefined && { secret }),
  });
const states = async () => (await deliveriesOf(scene())).map(({ state, reason }) => [state, reason]);

test('findings become an object with a signature that the storage accepts', async () => {
  await connect();
  const bucket = await write({ prefix: 'parapet/new findings' });
  await drain(scene(), bucket, new Date(START));
  assert.deepEqual(await states(), [['sent', null]]);
  const [[path, body]] = [...storage.objects] as [[string, string]];
  assert.match(path, /^\/findings\/parapet\/new%20findings\/msg_\d+_\d+_0\.json$/);
  assert.equal((JSON.parse(body) as { semgrep_finding: { path: string } }[])[0]?.semgrep_finding.path, 'a.js');
});

test('a lost answer is repeated, and replaces the same object', async () => {
  await connect();
  const bucket = await write({});
  storage.fail({ status: 503, body: 'SlowDown', isAfter: true }, { status: 500, body: 'garbage' });
  for (const minutes of [0, 1, 10]) await drain(scene(), bucket, new Date(START + minutes * 60_000));
  assert.deepEqual([await states(), storage.requests, storage.objects.size], [[['sent', null]], 3, 1]);
});

test('a wrong key disables the bucket, and what waits is kept', async () => {
  await connect('another-secret');
  const bucket = await write({});
  await drain(scene(), bucket, new Date(START));
  assert.deepEqual(await states(), [['waiting', 'The storage answered 403 SignatureDoesNotMatch.']]);
  await drain(scene(), bucket, new Date(START + 60_000));
  assert.equal(storage.requests, 1);
});

test('an unknown credential and a name that is no bucket are skipped with the reason', async () => {
  await write({ credential_slug: 'nothing' });
  await connect();
  await write({ bucket: '../other' });
  const reasons = (await states()).map(([, reason]) => reason);
  assert.ok(reasons.includes('The storage credential does not exist any more.'));
  assert.ok(reasons.includes('"../other" is not the name of a bucket.'));
});

test('no prefix leaves the bucket', () => {
  const at = { bucket: 'findings', prefix: '/../../other/./a?b#c/' };
  assert.equal(
    objectUrl('https://s3.example', at, 'x.json').href,
    'https://s3.example/findings/other/a%3Fb%23c/x.json',
  );
});
