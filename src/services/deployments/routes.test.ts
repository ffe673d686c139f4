import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TestDeployment, World } from '#test/support/world/world.ts';
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
const path = () => ({ deploymentId: place.id });
const newcomer = async () => world.signIn(await world.account());

describe('read and change a deployment', () => {
  test('the legacy format has numeric ids and the flags that have not expired', async () => {
    const { id, slug, admin: owner } = await world.deployment('Older Spelling');
    await world.queryAsOwner(
      "insert into feature_flag values ($1, 'beta', null), ($1, 'over', now() - interval '1 day')",
      [id],
    );
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

  test('a token gets its own deployment, a user the first one joined, and others none', async () => {
    const { text } = await world.token(place);
    assert.equal((await as(text).getDeploymentByToken({})).body.deployment.slug, place.slug);
    assert.equal((await admin().getDeploymentByToken({})).body.deployment.slug, place.slug);
    assert.equal((await as((await newcomer()).jwt).getDeploymentByToken({})).status, 404);
  });

  test('a change keeps absent members, and its version is checked', async () => {
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

  test('an id in the body that differs from the path is refused, and nothing changes (AZN-06)', async () => {
    const other = await world.deployment();
    const body = { deploymentId: other.id, displayName: 'Stolen' };
    assert.equal((await admin().updateDeployment({ path: path(), body })).status, 400);
    assert.deepEqual(await world.queryAsOwner("select from deployment where display_name = 'Stolen'"), []);
  });

  test('each feature switch is stored and returned', async () => {
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

  test('feedback is stored with its author, also from a member', async () => {
    const person = await world.member(place);
    const body = { featureAction: 'sca:enabled', feedback: 'We needed it.' };
    const { status } = await as(person.jwt).sendDeploymentToggleFeedback({ path: path(), body });
    assert.equal(status, 200);
    const rows = await world.queryAsOwner(
      'select feature_action, feedback from product_feedback where account_id = $1',
      [person.id],
    );
    assert.deepEqual(rows, [{ feature_action: 'sca:enabled', feedback: 'We needed it.' }]);
  });

  test('authorized actions are the permissions of the role', async () => {
    const person = await world.member(place, 'ORG_ROLE_READONLY');
    const { body } = await as(person.jwt).getDeploymentAuthorizedActions({ path: path() });
    assert.ok(body.authorized_actions.includes('issue:read'));
    assert.deepEqual(
      body.authorized_actions.filter((action) => !action.endsWith(':read')),
      ['export:create', 'notification:update'],
    );
  });
});
