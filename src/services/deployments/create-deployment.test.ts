import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PERMISSIONS } from '#domain/access/roles.ts';
import { sendRequest } from '#kernel/contract/client.ts';
import * as demo from '#services/demo/contract.ts';
import * as teams from '#services/teams/contract.ts';
import { DEPLOYMENTS_PER_PERSON, type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const as = (jwt: string) => world.as(contract, jwt);
const admin = () => as(place.admin.jwt);
const newcomer = async () => world.signIn(await world.account());

describe('create deployment (seed 4.8)', () => {
  test('the body is {deploymentName}, the response 200 with {deployment} per section 2.1', async () => {
    const person = await newcomer();
    const { status, body } = await as(person.jwt).createDeployment({ body: { deploymentName: ' Röda Korset ' } });
    assert.equal(status, 200);
    assert.match(body.deployment.id, /^\d+$/);
    assert.notEqual(body.deployment.organizationId, '');
    assert.deepEqual(body.deployment, {
      id: body.deployment.id,
      name: 'Röda Korset',
      displayName: 'Röda Korset',
      slug: 'roda-korset',
      sourceType: 'simple',
      organizationId: body.deployment.organizationId,
      features: {
        featureFlags: [],
        hasAutofix: false,
        hasDeepscan: false,
        hasTriageViaComment: false,
        hasDependencyQuery: true,
        defaultUserRole: 'ORG_ROLE_READONLY',
        editorServiceVersion: world.assembly.services.version,
        noscanDisabled: false,
      },
    });
  });

  test("only a user's JWT is accepted: an API token gets 403 and creates nothing", async () => {
    const { text } = await world.token(place);
    const { status, problem } = await as(text).createDeployment({ body: { deploymentName: 'By a token' } });
    assert.deepEqual([status, problem.code], [403, 'USER_JWT_REQUIRED']);
    assert.deepEqual(await world.queryAsOwner("select from deployment where name = 'By a token'"), []);
  });

  test('the creator is at once its administrator and a member of its default team', async () => {
    const person = await newcomer();
    const { deployment } = (await as(person.jwt).createDeployment({ body: { deploymentName: uniqueName('Mine ') } }))
      .body;
    const where = { deploymentId: deployment.id };
    const { authorized_actions: actions } = (await as(person.jwt).getDeploymentAuthorizedActions({ path: where })).body;
    assert.deepEqual(actions, [...PERMISSIONS].sort());
    const list = await world.as(teams, person.jwt).listDeploymentTeams({ path: where, body: {} });
    assert.deepEqual(
      list.body.teams.map((team) => [team.name, team.userCount, team.isProjectDefault, team.isUserDefault]),
      [[deployment.name, '1', true, true]],
    );
    assert.equal((await admin().getDeployment({ path: where })).status, 404);
  });

  test('members of the body beside deploymentName have no effect (A11, AZN-05)', async () => {
    const person = await newcomer();
    const extra = {
      ...{ id: '424242', slug: 'chosen', organizationId: '1', sourceType: 'sso', displayName: 'Other' },
      ...{ features: { hasAutofix: true, defaultUserRole: 'ORG_ROLE_ADMIN', noscanDisabled: true }, role: 'x' },
    };
    const transport = { baseUrl: world.baseUrl, token: person.jwt };
    const { status, body } = await sendRequest(contract.createDeployment, transport, {
      body: { ...extra, deploymentName: 'Plain And Simple' },
    });
    assert.equal(status, 200);
    const { deployment } = body;
    assert.notEqual(deployment.id, extra.id);
    assert.notEqual(deployment.organizationId, extra.organizationId);
    assert.deepEqual(
      [deployment.slug, deployment.sourceType, deployment.displayName, deployment.features.hasAutofix],
      ['plain-and-simple', 'simple', 'Plain And Simple', false],
    );
    assert.deepEqual(
      [deployment.features.defaultUserRole, deployment.features.noscanDisabled],
      ['ORG_ROLE_READONLY', false],
    );
  });

  test('slugs are unique in the installation, never digits only and never a reserved word (AZN-07)', async () => {
    const slugOf = async (deploymentName: string) =>
      (await as((await newcomer()).jwt).createDeployment({ body: { deploymentName } })).body.deployment.slug;
    assert.deepEqual(
      [await slugOf('Twice'), await slugOf('twice'), await slugOf('ＴＷＩＣＥ')],
      ['twice', 'twice-2', 'twice-3'],
    );
    assert.deepEqual([await slugOf(place.id), await slugOf('current')], [`n-${place.id}`, 'current-1']);
    assert.match(await slugOf('../..'), /^unnamed(-\d+)?$/);
  });

  test('deployments of one name that are created concurrently get different slugs', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, newcomer));
    const made = await Promise.all(
      people.map((person) => as(person.jwt).createDeployment({ body: { deploymentName: 'Stampede' } })),
    );
    assert.deepEqual([...new Set(made.map(({ status }) => status))], [200]);
    assert.equal(new Set(made.map(({ body }) => body.deployment.slug)).size, 8);
  });

  test('an account creates at most 5, even with 20 concurrent requests (LIM-04)', async () => {
    const person = await newcomer();
    const ask = () => as(person.jwt).createDeployment({ body: { deploymentName: uniqueName('Quota ') } });
    const codes = (await Promise.all(Array.from({ length: 20 }, ask))).map(({ status }) => status);
    assert.equal(codes.filter((status) => status === 200).length, DEPLOYMENTS_PER_PERSON);
    const { status, problem } = await ask();
    assert.deepEqual([status, problem.code], [409, 'DEPLOYMENT_QUOTA']);
    const rows = await world.queryAsOwner('select from deployment where created_by = $1', [person.id]);
    assert.equal(rows.length, DEPLOYMENTS_PER_PERSON);
  });

  test('is only for administrators of the server, unless the operator allows it to everybody', async () => {
    const closed = await World.start({ PARAPET_DEPLOYMENTS_PER_PERSON: '0' });
    const { admin } = await closed.deployment();
    const create = () => closed.as(contract, admin.jwt).createDeployment({ body: { deploymentName: 'More' } });
    const refused = [await create(), await closed.as(demo, admin.jwt).createDemo({})];
    for (const { status, problem } of refused)
      assert.deepEqual([status, problem.code], [403, 'DEPLOYMENTS_RESTRICTED']);
    assert.equal((await closed.queryAsOwner('select from deployment')).length, 1);
    await closed.promote(admin);
    for (let n = 0; n <= DEPLOYMENTS_PER_PERSON; n++) assert.equal((await create()).status, 200);
    assert.equal((await closed.as(demo, admin.jwt).createDemo({})).status, 202);
    await closed.stop();
  });
});
