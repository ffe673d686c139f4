import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operationUrl } from '#kernel/contract/client.ts';
import type { Operation } from '#kernel/contract/operation.ts';
import { makeExampleCall, makeObject } from '#test/support/factories/example-objects.ts';
import { statusAndCode } from '#test/support/http/checked-call.ts';
import {
  HARDENING_HEADERS,
  hardeningProblems,
  sendRawBytes,
  sendRequest,
  type TestRequest,
  type TestResponse,
} from '#test/support/http/exchange.ts';
import { operations } from '#test/support/http/operations.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

/** How the HTTP edge handles requests to any operation: media types, methods, paths and headers. */

let world: World;
let place: TestDeployment;
let teams: string;
let authorization: string;

before(async () => {
  world = await World.start();
  place = await world.deployment('Edge Works');
  teams = `/api/permissions/v2/deployments/${place.id}/teams`;
  authorization = `Bearer ${place.admin.jwt}`;
});
after(() => world.stop());

const send = (method: string, target: string, more: Partial<TestRequest> = {}) =>
  sendRequest(world.baseUrl, {
    method,
    target,
    ...more,
    headers: {
      authorization,
      ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more.headers,
    },
  });

describe('media types (HTP-03)', () => {
  const body = '{"limit":1}';
  const typed = (headers: TestRequest['headers']) =>
    send('POST', `${teams}/list`, { body, ...(headers ? { headers } : {}) });

  test('are application/json, alone or with UTF-8', async () => {
    const good = [
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
    ];
    for (const type of good) assert.equal((await typed({ 'content-type': type })).status, 200, type);
  });

  test('in any other spelling are rejected, and the body is never read unchecked', async () => {
    const bad = [
      ...['', 'text/plain', 'application/json; charset=latin1', 'application/jsonp', 'application/json, text/plain'],
      ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/problem+json', '*/*'],
      ...[
        'application/json x',
        'application /json',
        'application/json; charset=utf-8; boundary=x',
        'json',
        'text/json',
      ],
    ];
    for (const type of bad)
      assert.equal(statusAndCode(await typed({ 'content-type': type })), '415 UNSUPPORTED_MEDIA_TYPE', type);
  });

  test('of compressed bodies are rejected (UPL-02)', async () => {
    for (const coding of ['gzip', 'br', 'identity'])
      assert.equal(statusAndCode(await typed({ 'content-encoding': coding })), '415 UNSUPPORTED_MEDIA_TYPE');
  });

  test('are ignored for a request without a body', async () => {
    const answer = await sendRequest(world.baseUrl, {
      method: 'POST',
      target: `${teams}/list`,
      headers: { authorization },
    });
    assert.equal(answer.status, 200);
  });

  test('a body larger than 1 MiB is rejected by its declared and by its actual length (INP-02)', async () => {
    const large = `{"x":"${'a'.repeat(1024 * 1024)}"}`;
    assert.equal(statusAndCode(await send('POST', `${teams}/list`, { body: large })), '413 BODY_TOO_LARGE');
  });
});

describe('methods (HTP-04)', () => {
  const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];

  const formOf = (template: string) => template.replace(/\{\w+\.\.\.\}/g, '.+').replace(/\{\w+\}/g, '[^/]+');

  /** Every method that some route accepts at this path: `/teams/list` also matches `/teams/{teamId}`. */
  const methodsAt = (target: string): string[] => {
    const allowed = operations
      .map(({ bound }) => bound.operation)
      .filter(({ template }) => new RegExp(`^${formOf(template)}$`).test(target))
      .map(({ method }) => method);
    return [...new Set<string>([...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])])].sort();
  };

  test('that a path does not support get 405 with the supported ones, on every route', async () => {
    const targets = operations.map(({ bound }) => bound.operation.template.replace(/\{\w+(\.\.\.)?\}/g, '1'));
    for (const target of new Set(targets)) {
      const allowed = methodsAt(target);
      for (const method of ALL.filter((name) => !allowed.includes(name))) {
        const answer = await send(method, target);
        assert.equal(statusAndCode(answer), '405 METHOD_NOT_ALLOWED', `${method} ${target}`);
        assert.equal(answer.headers['allow'], allowed.join(', '));
      }
    }
  });

  test('cannot be overridden by a header or a parameter', async () => {
    const target = `${teams}/${await makeObject({ world, place }, 'Team')}`;
    const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' };
    for (let turn = 0; turn < 2; turn++)
      assert.equal((await send('GET', `${target}?_method=DELETE`, { headers })).status, 200);
  });

  test('HEAD replies like GET without the body, on every GET route', async () => {
    for (const listed of operations.filter(({ bound }) => bound.operation.method === 'GET')) {
      const example = await makeExampleCall({ world, place }, listed);
      const target = operationUrl(listed.bound.operation, example.path ?? {}, example.query);
      const rawTypes = listed.bound.operation.raw?.types ?? [];
      const [full, bare] = [await send('GET', target, { rawTypes }), await send('HEAD', target, { rawTypes })];
      assert.deepEqual([bare.status, bare.text], [full.status, '']);
      assert.equal(bare.headers['content-length'], full.headers['content-length']);
      assert.equal(bare.headers['etag'], full.headers['etag']);
    }
  });
});

describe('paths (HTP-05)', () => {
  /** Whether the last segment is a text of the caller's, in which a suffix is no other spelling. */
  const endsInFreeText = ({ template, path }: Operation): boolean => {
    const last = /\{(\w+)(\.\.\.)?\}$/.exec(template)?.[1];
    return last !== undefined && (path.shape[last]?.safeParse('1.json').success ?? false);
  };

  test('spelled differently from the route are not found, on every route', async () => {
    for (const { bound } of operations) {
      const { method, template } = bound.operation;
      const target = template.replace(/\{\w+(\.\.\.)?\}/g, '1');
      const spellings = [
        ...[
          `${target}/`,
          `/${target}`,
          `${target}//`,
          `${target};a=b`,
          `${target}%2F`,
          `${target}%00`,
          `/x/..${target}`,
        ],
        ...[
          `/.${target}`,
          target.replace('/api/', '/api//'),
          target.replace('/api/', '/API/'),
          target.replace('/api/', '/api/./'),
        ],
        ...[target.replace('/api/', '/api%2f'), target.replace('/api/', '/api\\'), `${target}%`],
        ...(endsInFreeText(bound.operation) ? [] : [`${target}.json`]),
      ];
      for (const spelling of spellings.filter((one) => one !== target)) {
        const answer = await send(method, spelling);
        const isUnknown = /^404 (ROUTE_NOT_FOUND|NOT_FOUND)$|^400 INVALID_PATH$|^405 METHOD_NOT_ALLOWED$/.test(
          statusAndCode(answer),
        );
        assert.ok(isUnknown, `${method} ${spelling} gives ${statusAndCode(answer)}`);
      }
    }
  });

  test('with a trailing slash are not found', async () => {
    assert.equal(statusAndCode(await send('GET', '/api/agent/ping/')), '404 ROUTE_NOT_FOUND');
    assert.equal((await send('GET', '/api/agent/ping')).status, 200);
    assert.equal((await send('GET', '/api/agent/pin%67')).status, 200);
  });
});

describe('responses', () => {
  test('of every kind have the security and cache headers (HTP-08)', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    const kinds: [expected: string, answer: Promise<TestResponse>][] = [
      ['200', send('GET', '/api/agent/ping')],
      ['400 VALIDATION_FAILED', send('POST', teams, { body: '{}' })],
      ['401 NO_CREDENTIALS', sendRequest(world.baseUrl, { method: 'GET', target: teams + '/1' })],
      ['404 ROUTE_NOT_FOUND', send('GET', '/nowhere')],
      ['405 METHOD_NOT_ALLOWED', send('PUT', '/api/agent/ping')],
      ['413 BODY_TOO_LARGE', send('POST', teams, { body: big })],
      ['415 UNSUPPORTED_MEDIA_TYPE', send('POST', teams, { body: '{}', headers: { 'content-type': 'text/plain' } })],
      ['431 HEADER_TOO_LARGE', send('GET', `${teams}/1`, { headers: { authorization: `Bearer ${'x'.repeat(9000)}` } })],
    ];
    for (const [expected, answer] of kinds) {
      assert.equal(statusAndCode(await answer), expected);
      assert.deepEqual(hardeningProblems(await answer), []);
    }
  });

  /** Requests that Node rejects in its own parser, before the program sees them. */
  const UNREADABLE: [what: string, bytes: string, status: number][] = [
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no host', 'GET /api/agent/ping HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['more than 100 headers', `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${'x: 1\r\n'.repeat(99)}\r\n`, 431],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nexpect: tea\r\n\r\n', 417],
  ];
  for (const [what, bytes, status] of UNREADABLE)
    test(`to malformed requests have them too: ${what} (HTP-08, ERR-01)`, async () => {
      const received = await sendRawBytes(world.baseUrl, bytes);
      assert.match(received, new RegExp(`^HTTP/1.1 ${status} `));
      for (const [name, value] of Object.entries(HARDENING_HEADERS))
        assert.ok(received.toLowerCase().includes(`\r\n${name}: ${value.toLowerCase()}\r\n`), `${name} is missing`);
      assert.match(received, /\r\ncontent-type: application\/problem\+json; charset=utf-8\r\n/i);
    });

  test('to a repeated header that may be sent once have status 400', async () => {
    const repeated = [
      ...['host: a\r\nhost: b', 'host: a\r\nHost: a'],
      ...['content-type: text/plain\r\ncontent-type: application/json', 'origin: http://a\r\norigin: http://b'],
      ...['content-encoding: gzip\r\ncontent-encoding: identity', 'idempotency-key: a\r\nidempotency-key: b'],
      'content-length: 0\r\ncontent-length: 0',
    ];
    for (const target of ['/api/agent/ping', '/login'])
      for (const lines of repeated) {
        const host = lines.startsWith('host') ? '' : 'host: a\r\n';
        const received = await sendRawBytes(
          world.baseUrl,
          `GET ${target} HTTP/1.1\r\n${host}${lines}\r\nconnection: close\r\n\r\n`,
        );
        assert.match(received, /^HTTP\/1.1 400 /, lines);
        assert.match(received, /"code":"MALFORMED_REQUEST"/, lines);
      }
  });

  test('to CONNECT have status 405 (HTP-04)', async () => {
    assert.match(await sendRawBytes(world.baseUrl, 'CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n'), /^HTTP\/1.1 405 /);
  });

  test('to a target that is not a path have status 400', async () => {
    for (const target of ['http://evil.example/api/agent/ping', '*', 'api/agent/ping']) {
      const received = await sendRawBytes(
        world.baseUrl,
        `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      );
      assert.match(received, /^HTTP\/1.1 400 /, target);
    }
  });

  test('have the id of the request: the one sent if it is well formed, else a new one', async () => {
    const kept = await send('GET', '/api/agent/ping', { headers: { 'x-request-id': 'my-request-0001' } });
    assert.equal(kept.headers['x-request-id'], 'my-request-0001');
    for (const bad of ['short', 'with space inside', 'x'.repeat(65), '../../../etc/passwd'])
      assert.notEqual(
        (await send('GET', '/api/agent/ping', { headers: { 'x-request-id': bad } })).headers['x-request-id'],
        bad,
      );
  });

  test('ignore forwarded headers of untrusted clients (HTP-06)', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' };
    assert.equal((await send('GET', '/api/agent/ip', { headers })).json['ip'], '127.0.0.1');
    const { json } = await send('GET', '/api/agent/tenant', {
      headers: { 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    });
    assert.equal(json['tenant'], '127.0.0.1');
  });
});

test('the version and the exact duration are told only to signed-in callers', async () => {
  const told = async (headers: Record<string, string>, target: string) => {
    const answer = await sendRequest(world.baseUrl, { method: 'GET', target, headers });
    return ['parapet-version', 'server-timing'].filter((name) => answer.headers[name] !== undefined);
  };
  const identity = '/api/agent/identity';
  assert.deepEqual(await told({ authorization }, identity), ['parapet-version', 'server-timing']);
  for (const target of [identity, '/api/agent/ping', '/api/no-such-route', '/'])
    assert.deepEqual(await told({}, target), [], target);
  assert.deepEqual(await told({ authorization: 'Bearer wrong' }, identity), []);
});
