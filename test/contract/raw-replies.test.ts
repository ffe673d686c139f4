import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest } from '#test/support/http/exchange.ts';
import { contract, downloads, PIECE, workbenchRoom } from '#test/support/http/workbench.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

/** Answers that are not JSON: texts and downloads. */

const DOWNLOAD = '/api/workbench/download';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start({}, { rooms: [workbenchRoom] });
  place = await world.deployment();
});
after(() => world.stop());

const rulesAs = (form: 'yaml' | 'json' | 'undeclared' | 'smuggled') =>
  sendRequest(world.baseUrl, {
    method: 'GET',
    target: `/api/workbench/rules?form=${form}`,
    headers: { authorization: `Bearer ${place.admin.jwt}` },
    rawTypes: contract.readRules.raw?.types,
  });

function open(query: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${place.admin.jwt}` };
  return new Promise((resolve, reject) => {
    get(`${world.baseUrl}${DOWNLOAD}?${query}`, { headers }, resolve).once('error', reject);
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !isTrue(); turn++) await sleep(5);
  assert.ok(isTrue());
}

describe('an answer that is not JSON', () => {
  test('is sent as the handler made it, with the headers that every response has (HTP-08)', async () => {
    const yaml = await rulesAs('yaml');
    assert.deepEqual([yaml.status, yaml.text], [200, 'rules: []\n']);
    assert.equal(yaml.headers['content-type'], 'text/yaml; charset=utf-8');
    assert.equal(yaml.headers['content-length'], '10');
    assert.deepEqual((await rulesAs('json')).json, { rules: [] });
  });

  test('of a type that is not declared, or with a header that is none, is a defect of ours (ERR-01)', async () => {
    for (const form of ['undeclared', 'smuggled'] as const) {
      const { status, json } = await rulesAs(form);
      assert.deepEqual([status, json['code']], [500, 'INTERNAL']);
    }
  });

  test('comes to a typed client as text, and a refusal as a problem', async () => {
    const { text } = await world.as(contract, place.admin.jwt).readRules({ query: {} });
    assert.equal(text, 'rules: []\n');
    assert.equal((await world.as(contract).readRules({})).problem.code, 'NO_CREDENTIALS');
  });
});

describe('a download', () => {
  test('arrives whole', async () => {
    const message = await open('pieces=20');
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    assert.ok(Buffer.concat(chunks).equals(Buffer.concat(new Array<Buffer>(20).fill(PIECE))));
    assert.equal(message.headers['content-type'], 'application/octet-stream');
  });

  test('is made only as fast as it is read, and ends when its reader goes away', async () => {
    Object.assign(downloads, { pieces: 0, ended: 0 });
    const message = await open('pieces=100000');
    message.pause();
    let before = -1;
    for (; before !== downloads.pieces; await sleep(200)) before = downloads.pieces;
    assert.ok(before > 0 && before < 2000, `${before} pieces were made for nobody`);
    message.destroy();
    await until(() => downloads.ended === 1);
    assert.ok(downloads.pieces < 2000);
  });

  test('that breaks is cut off, so that nobody takes a part of it for the whole', async () => {
    const message = await open('pieces=5&breaksAt=3');
    await assert.rejects(async () => {
      for await (const _ of message);
    }, /aborted/);
    assert.equal(message.complete, false);
  });

  test('is not made for HEAD', async () => {
    Object.assign(downloads, { pieces: 0 });
    const headers = { authorization: `Bearer ${place.admin.jwt}` };
    const rawTypes = contract.download.raw?.types;
    const target = `${DOWNLOAD}?pieces=5`;
    const { status, text } = await sendRequest(world.baseUrl, { method: 'HEAD', target, headers, rawTypes });
    assert.deepEqual([status, text, downloads.pieces], [200, '', 0]);
  });
});
