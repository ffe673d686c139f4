import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PERMISSIONS } from '#domain/access/roles.ts';
import { send } from '#kernel/contract/client.ts';
import * as teams from '#services/teams/contract.ts';
import { fresh, type Place, World } from '#test/support/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: Place;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const as = (jwt: string) => world.as(contract, jwt);
const admin = () => as(place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const newcomer = async () => world.signIn(await world.account());

describe('4.8 create deployment', () => {
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
        editorServiceVersion: world.assembly.powers.version,
        noscanDisabled: false,
      },
    });
  });

  test('it takes only the JWT of a user: an API token gets 403 and makes nothing', async () => {
    const { text } = await world.token(place);
    const { status, problem } = await as(text).createDeployment({ body: { deploymentName: 'By a token' } });
    assert.deepEqual([status, problem.code], [403, 'USER_JWT_REQUIRED']);
    assert.deepEqual(await world.look("select from deployment where name = 'By a token'"), []);
  });

  test('who creates it is its administrator, and member of its default team, at once', async () => {
    const person = await newcomer();
    const { deployment } = (await as(person.jwt).createDeployment({ body: { deploymentName: fresh('Mine ') } })).body;
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
    const { status, body } = await send(contract.createDeployment, transport, {
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

  test('deployments of one name that are created at once get different slugs', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, newcomer));
    const made = await Promise.all(
      people.map((person) => as(person.jwt).createDeployment({ body: { deploymentName: 'Stampede' } })),
    );
    assert.deepEqual([...new Set(made.map(({ status }) => status))], [200]);
    assert.equal(new Set(made.map(({ body }) => body.deployment.slug)).size, 8);
  });

  test('a person creates at most 5, also when they ask 20 times at once (LIM-04)', async () => {
    const person = await newcomer();
    const ask = () => as(person.jwt).createDeployment({ body: { deploymentName: fresh('Quota ') } });
    const codes = (await Promise.all(Array.from({ length: 20 }, ask))).map(({ status }) => status);
    assert.equal(codes.filter((status) => status === 200).length, contract.MOST_DEPLOYMENTS);
    const { status, problem } = await ask();
    assert.deepEqual([status, problem.code], [409, 'DEPLOYMENT_QUOTA']);
    const rows = await world.look('select from deployment where created_by = $1', [person.id]);
    assert.equal(rows.length, contract.MOST_DEPLOYMENTS);
  });
});

describe('read and change a deployment', () => {
  test('the older spelling has numbers for ids and the flags that have not expired', async () => {
    const { id, slug, admin: owner } = await world.deployment('Older Spelling');
    await world.look("insert into feature_flag values ($1, 'beta', null), ($1, 'over', now() - interval '1 day')", [
      id,
    ]);
    const { deployment } = (await as(owner.jwt).getDeployment({ path: { deploymentId: slug } })).body;
    assert.deepEqual(deployment, {
      id: Number(id),
      name: 'Older Spelling',
      display_name: 'Older Spelling',
      slug,
      source_type: 'simple',
      has_autofix: false,
      has_deepscan: false,
      has_triage_via_comment: false,
      has_dependency_query: true,
      default_user_role: 'ORG_ROLE_READONLY',
      features: [{ name: 'beta' }],
      organization_id: Number(id),
      scm_name: '',
    });
  });

  test('a token gets its own deployment, a user the one they joined first, and nobody else any', async () => {
    const { text } = await world.token(place);
    assert.equal((await as(text).getDeploymentByToken({})).body.deployment.slug, place.slug);
    assert.equal((await admin().getDeploymentByToken({})).body.deployment.slug, place.slug);
    assert.equal((await as((await newcomer()).jwt).getDeploymentByToken({})).status, 404);
  });

  test('a change keeps what it does not name, and its version is checked', async () => {
    const { id, admin: owner } = await world.deployment();
    const where = { deploymentId: id };
    const etag = (await as(owner.jwt).getDeployment({ path: where })).headers.get('etag') ?? '';
    const changed = await as(owner.jwt).updateDeployment({
      path: where,
      body: { deploymentId: id, displayName: 'Shown' },
      headers: { 'if-match': etag },
    });
    assert.deepEqual(
      [changed.body.deployment.displayName, changed.body.deployment.features.defaultUserRole],
      ['Shown', 'ORG_ROLE_READONLY'],
    );
    const body = { defaultUserRole: 'ORG_ROLE_MEMBER' } as const;
    const late = await as(owner.jwt).updateDeployment({ path: where, body, headers: { 'if-match': etag } });
    assert.equal(late.status, 412);
    await as(owner.jwt).updateDeployment({ path: where, body });
    const { defaultUserRole } = (await as(owner.jwt).getDeploymentDefaultUserRole({ path: where })).body;
    assert.equal(defaultUserRole, 'ORG_ROLE_MEMBER');
  });

  test('an id in the body that is not the path’s is refused, and nothing changes (AZN-06)', async () => {
    const other = await world.deployment();
    const body = { deploymentId: other.id, displayName: 'Stolen' };
    assert.equal((await admin().updateDeployment({ path: path(), body })).status, 400);
    assert.deepEqual(await world.look("select from deployment where display_name = 'Stolen'"), []);
  });

  test('each switch is kept and shown', async () => {
    const on = await admin().updateDeploymentHasDeepscan({ path: path(), body: { has_deepscan: true } });
    const off = await admin().updateDeploymentHasDependencyQuery({
      path: path(),
      body: { hasDependencyQuery: false },
    });
    const triage = await admin().updateDeploymentHasTriageViaComment({
      path: path(),
      body: { hasTriageViaComment: true },
    });
    assert.deepEqual(
      [on.body, off.body, triage.body],
      [{ has_deepscan: true }, { hasDependencyQuery: false }, { hasTriageViaComment: true }],
    );
    const { deployment } = (await admin().getDeployment({ path: path() })).body;
    assert.deepEqual(
      [deployment.has_deepscan, deployment.has_dependency_query, deployment.has_triage_via_comment],
      [true, false, true],
    );
  });

  test('no GitHub app is connected, with code access or without', async () => {
    for (const withCodeAccess of [true, false]) {
      const { body } = await admin().getDeploymentGitHubAppStatus({ path: path(), query: { withCodeAccess } });
      assert.equal(body.github_app_status, false);
    }
  });

  test('feedback is kept with who gave it, also from a member', async () => {
    const person = await world.member(place);
    const body = { featureAction: 'sca:enabled', feedback: 'We needed it.' };
    const { status } = await as(person.jwt).sendDeploymentToggleFeedback({ path: path(), body });
    assert.equal(status, 200);
    const rows = await world.look('select feature_action, feedback from product_feedback where account_id = $1', [
      person.id,
    ]);
    assert.deepEqual(rows, [{ feature_action: 'sca:enabled', feedback: 'We needed it.' }]);
  });

  test('your actions are the permissions of your role', async () => {
    const person = await world.member(place, 'ORG_ROLE_READONLY');
    const { body } = await as(person.jwt).getDeploymentAuthorizedActions({ path: path() });
    assert.ok(body.authorized_actions.includes('issue:read'));
    assert.equal(
      body.authorized_actions.every((action) => action.endsWith(':read')),
      true,
    );
  });
});
