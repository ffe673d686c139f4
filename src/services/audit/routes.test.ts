import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sealAll } from '#kernel/audit/seal.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';
import * as teams from '#services/teams/contract.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

type Query = NonNullable<Parameters<ReturnType<typeof client>['listAuditRecords']>[0]['query']>;
const client = (token = place.admin.jwt) => world.as(contract, token);

async function list(query: Query, where = place) {
  const { status, body, text } = await client(where.admin.jwt).listAuditRecords({
    path: { deploymentId: where.id },
    query,
  });
  assert.equal(status, 200, text);
  return body;
}

async function makeTeam(token = place.admin.jwt, where = place): Promise<string> {
  const { body } = await world.as(teams, token).createDeploymentTeam({
    path: { deploymentId: where.id },
    body: { team: { name: uniqueName('Team ') } },
  });
  return body.team?.id ?? '';
}

const seal = () => sealAll({ db: world.assembly.db, signer: ed25519From(world.keys.derive('audit-checkpoint')) });

describe('the audit trail', () => {
  test('lists who did what to which object, newest first, with its position in the chain', async () => {
    const [first, second] = [await makeTeam(), await makeTeam()];
    const { records } = await list({ objectKind: 'team' });
    assert.deepEqual(
      records.slice(0, 2).map(({ object }) => object.id),
      [second, first],
    );
    const [newest] = records;
    assert.deepEqual(newest?.actor, { kind: 'user', id: place.admin.id, name: place.admin.email.split('@')[0] });
    assert.deepEqual([newest?.operation, newest?.outcome], ['TeamsService.createDeploymentTeam', '200']);
    assert.deepEqual([newest?.before, newest?.sequence, newest?.hash], [undefined, undefined, undefined]);
    assert.ok(newest?.after && newest.requestId && newest.address);
    await seal();
    const [sealed] = (await list({ objectKind: 'team', objectId: second })).records;
    assert.ok(sealed?.sequence !== undefined && sealed.sequence >= 2);
    assert.match(sealed.hash ?? '', /^[0-9a-f]{64}$/);
  });

  test('can be filtered by actor, operation, outcome, object and time', async () => {
    const where = await world.deployment();
    const start = new Date().toISOString();
    const token = await world.token(where);
    const mine = await makeTeam(where.admin.jwt, where);
    const byToken = await makeTeam(token.text, where);
    const member = await world.member(where);
    await makeTeam(member.jwt, where);
    await world.assembly.flush();
    const found = async (query: Query) => (await list(query, where)).records.map(({ object }) => object.id);
    assert.deepEqual(await found({ actor: where.admin.id, outcome: 'success' }), [mine]);
    assert.deepEqual(await found({ actor: where.admin.email, objectKind: 'team' }), [mine]);
    assert.deepEqual(await found({ actor: 'nobody@example.com' }), []);
    assert.deepEqual(await found({ actor: `token:${token.id}` }), [byToken]);
    assert.deepEqual(await found({ objectKind: 'team', objectId: mine }), [mine]);
    assert.deepEqual(await found({ objectId: mine }), [mine]);
    assert.deepEqual(await found({ objectKind: 'tea' }), []);
    assert.deepEqual(await found({ operation: 'TeamsService.createDeploymentTeam', outcome: '200' }), [byToken, mine]);
    assert.deepEqual(await found({ until: start }), []);
    assert.deepEqual(await found({ since: start, outcome: 'success' }), [byToken, mine]);
    const { records } = await list({ outcome: 'refused' }, where);
    assert.deepEqual(
      records.map(({ outcome, actor }) => [outcome, actor.id]),
      [['PERMISSION_DENIED', member.id]],
    );
    const [tokens] = (await list({ outcome: '200', objectId: byToken }, where)).records;
    assert.deepEqual([tokens?.actor.kind, tokens?.actor.id], ['token', token.id]);
  });

  test('of a deployment is visible only to its administrators (TEN-02)', async () => {
    const other = await world.deployment();
    await makeTeam(other.admin.jwt, other);
    assert.ok((await list({ limit: '200' })).records.every(({ actor }) => actor.id !== other.admin.id));
    const member = await world.member(place);
    const { problem } = await client(member.jwt).listAuditRecords({ path: { deploymentId: place.id } });
    assert.equal(problem.code, 'PERMISSION_DENIED');
  });

  test('is read through an index for every filter', async () => {
    for (const condition of ['true', "actor = '7'", `object collate "C" = 'team/7'`]) {
      const plan = await world.queryAsOwner<{ 'QUERY PLAN': string }>(
        `explain select * from audit_record where deployment_id = 1 and ${condition}
         order by at desc, id desc limit 50`,
      );
      const text = plan.map((row) => row['QUERY PLAN']).join(' ');
      assert.match(text, /Index Scan Backward using audit_record__/);
      assert.doesNotMatch(text, /Sort/);
    }
  });
});

describe('the verification of the trail', () => {
  const verify = async (where: TestDeployment) => {
    const { status, body, text } = await client(where.admin.jwt).verifyAuditTrail({
      path: { deploymentId: where.id },
    });
    assert.equal(status, 200, text);
    return body;
  };

  test('reports that the chain is intact, or where it is broken (AUD-03)', async () => {
    const where = await world.deployment();
    for (let count = 0; count < 3; count++) await makeTeam(where.admin.jwt, where);
    await seal();
    const { checkedAt, ...whole } = await verify(where);
    assert.deepEqual(whole, { verified: true, records: 3 });
    assert.ok(Date.parse(checkedAt) > 0);
    await world.queryAsOwner(
      `update audit_record set actor = '999' where deployment_id = $1 and id =
         (select record_id from audit_seal where deployment_id = $1 and position = 2)`,
      [where.id],
    );
    const { checkedAt: _, ...broken } = await verify(where);
    assert.deepEqual(broken, { verified: false, records: 3, firstBroken: '2', problem: 'record edited' });
  });
});
