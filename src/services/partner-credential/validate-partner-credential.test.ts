import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Secret } from '#kernel/crypto/secret.ts';
import { FakeVendor } from '#test/support/world/fake-vendor.ts';
import { capturingLog, dumpTables, encodingsOf } from '#test/support/world/leaks.ts';
import { OauthServer } from '#test/support/world/oauth-server.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import { checkAtVendor } from './vendor-check.ts';

/** Operation 4.6 of the seed, against a real OAuth 2.0 server on loopback. */

const CANARY = 'canary-Zq8!secret+/=&of the vendor';

const SHORT_CANARY = 'canary-Wv3-of-the-header';
const kept = capturingLog();
const replies: string[] = [];

let oauth: OauthServer;
let vendor: FakeVendor;
let world: World;
let place: TestDeployment;
let stored: string;

before(async () => {
  oauth = await OauthServer.start([
    { id: 'parapet', secret: CANARY, way: 'client_secret_post' },
    { id: 'in the header:', secret: SHORT_CANARY, way: 'client_secret_basic' },
  ]);
  vendor = await FakeVendor.startBefore(oauth);
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${vendor.port},127.0.0.1:1` }, { log: kept.log });
  place = await world.deployment();
  stored = await store(place);
});
after(async () => {
  await world.stop();
  await vendor.stop();
  await oauth.stop();
});
beforeEach(() => {
  vendor.arrivals.length = 0;
});

const recipient = () => ({ clientId: 'parapet', tokenUrl: vendor.urlOf('/token'), apiUrl: vendor.urlOf('/api') });
const given = (changed: object = {}) => ({ ...recipient(), clientSecret: CANARY, ...changed });

async function store(where: TestDeployment, changed: object = {}): Promise<string> {
  const { body, problem } = await world
    .as(contract, where.admin.jwt)
    .createPartnerCredential({ path: { deploymentId: where.id }, body: given(changed) });
  assert.equal(problem?.code, undefined);
  return body.partnerCredential.id;
}

async function validate(body: object, where = place) {
  const client = world.as(contract, where.admin.jwt);
  const answer = await client.validatePartnerCredential({ path: { deploymentId: where.id }, body });
  replies.push(JSON.stringify(answer));
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body;
}

const VALID = { valid: true, error: '' };
const failed = (error: string) => ({ valid: false, error });

describe('validate partner credential (seed 4.6)', () => {
  test('checks that the credential can authenticate against the vendor: a token, then a call of the API', async () => {
    assert.deepEqual(await validate(given()), VALID);
    assert.deepEqual(
      vendor.arrivals.map(({ method, path }) => `${method} ${path}`),
      ['POST /token', 'GET /api'],
    );
  });

  test('with id and no clientSecret the stored secret of that credential is validated', async () => {
    assert.deepEqual(await validate({ id: stored }), VALID);
    assert.deepEqual(await validate({ id: stored, clientSecret: '', ...recipient() }), VALID);
    assert.equal(new URLSearchParams(vendor.arrivals[0]?.body).get('client_secret'), CANARY);
  });

  test('with clientSecret that secret is validated instead, also when an id is given', async () => {
    assert.deepEqual(await validate({ id: stored, clientSecret: 'another' }), failed('invalid_client'));
    assert.ok(vendor.arrivals.length > 0);
    for (const { body, authorization } of vendor.arrivals)
      assert.ok(!body.includes('canary') && !Buffer.from(authorization, 'base64').includes('canary'));
  });

  test('authenticates in the header if the vendor does not accept the secret in the body', async () => {
    const header = { clientId: 'in the header:', clientSecret: SHORT_CANARY };
    const id = await store(place, header);
    assert.deepEqual(await validate({ id }), VALID);
    assert.deepEqual(await validate(given({ ...header, clientSecret: 'wrong' })), failed('invalid_client'));
  });

  test('a token that the API refuses does not make a credential valid', async () => {
    vendor.on('/closed', (_, response) => response.writeHead(403).end());
    assert.deepEqual(await validate(given({ apiUrl: vendor.urlOf('/closed') })), failed('invalid_client'));
    assert.deepEqual(await validate(given({ apiUrl: vendor.urlOf('/absent') })), failed('bad_response'));
  });

  test('names the missing members of an unsaved credential', async () => {
    const { apiUrl: _, ...body } = given();
    const client = world.as(contract, place.admin.jwt);
    const answer = await client.validatePartnerCredential({ path: { deploymentId: place.id }, body });
    assert.equal(answer.problem.code, 'PARTNER_CREDENTIAL_INCOMPLETE');
  });
});

describe('a stored secret', () => {
  test('is not sent if a URL or the client differs in any character (SRF-01)', async () => {
    const { tokenUrl, apiUrl, clientId } = recipient();
    const spellings = (url: string) => [
      ...[`${url}/`, `${url}?`, `${url}#`, `${url}?x=1`, url.replace('127.0.0.1', 'localhost'), url.toUpperCase()],
      ...[url.replace('http:', 'https:'), url.replace('http://', 'http://x@'), url.replace('127.0.0.1', '127.1')],
      ...[
        url.replace('127.0.0.1', '127.0.0.1.'),
        ` ${url}`,
        url.replace('http://', 'http:\\\\'),
        vendor.urlOf('/evil'),
      ],
      ...['https://evil.example/token', 'file:///etc/passwd', 'x'],
    ];
    const changes = [
      ...spellings(tokenUrl).map((text) => ({ tokenUrl: text })),
      ...spellings(apiUrl).map((text) => ({ apiUrl: text })),
      ...['Parapet', `${clientId} `, 'other'].map((text) => ({ clientId: text })),
    ];
    for (const change of changes)
      assert.deepEqual(await validate({ id: stored, ...change }), failed('secret_required'), JSON.stringify(change));
    assert.deepEqual(vendor.arrivals, []);
  });

  test('cannot be redirected by changing the credential without knowing the secret (SRF-01)', async () => {
    const id = await store(place);
    const client = world.as(contract, place.admin.jwt);
    for (const change of [{ tokenUrl: vendor.urlOf('/evil') }, { apiUrl: vendor.urlOf('/evil') }, { clientId: 'x' }]) {
      const body = { ...recipient(), ...change };
      const { problem } = await client.updatePartnerCredential({ path: { deploymentId: place.id, id }, body });
      assert.equal(problem.code, 'PARTNER_SECRET_REQUIRED');
    }
    assert.deepEqual(await validate({ id }), VALID);
  });

  test('of another deployment is treated as unknown: nothing is sent (SRF-01)', async () => {
    const other = await world.deployment();
    const theirs = await store(other);
    for (const id of [theirs, '999999999', 'x', '-1', '1; drop table'])
      for (const more of [{}, { clientSecret: CANARY }])
        assert.deepEqual(await validate({ ...recipient(), id, ...more }), failed('unknown_credential'));
    assert.deepEqual(vendor.arrivals, []);
  });

  test('is not sent without an id', async () => {
    assert.deepEqual(await validate(recipient()), failed('secret_required'));
    assert.deepEqual(vendor.arrivals, []);
  });
});

describe('the error', () => {
  const errorOf = async (tokenUrl: string) => (await validate(given({ tokenUrl }))).error;

  test('is a fixed text for each kind of failure (SRF-07)', async () => {
    assert.equal((await validate(given({ clientSecret: 'wrong' }))).error, 'invalid_client');
    assert.equal(await errorOf('http://127.0.0.1:1/token'), 'unreachable');
    assert.equal(await errorOf('https://nowhere.example/token'), 'unreachable');
    assert.equal(await errorOf(vendor.urlOf('/token').replace('http', 'https')), 'tls');
  });

  test('is timeout for a vendor that does not answer or answers too slowly (SRF-06)', async () => {
    vendor.on('/silent', () => {});
    vendor.on('/drops', (_, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const { egress } = world.assembly.services;
    for (const path of ['/silent', '/drops'])
      for (const member of ['tokenUrl', 'apiUrl']) {
        const target = { ...recipient(), [member]: vendor.urlOf(path) };
        const check = { egress, tenant: place.id, recipient: target, secret: new Secret(CANARY), timeoutMs: 300 };
        assert.equal(await checkAtVendor(check), 'timeout');
      }
  });

  test('is denied_address for forbidden targets, and nothing is sent (SRF-02, SRF-03)', async () => {
    const { port } = vendor;
    world.resolve = () => ['127.0.0.1'];
    const urls = [
      ...[`http://localhost:${port}/token`, `http://127.1:${port + 1}/token`, 'https://10.0.0.1/token'],
      ...['https://169.254.169.254/latest', 'https://[::1]/token', 'https://inside.example/token', 'https://127.0.0.1'],
      ...['http://vendor.example/token', `https://vendor.example:5432/`, 'ftp://vendor.example/', 'token', '//x'],
      ...[`http://user@127.0.0.1:${port}/token`, `http://127.0.0.1:${port}\\@evil.example/`, 'https://x.example./'],
    ];
    for (const url of urls) assert.equal(await errorOf(url), 'denied_address', url);
    world.resolve = () => [];
    assert.deepEqual(vendor.arrivals, []);
  });

  test('is denied_address as soon as a changing host name resolves to an internal address (SRF-02)', async () => {
    let turn = 0;
    world.resolve = () => (turn++ % 2 === 0 ? ['203.0.114.1', '127.0.0.1'] : ['127.0.0.1']);
    for (let time = 0; time < 20; time++) assert.equal(await errorOf('https://flips.example/token'), 'denied_address');
    world.resolve = () => [];
    assert.equal(turn, 20);
    assert.deepEqual(vendor.arrivals, []);
  });

  test('is bad_response for a redirect, which is not followed (SRF-05)', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      vendor.on('/away', (_, response) => response.writeHead(status, { location: '/token' }).end());
      assert.equal(await errorOf(vendor.urlOf('/away')), 'bad_response');
    }
    assert.deepEqual([...new Set(vendor.arrivals.map(({ path }) => path))], ['/away']);
  });

  test('is bad_response for garbage, and none of it is reflected (SRF-08)', async () => {
    const bodies = [
      ...[
        '',
        'null',
        '[]',
        '<html>reflected</html>',
        '{"access_token":"reflected"}',
        '\u0000\u0001',
        '{"error":"reflected"}',
      ],
      ...['{"access_token":"a\\r\\nreflected: 1","token_type":"Bearer"}', 'reflected'.repeat(60_000)],
    ];
    for (const status of [200, 201, 400, 404, 418, 500, 503])
      for (const body of bodies) {
        vendor.on('/garbage', (_, response) => response.writeHead(status).end(body));
        assert.deepEqual(await validate(given({ tokenUrl: vendor.urlOf('/garbage') })), failed('bad_response'));
      }
  });
});

describe('a byte of a stored secret', () => {
  test('is in no reply, no log line and no database row after these tests (SEC-01, SRF-08)', async () => {
    assert.deepEqual(await validate({ id: stored }), VALID);
    await world.assembly.flush();
    const rows = await dumpTables(world);
    assert.match(rows, /validatePartnerCredential/i);
    assert.ok(kept.text().includes(place.id) && replies.length > 50);
    const everything = [rows, kept.text(), ...replies].join('\n');
    for (const secret of [CANARY, SHORT_CANARY])
      for (const text of encodingsOf(secret)) assert.ok(!everything.includes(text), text);
  });
});

describe('the response time', () => {
  test('is padded to a step in every case (SRF-07)', async () => {
    world.pausesMs.length = 0;
    await validate({ id: '999' });
    await validate({ id: stored });
    await validate(given({ tokenUrl: 'http://127.0.0.1:1/' }));
    vendor.on('/slow', (_, response) => void setTimeout(() => response.end('{}'), 1100));
    await validate(given({ tokenUrl: vendor.urlOf('/slow') }));
    const [unknown, right, closed, slow] = world.pausesMs;
    assert.equal(world.pausesMs.length, 4);
    for (const ms of [unknown, right, closed]) assert.ok(ms !== undefined && ms > 0 && ms <= 1000);
    assert.ok(slow !== undefined && slow > 0 && slow <= 1900);
  });
});

describe('limits', () => {
  test('are ten checks a minute for each user, and thirty for each deployment (LIM-02)', async () => {
    const limited = await World.start({ PARAPET_LIMIT_CHECK_USER: '10', PARAPET_LIMIT_CHECK_DEPLOYMENT: '30' });
    try {
      const home = await limited.deployment();
      const people = [home.admin];
      for (let n = 0; n < 3; n++) people.push(await limited.member(home, 'ORG_ROLE_ADMIN'));
      const statuses: number[][] = [];
      for (const person of people) {
        const jwts = [person.jwt, (await limited.signIn(person)).jwt];
        const calls = Array.from({ length: 12 }, (_, index) =>
          limited
            .as(contract, jwts[index % 2])
            .validatePartnerCredential({ path: { deploymentId: home.id }, body: { id: '1' } }),
        );
        statuses.push((await Promise.all(calls)).map(({ status }) => status));
      }
      const admitted = statuses.map((some) => some.filter((status) => status === 200).length);
      assert.deepEqual(admitted, [10, 10, 10, 0]);
      assert.ok(statuses.flat().every((status) => status === 200 || status === 429));
    } finally {
      await limited.stop();
    }
  });
});
