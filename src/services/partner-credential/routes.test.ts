import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { capturingLog, dumpTables, encodingsOf } from '#test/support/world/leaks.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const CANARY = 'canary-4f1e-Qx7-of-the-partner';

let world: World;
let place: TestDeployment;
const kept = capturingLog();
before(async () => {
  world = await World.start({}, { log: kept.log });
  place = await world.deployment();
});
after(() => world.stop());

const admin = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const credential = {
  clientId: 'parapet',
  clientSecret: CANARY,
  apiUrl: 'https://api.vendor.example/graphql',
  tokenUrl: 'https://auth.vendor.example/oauth/token',
};
const make = (changed: object = {}) =>
  admin().createPartnerCredential({ path: path(), body: { ...credential, ...changed } });

describe('partner credentials', () => {
  test('are created, listed, read, changed and deleted, and the secret is in no reply', async () => {
    const made = await make();
    assert.equal(made.status, 200, JSON.stringify(made.problem));
    const { id } = made.body.partnerCredential;
    const { clientSecret: _, ...shown } = credential;
    const expected = { id, deploymentId: Number(place.id), ...shown };
    assert.deepEqual(made.body.partnerCredential as unknown, expected);
    assert.deepEqual((await admin().listPartnerCredentials({ path: path() })).body.partnerCredentials, [expected]);
    assert.deepEqual(
      (await admin().getPartnerCredential({ path: { ...path(), id } })).body.partnerCredential,
      expected,
    );
    const changed = { ...credential, clientId: 'another' };
    const updated = await admin().updatePartnerCredential({ path: { ...path(), id }, body: changed });
    assert.equal(updated.body.partnerCredential.clientId, 'another');
    assert.deepEqual((await admin().deletePartnerCredential({ path: { ...path(), id } })).body, { success: true });
    assert.equal((await admin().getPartnerCredential({ path: { ...path(), id } })).status, 404);
  });

  test('have the deployment id as a number', async () => {
    await make();
    const response = await fetch(`${world.baseUrl}/api/notifications/deployments/${place.id}/partner`, {
      headers: { authorization: `Bearer ${place.admin.jwt}` },
    });
    const { partnerCredentials } = (await response.json()) as { partnerCredentials: Record<string, unknown>[] };
    assert.equal(partnerCredentials[0]?.['deploymentId'], Number(place.id));
    assert.equal(typeof partnerCredentials[0]?.['id'], 'string');
  });

  test('keep their secret out of replies, the log and the whole database, in any spelling (SEC-01, SEC-02, SEC-06)', async () => {
    const headers = { 'idempotency-key': 'canary' };
    const made = await admin().createPartnerCredential({ path: path(), body: credential, headers });
    const { id } = made.body.partnerCredential;
    await admin().updatePartnerCredential({ path: { ...path(), id }, body: credential });
    await admin().validatePartnerCredential({ path: path(), body: { id } });
    await world.assembly.flush();
    assert.match(kept.text(), /validatePartnerCredential/i);
    const everything = (await dumpTables(world)) + JSON.stringify(made.body) + kept.text();
    assert.ok(everything.includes('https://auth.vendor.example/oauth/token'));
    for (const text of encodingsOf(CANARY)) assert.ok(!everything.includes(text), text);
  });

  test('sealed secrets open in no other row (SEC-06)', async () => {
    const [one, two] = [await make(), await make({ clientSecret: 'of the other' })];
    const ids = [one.body.partnerCredential.id, two.body.partnerCredential.id];
    await world.queryAsOwner(
      `update partner_credential set client_secret = (select client_secret from partner_credential where id = $1)
       where id = $2`,
      ids,
    );
    const moved = await admin().validatePartnerCredential({ path: path(), body: { id: ids[1] ?? '' } });
    assert.equal(moved.status, 500);
  });

  test('accept only URLs that this server may call', async () => {
    for (const url of ['http://vendor.example/', 'https://vendor.example:5432/', 'http://127.0.0.1:8080/'])
      for (const member of ['apiUrl', 'tokenUrl'])
        assert.equal((await make({ [member]: url })).problem.code, 'PARTNER_URL_REFUSED', url);
  });

  test('keep the old secret without a new one, while client and URLs are unchanged', async () => {
    const { id } = (await make()).body.partnerCredential;
    const { clientSecret: _, ...body } = credential;
    const same = await admin().updatePartnerCredential({ path: { ...path(), id }, body });
    assert.equal(same.status, 200);
    const moved = { ...body, tokenUrl: 'https://evil.example/token' };
    const refused = await admin().updatePartnerCredential({ path: { ...path(), id }, body: moved });
    assert.equal(refused.problem.code, 'PARTNER_SECRET_REQUIRED');
  });

  test('are changed only with the current version', async () => {
    const { id } = (await make()).body.partnerCredential;
    const put = (headers: Record<string, string>) =>
      admin().updatePartnerCredential({ path: { ...path(), id }, body: credential, headers });
    assert.equal((await put({ 'if-match': '"1"' })).status, 200);
    assert.equal((await put({ 'if-match': '"1"' })).status, 412);
  });

  test('are at most fifty, even with concurrent requests (CON-04)', async () => {
    const crowded = await world.deployment();
    const client = world.as(contract, crowded.admin.jwt);
    const call = () => client.createPartnerCredential({ path: { deploymentId: crowded.id }, body: credential });
    for (let made = 0; made < contract.MAX_PARTNER_CREDENTIALS - 4; made++) assert.equal((await call()).status, 200);
    const replies = await Promise.all(Array.from({ length: 10 }, call));
    assert.equal(replies.filter(({ status }) => status === 200).length, 4);
    assert.equal(replies.filter(({ problem }) => problem?.code === 'PARTNER_CREDENTIAL_QUOTA').length, 6);
  });
});
