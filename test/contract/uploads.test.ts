import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import * as people from '#domain/accounts/store.ts';
import { DEFAULT_BODY_TIMEOUTS } from '#kernel/http/edge/request-body.ts';
import { statusAndCode } from '#test/support/http/checked-call.ts';
import { sendRequest } from '#test/support/http/exchange.ts';
import { contract, MAX_UPLOAD_BYTES, workbenchRoom } from '#test/support/http/workbench.ts';
import { waitUntil } from '#test/support/wait.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';

/** Kernel features for scanners: large bodies as streams, and the deployment of the token. */

const SCANS = '/api/workbench/scans';

let world: World;
let place: TestDeployment;
let token: string;
const timeouts = { ...DEFAULT_BODY_TIMEOUTS };

before(async () => {
  world = await World.start({}, { rooms: [workbenchRoom], bodyTimeouts: timeouts });
  place = await world.deployment();
  token = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;
});
after(() => world.stop());

const client = () => world.as(contract, token);
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const lines = (count: number) => Buffer.from(`${'a line of a scan'.repeat(4)}\n`.repeat(count));

/** A request whose body the test writes itself. */
function open(headers: Record<string, string> = {}, target = SCANS) {
  const { hostname, port } = new URL(world.baseUrl);
  const sent = request({
    hostname,
    port,
    method: 'POST',
    path: target,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain', ...headers },
  });
  const message = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('error', reject).once('response', resolve);
  });
  const answered = message.then(answerOf);
  answered.catch(() => undefined);
  return { sent, answered };
}

async function answerOf(message: IncomingMessage) {
  let text = '';
  for await (const chunk of message) text += String(chunk);
  const code: string = JSON.parse(text).code ?? '';
  return { status: message.statusCode ?? 0, headers: message.headers, code };
}

const write = (sent: ClientRequest, bytes: Uint8Array) =>
  new Promise<void>((resolve) => void sent.write(bytes, () => resolve()));

const recordsOf = async (requestId: string) =>
  (await world.queryAsOwner('select from audit_record where request_id = $1', [requestId])).length;

describe('an upload', () => {
  test('reaches the handler as sent, at once or in chunks, and writes its audit record', async () => {
    const bytes = lines(20_000);
    async function* chunks() {
      for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000);
    }
    for (const upload of [bytes, chunks()]) {
      const requestId = uniqueName('upload-of-test-');
      const { status, body } = await client().receiveScan({ upload, headers: { 'x-request-id': requestId } });
      assert.deepEqual([status, body.bytes, body.lines], [200, bytes.length, 20_000]);
      assert.equal(body.digest, sha(bytes));
      assert.equal(await recordsOf(requestId), 1);
    }
  });

  test('may be compressed with gzip, which the handler decompresses, and with nothing else (UPL-02)', async () => {
    const bytes = lines(100);
    const upload = gzipSync(bytes);
    const { body } = await client().receiveScan({ upload, headers: { 'content-encoding': 'gzip' } });
    assert.deepEqual([body.coding, body.digest], ['gzip', sha(bytes)]);
    const bomb = { upload: gzipSync(Buffer.alloc(MAX_UPLOAD_BYTES * 4)), headers: { 'content-encoding': 'gzip' } };
    assert.equal((await client().receiveScan(bomb)).problem.code, 'BODY_TOO_LARGE');
    for (const coding of ['br', 'deflate', 'gzip, gzip', 'x'])
      assert.equal((await client().receiveScan({ upload, headers: { 'content-encoding': coding } })).status, 415);
  });

  test('has one of the declared types (HTP-03)', async () => {
    for (const type of ['application/octet-stream', 'Text/Plain; charset=utf-8']) {
      const { status, body } = await client().receiveScan({ upload: 'x', headers: { 'content-type': type } });
      assert.deepEqual([status, body.type], [200, type]);
    }
    for (const type of ['application/json', '', 'text', 'text/plainer']) {
      const refused = await client().receiveScan({ upload: 'x', headers: { 'content-type': type } });
      assert.equal(refused.problem.code, 'UNSUPPORTED_MEDIA_TYPE', type);
      assert.match(refused.problem.detail, /text\/plain or application\/octet-stream/);
    }
  });

  test('that declares too large a length is rejected before a byte is read (INP-02)', async () => {
    const { sent, answered } = open({ 'content-length': String(MAX_UPLOAD_BYTES + 1), expect: '100-continue' });
    sent.once('continue', () => assert.fail('the server sent 100 Continue'));
    sent.flushHeaders();
    assert.equal((await answered).code, 'BODY_TOO_LARGE');
    sent.destroy();
  });

  test('that turns out too large is rejected midway, and nothing of it remains (INP-02)', async () => {
    const requestId = uniqueName('upload-of-test-');
    const { sent, answered } = open({ 'x-request-id': requestId });
    let isAnswered = false;
    void answered.then(() => {
      isAnswered = true;
    });
    const chunk = randomBytes(256 * 1024);
    let written = 0;
    for (; !isAnswered && written < MAX_UPLOAD_BYTES * 16; written += chunk.length) {
      await write(sent, chunk);
      await sleep(1);
    }
    const { code, headers } = await answered;
    assert.deepEqual([code, headers.connection], ['BODY_TOO_LARGE', 'close']);
    assert.ok(written < MAX_UPLOAD_BYTES * 16, 'the whole body was read');
    assert.equal(await recordsOf(requestId), 0);
    sent.destroy();
  });

  test('that its sender aborts ends the work, and nothing of it remains', async () => {
    const requestId = uniqueName('upload-of-test-');
    const { sent, answered } = open({ 'x-request-id': requestId });
    void answered.then(
      ({ code }) => assert.fail(`The reply is ${code}.`),
      () => undefined,
    );
    await write(sent, lines(5000));
    const isAtWork = async () => {
      const rows = await world.queryAsOwner(
        `select from pg_stat_activity
         where datname = current_database() and query like 'copy stage_line%' and state = 'active'`,
      );
      return rows.length > 0;
    };
    await waitUntil(() => isAtWork());
    sent.destroy();
    await waitUntil(async () => !(await isAtWork()));
    assert.equal(await recordsOf(requestId), 0);
    assert.equal((await client().receiveScan({ upload: 'x' })).status, 200);
  });

  test('gets 100 Continue only after all checks have passed', async () => {
    for (const [authorization, isWanted] of [
      ['Bearer nobody', false],
      [`Bearer ${token}`, true],
    ] as const) {
      const { sent, answered } = open({ expect: '100-continue', authorization });
      let isAsked = false;
      sent.once('continue', () => {
        isAsked = true;
        sent.end('x');
      });
      sent.flushHeaders();
      assert.equal((await answered).status, isWanted ? 200 : 401);
      assert.equal(isAsked, isWanted);
      sent.destroy();
    }
  });

  test('that the handler does not read does not keep the client from the reply', async () => {
    const { sent, answered } = open({}, '/api/workbench/ignored-scans');
    await write(sent, lines(30_000));
    const { status, headers } = await answered;
    assert.deepEqual([status, headers.connection], [200, 'close']);
    sent.destroy();
  });
});

describe('time limits', () => {
  const withTimeouts = async (change: Partial<typeof DEFAULT_BODY_TIMEOUTS>, work: () => Promise<void>) => {
    Object.assign(timeouts, change);
    try {
      await work();
    } finally {
      Object.assign(timeouts, DEFAULT_BODY_TIMEOUTS);
    }
  };

  test('an upload has longer than other bodies, as long as bytes arrive', () =>
    withTimeouts({ bodyMs: 30 }, async () => {
      const { sent, answered } = open();
      for (let turn = 0; turn < 8; turn++) {
        await write(sent, lines(10));
        await sleep(20);
      }
      sent.end();
      assert.equal((await answered).status, 200);
    }));

  test('an upload with too low a rate is aborted', () =>
    withTimeouts({ uploadWindowMs: 100 }, async () => {
      const { sent, answered } = open();
      let isAnswered = false;
      void answered.then(() => {
        isAnswered = true;
      });
      // It never pauses, but its rate is below the minimum.
      for (let turn = 0; turn < 10_000 && !isAnswered; turn++) {
        await write(sent, lines(1));
        await sleep(10);
      }
      assert.equal((await answered).code, 'REQUEST_TIMEOUT');
      sent.destroy();
    }));

  test('a body that does not end is aborted', () =>
    withTimeouts({ bodyMs: 100 }, async () => {
      const { id } = await world.token(place);
      const headers = { 'content-type': 'application/json', 'content-length': '100' };
      const { sent, answered } = open(headers, `/api/workbench/tokens/${id}/notes`);
      sent.write('{');
      assert.deepEqual(await answered.then(({ status, code }) => [status, code]), [408, 'REQUEST_TIMEOUT']);
      sent.destroy();
    }));

  test('a connection whose body or upload was too slow is closed after the reply', () =>
    withTimeouts({ bodyMs: 50, uploadWindowMs: 50, lingerMs: 50 }, async () => {
      const { id } = await world.token(place);
      const typed = { 'content-type': 'application/json', 'content-length': '100' };
      for (const [target, headers] of [
        [`/api/workbench/tokens/${id}/notes`, typed],
        [SCANS, { 'content-length': '100' }],
      ] as const) {
        const { sent, answered } = open(headers, target);
        sent.write('{');
        // From now on only the linger time is short: waiting for the rest of the body would exceed the test.
        const reply = answered.then((answer) => Object.assign(timeouts, { bodyMs: 3_600_000 }) && answer);
        const closed = new Promise((resolve) => void sent.once('close', resolve));
        const { status, headers: received } = await reply;
        assert.deepEqual([status, received.connection], [408, 'close']);
        await closed;
        timeouts.bodyMs = 50;
      }
    }));

  test('a client that keeps its side open after a malformed request is disconnected', () =>
    withTimeouts({ lingerMs: 50 }, async () => {
      const { hostname, port } = new URL(world.baseUrl);
      for (const bytes of ['BAD\r\n\r\n', 'CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n']) {
        const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
        socket.on('error', () => undefined).resume();
        socket.write(bytes);
        await once(socket, 'end');
        // A closed connection, unlike one that is closed in one direction, fails the next writes.
        await waitUntil(() => {
          if (!socket.destroyed) socket.write('x');
          return socket.destroyed;
        });
      }
    }));

  test('a client that keeps sending after the reply is disconnected', () =>
    withTimeouts({ bodyMs: 50, lingerMs: 50 }, async () => {
      for (const length of ['100', '100000']) {
        const { sent, answered } = open({ authorization: 'Bearer nobody', 'content-length': length });
        sent.write('x');
        assert.equal((await answered).status, 401);
        const closed = new Promise((resolve) => void sent.socket?.once('close', resolve));
        await closed;
      }
    }));
});

describe('a JSON body', () => {
  test('may be as large as its operation allows, and no larger (INP-02)', async () => {
    const { id } = await world.token(place);
    const path = { tokenId: id };
    const notes = (count: number) => ({ notes: new Array<string>(count).fill('x'.repeat(400 * 1024)) });
    const large = await client().describeToken({ path, body: notes(5) });
    assert.equal(large.body.length, 5 * 400 * 1024);
    const larger = await client().describeToken({ path, body: notes(6) });
    assert.equal(larger.problem.code, 'BODY_TOO_LARGE');
  });
});

describe('the deployment of the credential', () => {
  const scanAs = async (credential: string) => {
    const { status, body, problem } = await world.as(contract, credential).receiveScan({ upload: 'x' });
    return status === 200 ? String(body.deployment) : problem.code;
  };

  test('is the deployment of the token', async () => {
    assert.equal(await scanAs(token), place.id);
    const other = await world.deployment();
    assert.equal(await scanAs((await world.token(other)).text), other.id);
  });

  test('is the one that a signed-in user joined first, so that joining another never makes calls ambiguous', async () => {
    const member = await world.member(place);
    assert.equal(await scanAs(member.jwt), place.id);
    const other = await world.deployment();
    const membership = { deployment: other.id, account: member.id, role: 'ORG_ROLE_MEMBER' };
    await world.inDeployment(other, (tx) => people.addMembership(tx, membership));
    assert.equal(await scanAs(member.jwt), place.id);
    for (const [deployment, next] of [
      [place, other.id],
      [other, 'NOT_FOUND'],
    ] as const) {
      await world.inDeployment(deployment, (tx) =>
        people.removeMembership(tx, { deployment: deployment.id, account: member.id }),
      );
      assert.equal(await scanAs(member.jwt), next);
    }
  });

  test('applies to row-level security, the objects of the path and the audit trail (TEN-01, TEN-02)', async () => {
    const [other, own] = [await world.deployment(), await world.token(place)];
    const describe = async (credential: string, id: string, requestId = uniqueName('note-of-test-')) => {
      const headers = { 'x-request-id': requestId };
      const call = { path: { tokenId: id }, body: { notes: ['x'] }, headers };
      const { status, body, problem } = await world.as(contract, credential).describeToken(call);
      const [record] = await world.queryAsOwner<{ deployment_id: string }>(
        'select deployment_id from audit_record where request_id = $1',
        [requestId],
      );
      return status === 200 ? [body.deployment, record?.deployment_id] : [problem.code];
    };
    assert.deepEqual(await describe(token, own.id), [place.id, place.id]);
    assert.deepEqual(await describe(other.admin.jwt, own.id), ['NOT_FOUND']);
    assert.deepEqual(await describe(token, (await world.token(other)).id), ['NOT_FOUND']);
  });
});

describe('tokens of scanners', () => {
  test('are accepted by scanner operations without Web API permission, and may only create scans (TOK-07)', async () => {
    assert.equal((await client().receiveScan({ upload: 'x' })).status, 200);
    const reader = (await world.token(place, { role: 'TOKEN_ROLE_READ_ONLY' })).text;
    assert.equal((await world.as(contract, reader).receiveScan({ upload: 'x' })).problem.code, 'PERMISSION_DENIED');
    const limited = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', scopes: ['project:read'] })).text;
    assert.equal((await world.as(contract, limited).receiveScan({ upload: 'x' })).problem.code, 'TOKEN_SCOPE_LIMITED');
  });

  test('are rejected on other routes, and with Web API permission have only the permissions of a scanner', async () => {
    const server = await World.start();
    try {
      const deployment = await server.deployment();
      const target = `/api/permissions/v2/deployments/${deployment.id}/teams/list`;
      for (const [hasWebApi, verdict] of [
        [false, '403 TOKEN_PERMISSION_MISSING'],
        [true, '403 PERMISSION_DENIED'],
      ] as const) {
        const { text } = await server.token(deployment, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi });
        const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/json' };
        assert.equal(
          statusAndCode(await sendRequest(server.baseUrl, { method: 'POST', target, headers, body: '{}' })),
          verdict,
        );
      }
    } finally {
      await server.stop();
    }
  });
});
