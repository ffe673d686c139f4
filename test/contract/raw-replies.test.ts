import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_BODY_TIMEOUTS } from '#kernel/http/edge/request-body.ts';
import { sendRequest } from '#test/support/http/exchange.ts';
import { contract, downloads, PIECE, workbenchRoom } from '#test/support/http/workbench.ts';
import { waitUntil } from '#test/support/wait.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

/** Replies that are not JSON: text and downloads. */

const DOWNLOAD = '/api/workbench/download';

let world: World;
let place: TestDeployment;
const timeouts = { ...DEFAULT_BODY_TIMEOUTS };

before(async () => {
  world = await World.start({}, { rooms: [workbenchRoom], bodyTimeouts: timeouts });
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

describe('a reply that is not JSON', () => {
  test('is sent as the handler made it, with the headers of every response (HTP-08)', async () => {
    const yaml = await rulesAs('yaml');
    assert.deepEqual([yaml.status, yaml.text], [200, 'rules: []\n']);
    assert.equal(yaml.headers['content-type'], 'text/yaml; charset=utf-8');
    assert.equal(yaml.headers['content-length'], '10');
    assert.deepEqual((await rulesAs('json')).json, { rules: [] });
  });

  test('with an undeclared type or an invalid header is an internal error (ERR-01)', async () => {
    for (const form of ['undeclared', 'smuggled'] as const) {
      const { status, json } = await rulesAs(form);
      assert.deepEqual([status, json['code']], [500, 'INTERNAL']);
    }
  });

  test('reaches a typed client as text, and an error as a problem', async () => {
    const { text } = await world.as(contract, place.admin.jwt).readRules({ query: {} });
    assert.equal(text, 'rules: []\n');
    assert.equal((await world.as(contract).readRules({})).problem.code, 'NO_CREDENTIALS');
  });
});

describe('a download', () => {
  test('arrives complete', async () => {
    const message = await open('pieces=20');
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    assert.ok(Buffer.concat(chunks).equals(Buffer.concat(new Array<Buffer>(20).fill(PIECE))));
    assert.equal(message.headers['content-type'], 'application/octet-stream');
  });

  test('is produced only as fast as it is read, and ends when the client disconnects', async () => {
    Object.assign(downloads, { pieces: 0, ended: 0 });
    const message = await open('pieces=100000');
    message.pause();
    let before = -1;
    for (; before !== downloads.pieces; await sleep(200)) before = downloads.pieces;
    assert.ok(before > 0 && before < 2000, `${before} chunks were produced without a reader`);
    message.destroy();
    await waitUntil(() => downloads.ended === 1);
    assert.ok(downloads.pieces < 2000);
  });

  test('that its client does not read is ended by the server', async () => {
    Object.assign(downloads, { ended: 0 });
    timeouts.responseMs = 100;
    const message = await open('pieces=100000');
    message.once('error', () => undefined).pause();
    await waitUntil(() => downloads.ended === 1);
    timeouts.responseMs = DEFAULT_BODY_TIMEOUTS.responseMs;
    message.destroy();
  });

  test('that fails is aborted, so that no client takes a part for the whole', async () => {
    const message = await open('pieces=5&breaksAt=3');
    await assert.rejects(async () => {
      for await (const _ of message);
    }, /aborted/);
    assert.equal(message.complete, false);
  });

  test('is not produced for HEAD', async () => {
    Object.assign(downloads, { pieces: 0 });
    const headers = { authorization: `Bearer ${place.admin.jwt}` };
    const rawTypes = contract.download.raw?.types;
    const target = `${DOWNLOAD}?pieces=5`;
    const { status, text } = await sendRequest(world.baseUrl, { method: 'HEAD', target, headers, rawTypes });
    assert.deepEqual([status, text, downloads.pieces], [200, '', 0]);
  });
});
