import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
  await mkdir(world.assembly.services.formatsDir, { recursive: true });
});
after(() => world.stop());

const write = (name: string, text: string) => writeFile(join(world.assembly.services.formatsDir, name), text);
const client = () => world.as(contract, place.admin.jwt);
const send = (upload: string, mapping: string, more: object = {}) =>
  client().importReport({
    path: { deployment: place.id },
    query: { project: 'acme/mapped', mapping, commit: 'abcdef12', ...more },
    upload,
  });

const REPORT = JSON.stringify({
  hits: [
    { id: 'R1', file: 'a.py', at: 3 },
    { id: 'R2', file: 'b.py', at: 5 },
  ],
});
const MAPPING = 'tool: Acme\nformat: json\nresults: hits[]\nkind: code\nfields: { rule: id, file: file, line: at }\n';

test('a report is imported by a mapping of the operator, read anew when the mapping changes, and replayed', async () => {
  await write('acme.yaml', MAPPING);
  const first = await send(REPORT, 'acme');
  assert.equal(first.status, 200, JSON.stringify(first.problem));
  assert.deepEqual([first.body.format, first.body.opened], ['mapped', 2]);
  const again = await send(REPORT, 'acme');
  assert.deepEqual([again.body.opened, again.body.fixed, again.body.unchanged], [0, 0, 2]);
  await write('acme.yaml', `${MAPPING}only: { id: [R1] }\n`);
  const narrowed = await send(REPORT, 'acme');
  assert.deepEqual([narrowed.body.opened, narrowed.body.fixed], [0, 1]);
  const path = { deployment: place.id, scanId: narrowed.body.scanId };
  const replay = await client().replayImport({ path });
  assert.equal(replay.status, 200, JSON.stringify(replay.problem));
  assert.deepEqual([replay.body.format, replay.body.opened, replay.body.fixed], ['mapped', 0, 0]);
});

test('a mapping that does not exist or has a mistake is refused, and names no file', async () => {
  const missing = await send(REPORT, 'nowhere');
  assert.deepEqual([missing.status, missing.problem?.code], [400, 'MAPPING_UNUSABLE']);
  assert.match(missing.problem?.detail ?? '', /The mapping nowhere cannot be used: there are only acme/);
  await write('wrong.yaml', 'tool: Acme\nformat: json\n');
  const wrong = await send(REPORT, 'wrong');
  assert.equal(wrong.problem?.code, 'MAPPING_UNUSABLE');
  for (const name of ['../acme', 'a/b', '.hidden', 'A']) assert.equal((await send(REPORT, name)).status, 400, name);
});

test('a stored report is replayed in the format that was named', async () => {
  const nuclei = JSON.stringify({ 'template-id': 't', info: { severity: 'low' }, host: 'https://a.test' });
  const { body } = await client().importReport({
    path: { deployment: place.id },
    query: { project: 'acme/named', format: 'nuclei' },
    upload: nuclei,
  });
  const replay = await client().replayImport({ path: { deployment: place.id, scanId: body.scanId } });
  assert.deepEqual([replay.status, replay.body.format, replay.body.opened], [200, 'nuclei', 0]);
});
