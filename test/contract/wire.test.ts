import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { errorBodyProblems, statusAndCode } from '#test/support/http/checked-call.ts';
import { sendRequest, type TestRequest, type TestResponse } from '#test/support/http/exchange.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';

/** The wire format byte by byte: spellings, numbers, texts, queries and errors. */

let world: World;
let place: TestDeployment;
let teams: string;
let authorization: string;

before(async () => {
  world = await World.start();
  place = await world.deployment('Wire Works');
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

/** Creates a team from JSON text, so that the test controls the spelling. */
const create = (text: string) => send('POST', teams, { body: `{"team":${text}}` });
const teamIn = ({ json }: TestResponse) => json['team'] as Record<string, string>;
const errorsIn = ({ json }: TestResponse) => json['errors'] as { pointer: string; code: string; detail: string }[];

describe('member names', () => {
  test('are accepted in camelCase and in snake_case, and returned in camelCase', async () => {
    const parent = await makeObject({ world, place }, 'Team');
    for (const spelling of ['parentTeamId', 'parent_team_id']) {
      const answer = await create(`{"name":"${uniqueName('Spelled ')}","${spelling}":"${parent}"}`);
      assert.equal(teamIn(answer)['parentTeamId'], parent, answer.text);
      assert.equal('parent_team_id' in teamIn(answer), false);
    }
  });

  test('in both spellings must have the same value (INP-03)', async () => {
    const [one, other] = [await makeObject({ world, place }, 'Team'), await makeObject({ world, place }, 'Team')];
    const same = await create(`{"name":"${uniqueName('Twice ')}","parentTeamId":"${one}","parent_team_id":"${one}"}`);
    assert.equal(teamIn(same)['parentTeamId'], one);
    const different = await create(
      `{"name":"${uniqueName('Twice ')}","parentTeamId":"${one}","parent_team_id":"${other}"}`,
    );
    assert.equal(statusAndCode(different), '400 VALIDATION_FAILED');
    assert.equal(errorsIn(different)[0]?.code, 'TWO_SPELLINGS');
    assert.equal(errorsIn(different)[0]?.pointer, '#/team/parentTeamId');
  });

  test('that the contract does not declare are ignored at any depth by a lenient operation (AZN-05)', async () => {
    const body = '{"limit":1,"isUserDefault":true,"filter":{"name":"nobody","nested":{"deep":[1,{}]}}}';
    const answer = await send('POST', `${teams}/list`, { body });
    assert.deepEqual([answer.status, answer.json['teams']], [200, []]);
  });

  test('twice in one object are rejected, even with equal values (INP-03)', async () => {
    assert.equal(statusAndCode(await create('{"name":"a","name":"a"}')), '400 INVALID_JSON');
    assert.equal(statusAndCode(await create(String.raw`{"name":"a","n\u0061me":"b"}`)), '400 INVALID_JSON');
  });

  test('of prototypes are rejected at every depth (INP-08)', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', String.raw`__pr\u006fto__`])
      for (const text of [`{"name":"a","${name}":{}}`, `{"name":"a","x":[{"y":{"${name}":{"polluted":1}}}]}`])
        assert.equal(statusAndCode(await create(text)), '400 INVALID_JSON', text);
    assert.equal('polluted' in {}, false);
  });
});

describe('64-bit integers', () => {
  const list = (limit: string) => send('POST', `${teams}/list`, { body: `{"limit":${limit}}` });

  /** The message repeats the id as the server parsed it. */
  const understood = async (text: string) => {
    const answer = await create(`{"name":"${uniqueName('Whole ')}","repositoryIds":[${text}]}`);
    return errorsIn(answer)[0]?.detail.match(/repository (-?\d+) is not known/)?.[1] ?? statusAndCode(answer);
  };

  test('are exact over the whole range, as string and as number (INP-05)', async () => {
    const exact = [
      '9007199254740991',
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
      '1152921504606846977',
    ];
    for (const digits of exact) {
      assert.equal(await understood(digits), digits);
      assert.equal(await understood(`"${digits}"`), digits);
    }
  });

  test('out of range or in any other spelling are rejected (INP-05)', async () => {
    const numbers = ['9223372036854775808', '-9223372036854775809', '18446744073709551616', '1.5', '1e30', '-0.5'];
    const texts = ['9223372036854775808', '1.0', '1e3', '+1', '01', '-0', '', ' 1', '1 ', '0x10', '１２', '1_0', 'one'];
    for (const text of [...numbers, ...texts.map((one) => JSON.stringify(one)), 'true', 'null', '[1]', '{}'])
      assert.equal(await understood(text), '400 VALIDATION_FAILED', text);
  });

  test('set the page size, as number and as string; more than the maximum is the maximum', async () => {
    for (const limit of ['1', '"1"', '1000', '"1000"', '1001', '9223372036854775807'])
      assert.equal((await list(limit)).status, 200, limit);
    for (const limit of ['0', '-1', '"0"', '1.5', '"one"', 'null', 'true'])
      assert.equal(statusAndCode(await list(limit)), '400 VALIDATION_FAILED', limit);
  });

  test('in a path have exactly one spelling (INP-05)', async () => {
    const team = await makeObject({ world, place }, 'Team');
    assert.equal((await send('GET', `${teams}/${team}`)).status, 200);
    for (const spelling of [
      `0${team}`,
      `+${team}`,
      `${team}.0`,
      `%20${team}`,
      `${team}%20`,
      '0x1',
      '1e3',
      '%EF%BC%91',
      'x',
    ])
      assert.equal(statusAndCode(await send('GET', `${teams}/${spelling}`)), '400 INVALID_PATH', spelling);
    assert.equal(statusAndCode(await send('GET', `${teams}/9223372036854775808`)), '400 INVALID_PATH');
    for (const absent of ['9223372036854775807', '-9223372036854775808', '0', '-1'])
      assert.equal(statusAndCode(await send('GET', `${teams}/${absent}`)), '404 NOT_FOUND', absent);
  });
});

describe('texts', () => {
  test('are returned byte for byte (INP-04)', async () => {
    const texts = [
      'Grüße',
      '日本語',
      '👩‍👩‍👧‍👦',
      'e\u0301',
      '\u202eabc',
      'a\u200bb',
      '𝕏',
      'O\'Hara \\ "quoted"',
      '%_%',
      '\ufffd',
    ];
    for (const text of texts) {
      const answer = await create(`{"name":${JSON.stringify(text)}}`);
      assert.equal(teamIn(answer)?.['name'], text, answer.text);
      const again = await send('GET', `${teams}/${teamIn(answer)['id']}`);
      assert.equal(teamIn(again)['name'], text);
    }
  });

  test('with NUL, a lone surrogate or a raw control character are rejected (INP-04)', async () => {
    const bad = [
      String.raw`\u0000`,
      String.raw`\ud800`,
      String.raw`\udfff`,
      String.raw`\udc00\ud800`,
      '\u0001',
      '\u001f',
      '\n',
    ];
    for (const text of bad) {
      assert.equal(statusAndCode(await create(`{"name":"a${text}b"}`)), '400 INVALID_JSON', JSON.stringify(text));
      assert.equal(statusAndCode(await create(`{"name":"a","x${text}":1}`)), '400 INVALID_JSON', JSON.stringify(text));
    }
    assert.equal(statusAndCode(await create(String.raw`{"name":"a\u0007b"}`)), '400 VALIDATION_FAILED');
  });

  test('that are not UTF-8 or begin with a byte order mark are rejected (INP-04)', async () => {
    const bytes = (...codes: number[]) =>
      Buffer.concat([Buffer.from('{"team":{"name":"a'), Buffer.from(codes), Buffer.from('"}}')]);
    for (const body of [
      bytes(0xff),
      bytes(0xc0, 0x80),
      bytes(0xed, 0xa0, 0x80),
      bytes(0xf5, 0x80, 0x80, 0x80),
      bytes(0xc3),
    ])
      assert.equal(statusAndCode(await send('POST', teams, { body })), '400 INVALID_JSON');
    assert.equal(statusAndCode(await send('POST', teams, { body: '\ufeff{"team":{"name":"a"}}' })), '400 INVALID_JSON');
  });

  test('of timestamps are RFC 3339 with a valid calendar date (INP-10)', async () => {
    const expiring = (at: string) =>
      send('POST', `/api/tokens/v1/deployments/${place.id}/tokens`, {
        body: JSON.stringify({ name: uniqueName('timed '), role: 'TOKEN_ROLE_READ_ONLY', webApi: true, expiresAt: at }),
      });
    const soon = new Date(Date.now() + 7 * 24 * 3600 * 1000);
    const exact = await expiring(soon.toISOString());
    assert.equal((exact.json['token'] as { expiresAt: string }).expiresAt, soon.toISOString());
    for (const at of [
      '2028-02-30T00:00:00Z',
      '2027-02-29T00:00:00Z',
      '2028-04-31T00:00:00Z',
      '2028-01-01T24:00:00Z',
      '2028-01-01',
    ])
      assert.equal(statusAndCode(await expiring(at)), '400 VALIDATION_FAILED', at);
  });
});

describe('enum names', () => {
  test('that end in UNSPECIFIED mean that no value was given', async () => {
    const user = await makeObject({ world, place }, 'User');
    const role = (text: string) => `{"name":"${uniqueName('Role ')}","users":[{"userId":"${user}","role":"${text}"}]}`;
    assert.equal((await create(role('TEAM_ROLE_UNSPECIFIED'))).status, 200);
    assert.equal(statusAndCode(await create(role('team_role_member'))), '400 VALIDATION_FAILED');
    const tokens = `/api/tokens/v1/deployments/${place.id}/tokens`;
    const query = 'purpose=TOKEN_PURPOSE_CLI&roleFilter=TOKEN_ROLE_UNSPECIFIED';
    assert.equal((await send('DELETE', `${tokens}?${query}`)).status, 200);
  });
});

describe('queries', () => {
  const tokens = () => `/api/tokens/v1/deployments/${place.id}/tokens`;

  test('accept parameter names in camelCase, in snake_case and with an empty index (HTP-07)', async () => {
    for (const spelling of ['roleFilter', 'role_filter', 'roleFilter[]', 'role_filter[0]', 'roleFilter%5B0%5D'])
      assert.equal(
        (await send('DELETE', `${tokens()}?purpose=TOKEN_PURPOSE_API&${spelling}=TOKEN_ROLE_AGENT_CLI`)).status,
        200,
      );
  });

  test('with one value given twice, in one spelling or in two, are rejected (HTP-07)', async () => {
    for (const query of ['limit=1&limit=1', 'limit=1&limit[]=1', 'limit[0]=1&limit[1]=2', 'cursor=&cursor='])
      assert.equal(statusAndCode(await send('GET', `${tokens()}?${query}`)), '400 VALIDATION_FAILED', query);
    const both = 'purpose=TOKEN_PURPOSE_API&roleFilter=TOKEN_ROLE_AGENT_CLI&role_filter=TOKEN_ROLE_AGENT_CLI';
    assert.equal(statusAndCode(await send('DELETE', `${tokens()}?${both}`)), '400 VALIDATION_FAILED');
  });

  test('that are not percent-encoded UTF-8 are rejected; undeclared names are ignored', async () => {
    for (const value of ['%', '%zz', '%00', '%ff', '%c3', '%ed%a0%80', 'a%'])
      assert.equal(statusAndCode(await send('GET', `${tokens()}?cursor=${value}`)), '400 VALIDATION_FAILED', value);
    assert.equal((await send('GET', `${tokens()}?unheard=of&x[]=1&limit=5`)).status, 200);
  });
});

describe('deployments in a path', () => {
  test('are named by id or by slug, and returned by id', async () => {
    for (const name of [place.id, place.slug]) {
      const { json } = await send('GET', `/api/permissions/v2/deployments/${name}/status`);
      assert.equal(json['deploymentId'], place.id);
    }
  });

  test('are found by no other spelling (AZN-07)', async () => {
    const others = [place.slug.toUpperCase(), `${place.slug}-`, `0${place.id}`, `${place.id}.0`, `%20${place.id}`, '-'];
    for (const name of others)
      assert.equal(
        statusAndCode(await send('GET', `/api/permissions/v2/deployments/${name}/status`)),
        '404 NOT_FOUND',
        name,
      );
  });
});

describe('errors (ERR-01)', () => {
  test('are RFC 9457 problems with the member error that existing clients read', async () => {
    const answer = await create('{"name":5}');
    assert.deepEqual(errorBodyProblems(answer), []);
    assert.deepEqual(Object.keys(answer.json), [
      ...['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors', 'hint', 'error'],
    ]);
    assert.equal(answer.json['error'], answer.json['detail']);
    assert.deepEqual(errorsIn(answer), [
      { pointer: '#/team/name', code: 'INVALID_TYPE', detail: 'expected string, received number' },
    ]);
  });

  test('name every invalid member by a JSON pointer, up to fifty', async () => {
    const users = Array.from({ length: 60 }, () => '{"userId":"x","role":"y"}').join(',');
    const answer = await create(`{"name":"","users":[${users}]}`);
    assert.equal(errorsIn(answer).length, 50);
    assert.ok(errorsIn(answer).some(({ pointer }) => pointer === '#/team/users/3/role'));
  });

  test('repeat at most 64 characters of the input, on one line', async () => {
    const long = 'Long\u2028name '.repeat(11);
    assert.equal((await create(JSON.stringify({ name: long }))).status, 200);
    const taken = await create(JSON.stringify({ name: long }));
    assert.equal(statusAndCode(taken), '409 TEAM_NAME_TAKEN');
    assert.equal(String(taken.json['detail']).includes(long.slice(0, 65)), false);
    const secret = 'canary'.repeat(30);
    const answers = [
      await create(`{"name":${secret}}`),
      await create(`{"${secret}":1,"${secret}":1}`),
      await send('GET', `${teams}/${secret}`),
      await send('GET', `/api/auth/users/current?userId=${secret}`),
      await send('GET', `/api/auth/users/current?user_id=1&${secret}=%ff`),
      await send(secret.slice(0, 20).toUpperCase(), '/api/agent/ping').catch(() => undefined),
    ];
    for (const answer of answers)
      assert.equal(answer?.text.includes(secret.slice(0, 65)) ?? false, false, answer?.text);
  });
});
