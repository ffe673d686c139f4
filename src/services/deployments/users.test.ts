import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import * as accounts from '#domain/accounts/store.ts';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import * as cliLogin from '#services/cli-login/contract.ts';
import * as invitations from '#services/invitations/contract.ts';
import * as sessions from '#services/sessions/contract.ts';
import * as tokens from '#services/token/contract.ts';
import * as users from '#services/users/contract.ts';
import { PASSWORD, type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const as = (jwt: string) => world.as(contract, jwt);
const ofUser = (where: TestDeployment, person: Pick<TestUser, 'id'>) => ({ deploymentId: where.id, userId: person.id });
const usersOf = async (where: TestDeployment, jwt = where.admin.jwt) =>
  (await as(jwt).getDeploymentUsers({ path: { deploymentId: where.id } })).body.users;
const rolesOf = async (where: TestDeployment) =>
  new Map((await usersOf(where)).map(({ id, orgRole }) => [id, orgRole]));

describe('list the users of a deployment', () => {
  test('a user is listed with role, sign-in and teams, and nobody of another deployment is', async () => {
    const where = await world.deployment();
    const [user, ...more] = await usersOf(where);
    assert.deepEqual(more, []);
    assert.deepEqual(user, {
      id: where.admin.id,
      orgRole: 'ORG_ROLE_ADMIN',
      authentication: ['password'],
      since: user?.since,
      lastUpdatedAt: user?.since,
      groups: [{ group: user?.groups[0]?.group, role: 'ROLE_MANAGER' }],
      name: where.admin.email.split('@')[0],
      login: where.admin.email,
      email: where.admin.email,
      avatarUrl: '',
      active: true,
      scimManaged: false,
    });
    const { id, name, slug, ...group } = user?.groups[0]?.group ?? assert.fail();
    assert.deepEqual([typeof id, typeof name, typeof slug], ['string', 'string', 'string']);
    assert.deepEqual(group, {
      deploymentId: where.id,
      description: '',
      repositoryIds: [],
      users: [],
      isDefault: true,
      projectManagementType: 'PROJECT_MANAGEMENT_TYPE_ALL_PROJECTS',
      parentGroupId: '0',
      childGroupIds: [],
      repositoryCount: '0',
      userCount: '1',
      childGroupCount: '0',
    });
  });

  test('a member sees all users, but only the teams that the member can see', async () => {
    const where = await world.deployment();
    const person = await world.member(where);
    const hidden = await world.inDeployment(where, async (tx) => {
      const team = (await teams.insert(tx, { deployment: where.id, name: 'Hidden', parent: undefined })) ?? '';
      await members.addMembers(tx, { deployment: where.id, team }, [
        { account: where.admin.id, role: 'TEAM_ROLE_READONLY' },
      ]);
      return team;
    });
    const teamsSeen = async (jwt: string) =>
      (await usersOf(where, jwt)).map(({ groups }) => groups.map(({ group }) => group.id));
    assert.equal((await usersOf(where, person.jwt)).length, 2);
    assert.equal((await teamsSeen(where.admin.jwt)).flat().includes(hidden), true);
    assert.equal((await teamsSeen(person.jwt)).flat().includes(hidden), false);
  });

  test('showActive omits accounts that cannot sign in', async () => {
    const where = await world.deployment();
    const gone = await world.member(where);
    await world.queryAsOwner('update account set disabled_at = now() where id = $1', [gone.id]);
    assert.deepEqual(
      (await usersOf(where)).filter(({ active }) => !active).map(({ id }) => id),
      [gone.id],
    );
    const path = { deploymentId: where.id };
    const { users } = (await as(where.admin.jwt).getDeploymentUsers({ path, query: { showActive: true } })).body;
    assert.deepEqual(
      users.map(({ id }) => id),
      [where.admin.id],
    );
  });

  test('pages of any size in any order are complete, and a page token is valid only for its own query', async () => {
    const where = await world.deployment();
    for (let n = 0; n < 6; n++) await world.member(where);
    const path = { deploymentId: where.id };
    const ask = (options: object, filters: object = {}) =>
      as(where.admin.jwt).listDeploymentUsers({ path, body: { options, filters } });
    for (const sortBy of contract.USER_SORTS) {
      const whole = (await ask({ sortBy })).body.users.map(({ id }) => id);
      assert.equal(whole.length, 7);
      const walked: string[] = [];
      for (let pageToken = '', turn = 0; turn === 0 || pageToken !== ''; turn++) {
        const { body } = await ask({ sortBy, pageSize: 2, pageToken });
        walked.push(...body.users.map(({ id }) => id));
        pageToken = body.pageToken ?? '';
      }
      assert.deepEqual(walked, whole, sortBy);
    }
    const { pageToken } = (await ask({ pageSize: 2 })).body;
    assert.equal((await ask({ pageSize: 2, pageToken })).status, 200);
    for (const wrong of [ask({ pageToken, sortBy: 'email' }), ask({ pageToken }, { query: 'x' })])
      assert.equal((await wrong).problem.code, 'INVALID_CURSOR');
  });

  test('filters match text, role and id, and ids of non-members match nobody', async () => {
    const where = await world.deployment();
    const person = await world.member(where);
    const idsOf = async (filters: object) => {
      const call = { path: { deploymentId: where.id }, body: { filters } };
      return (await as(where.admin.jwt).listDeploymentUsers(call)).body.users.map(({ id }) => id);
    };
    assert.deepEqual(await idsOf({ query: person.email.toUpperCase() }), [person.id]);
    assert.deepEqual(await idsOf({ query: '%' }), []);
    assert.deepEqual(await idsOf({ filterMembers: 'MEMBER_FILTER_TYPE_ADMIN_ONLY' }), [where.admin.id]);
    assert.deepEqual(await idsOf({ filterMembers: 'MEMBER_FILTER_TYPE_NON_ADMIN_ONLY' }), [person.id]);
    assert.deepEqual(await idsOf({ memberIds: [person.id, place.admin.id, '999999'] }), [person.id]);
    assert.deepEqual(await idsOf({ memberIds: [] }), []);
  });
});

describe('add a user', () => {
  const add = (where: TestDeployment, body: object, jwt = where.admin.jwt) =>
    as(jwt).addDeploymentUser({ path: { deploymentId: where.id }, body });

  const accept = (link = '', password = 'a long enough sentence') =>
    world.as(sessions).acceptInvitation({ body: { token: link.split('#t=')[1] ?? '', name: 'Grace', password } });
  const pending = async (where: TestDeployment) =>
    (await world.as(invitations, where.admin.jwt).listInvitations({ path: { deploymentId: where.id } })).body
      .invitations;

  test('a person who is added becomes a member when they accept, with the role they were added with', async () => {
    const where = await world.deployment();
    const email = `${uniqueName('New.Person')}@Example.com`;
    const { status, body } = await add(where, { email, name: 'New Person', role: 'ORG_ROLE_MEMBER' });
    assert.deepEqual([status, body.deployment.id], [200, where.id]);
    assert.equal((await usersOf(where)).length, 1);
    assert.deepEqual(
      (await pending(where)).map((one) => [one.email, one.name, one.role]),
      [[email, 'New Person', 'ORG_ROLE_MEMBER']],
    );
    assert.equal((await accept(body.invitationLink)).status, 200);
    const user = (await usersOf(where)).find((one) => one.email === email);
    assert.deepEqual([user?.name, user?.orgRole, user?.groups.length], ['Grace', 'ORG_ROLE_MEMBER', 1]);
    assert.deepEqual(await pending(where), []);
  });

  test('adding an address elsewhere makes no account for it, so its owner is not locked out', async () => {
    const [elsewhere, where] = [await world.deployment(), await world.deployment()];
    const email = `${uniqueName('victim')}@example.com`;
    await add(elsewhere, { email });
    assert.deepEqual(await world.queryAsOwner('select from account where email = $1', [email]), []);
    const { invitationLink } = (await add(where, { email })).body;
    assert.equal((await accept(invitationLink)).status, 200);
    const mine = await world.queryAsOwner<{ deployment_id: string }>(
      'select deployment_id from membership join account on account.id = account_id where email = $1',
      [email],
    );
    assert.deepEqual(
      mine.map(({ deployment_id: id }) => id),
      [where.id],
    );
  });

  test('adding the address of an account shows nothing of it and gives it no membership', async () => {
    const person = await world.member(place);
    const where = await world.deployment();
    const known = await add(where, { email: person.email.toUpperCase() });
    const unknown = await add(where, { email: `${uniqueName('unknown')}@example.com` });
    const shapeOf = ({ body }: typeof known) => ({ ...body, invitationLink: typeof body.invitationLink });
    assert.deepEqual(shapeOf(known), shapeOf(unknown));
    assert.deepEqual(
      (await usersOf(where)).map(({ id }) => id),
      [where.admin.id],
    );
    const shown = JSON.stringify(await pending(where));
    assert.equal(shown.includes(person.email.split('@')[0] ?? ''), false);
    assert.equal((await as(person.jwt).getDeployment({ path: { deploymentId: where.id } })).status, 404);
    assert.equal((await accept(known.body.invitationLink)).problem.code, 'SIGN_IN_REFUSED');
    assert.equal((await accept(known.body.invitationLink, PASSWORD)).status, 200);
    assert.equal((await add(where, { email: person.email })).problem.code, 'ALREADY_MEMBER');
  });

  test('of ten concurrent invitations of an address one remains, and a cancelled one is refused', async () => {
    const where = await world.deployment();
    const email = `${uniqueName('once')}@example.com`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(where, { email })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      new Array(10).fill(200),
    );
    const [one, ...more] = await pending(where);
    assert.deepEqual(more, []);
    const path = { deploymentId: where.id, invitationId: one?.id ?? '' };
    assert.equal((await world.as(invitations, where.admin.jwt).deleteInvitation({ path })).status, 200);
    assert.equal((await world.as(invitations, where.admin.jwt).deleteInvitation({ path })).status, 404);
    for (const { body } of answers)
      assert.equal((await accept(body.invitationLink)).problem.code, 'INVITATION_REFUSED');
  });

  test('without an address nothing changes', async () => {
    const where = await world.deployment();
    assert.equal((await add(where, { deploymentId: where.id })).status, 200);
    assert.equal((await usersOf(where)).length, 1);
  });

  test('an invalid address is refused, and members cannot add users', async () => {
    const where = await world.deployment();
    const person = await world.member(where);
    assert.equal((await add(where, { email: ['a@example.com'] })).status, 400);
    assert.equal((await add(where, { email: 'nobody' })).status, 400);
    assert.equal((await add(where, { email: 'a@example.com' }, person.jwt)).status, 403);
    assert.equal((await usersOf(where)).length, 2);
  });
});

describe('change and remove users', () => {
  const patch = (where: TestDeployment, person: Pick<TestUser, 'id'>, newRole: 'ORG_ROLE_ADMIN' | 'ORG_ROLE_MEMBER') =>
    as(where.admin.jwt).patchDeploymentUser({ path: ofUser(where, person), body: { newRole } });

  test('a new role is effective from the next request', async () => {
    const where = await world.deployment();
    const person = await world.member(where);
    const rename = () =>
      as(person.jwt).updateDeployment({ path: { deploymentId: where.id }, body: { displayName: 'Renamed' } });
    assert.equal((await rename()).status, 403);
    assert.equal((await patch(where, person, 'ORG_ROLE_ADMIN')).status, 200);
    assert.equal((await rename()).status, 200);
    assert.equal((await patch(where, person, 'ORG_ROLE_MEMBER')).status, 200);
    assert.equal((await rename()).status, 403);
  });

  test('a removed user loses access from the next request, and leaves all teams', async () => {
    const where = await world.deployment();
    const person = await world.member(where);
    const look = () => as(person.jwt).getDeployment({ path: { deploymentId: where.id } });
    assert.equal((await look()).status, 200);
    const { status, body } = await as(where.admin.jwt).removeDeploymentUser({ path: ofUser(where, person) });
    assert.deepEqual([status, body.deployment.id], [200, where.id]);
    assert.equal((await look()).status, 401);
    const anew = await world.signIn(person);
    assert.equal((await as(anew.jwt).getDeployment({ path: { deploymentId: where.id } })).status, 404);
    assert.deepEqual(await world.queryAsOwner('select from team_member where account_id = $1', [person.id]), []);
    assert.equal((await as(where.admin.jwt).removeDeploymentUser({ path: ofUser(where, person) })).status, 404);
  });

  describe('of a removed person', () => {
    /** An administrator with a session, an API token, an approved login and an invitation; and who still has what. */
    async function equipped(where: TestDeployment) {
      const person = await world.member(where, 'ORG_ROLE_ADMIN');
      const path = { deploymentId: where.id };
      const body = { name: 'ci', role: 'TOKEN_ROLE_WEBAPI', webApi: true } as const;
      const { secret } = (await world.as(tokens, person.jwt).createToken({ path, body })).body;
      const key = randomUUID();
      await world.as(cliLogin, person.jwt).confirmLogin({ path, body: { key } });
      const email = `${uniqueName('guest')}@example.com`;
      const { invitationLink = '' } = (await as(person.jwt).addDeploymentUser({ path, body: { email } })).body;
      const statuses = async () => ({
        session: (await world.as(users, person.jwt).getUser({})).status,
        token: (await as(secret).getDeployment({ path })).status,
        cliLogin: (await world.as(cliLogin).collectToken({ body: { token_request_key: key } })).status,
        invitation: (
          await world.as(sessions).acceptInvitation({
            body: { token: invitationLink.split('#t=')[1] ?? '', name: 'Guest', password: 'a long enough sentence' },
          })
        ).status,
      });
      return { person, statuses };
    }

    test('tokens, approved logins, invitations and sessions end', async () => {
      const where = await world.deployment();
      const { person, statuses } = await equipped(where);
      assert.equal((await as(where.admin.jwt).removeDeploymentUser({ path: ofUser(where, person) })).status, 200);
      assert.deepEqual(await statuses(), { session: 401, token: 401, cliLogin: 404, invitation: 403 });
    });

    test('tokens become those of the remover if they are kept, and sessions can be kept', async () => {
      const where = await world.deployment();
      const { person, statuses } = await equipped(where);
      const query = { keepTokens: true, keepSessions: true };
      await as(where.admin.jwt).removeDeploymentUser({ path: ofUser(where, person), query });
      assert.deepEqual(await statuses(), { session: 200, token: 200, cliLogin: 404, invitation: 403 });
      const [row] = await world.queryAsOwner<{ created_by: string }>(
        'select created_by from api_token where deployment_id = $1',
        [where.id],
      );
      assert.equal(row?.created_by, where.admin.id);
    });

    test('nothing ends in another deployment but the sessions', async () => {
      const [where, other] = [await world.deployment(), await world.deployment()];
      const { person, statuses } = await equipped(where);
      const member = { deployment: other.id, account: person.id, role: 'ORG_ROLE_MEMBER' };
      await world.inDeployment(other, (tx) => accounts.addMembership(tx, member));
      await as(other.admin.jwt).removeDeploymentUser({ path: ofUser(other, person) });
      assert.deepEqual(await statuses(), { session: 401, token: 200, cliLogin: 200, invitation: 200 });
    });
  });

  test('a login that was approved before its user lost the right to create tokens yields none', async () => {
    const where = await world.deployment();
    const person = await world.member(where, 'ORG_ROLE_ADMIN');
    const key = randomUUID();
    await world.as(cliLogin, person.jwt).confirmLogin({ path: { deploymentId: where.id }, body: { key } });
    await patch(where, person, 'ORG_ROLE_MEMBER');
    assert.equal((await world.as(cliLogin).collectToken({ body: { token_request_key: key } })).status, 404);
  });

  test('the last administrator cannot be demoted or removed, not even by themselves (AZN-09)', async () => {
    const where = await world.deployment();
    await world.member(where);
    const demoted = await patch(where, where.admin, 'ORG_ROLE_MEMBER');
    const removed = await as(where.admin.jwt).removeDeploymentUser({ path: ofUser(where, where.admin) });
    for (const { status, problem } of [demoted, removed])
      assert.deepEqual([status, problem.code], [409, 'LAST_ADMINISTRATOR']);
    assert.equal((await rolesOf(where)).get(where.admin.id), 'ORG_ROLE_ADMIN');
  });

  test('of two administrators who demote or remove each other concurrently, one remains (AZN-09)', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const where = await world.deployment();
      const other = await world.member(where, 'ORG_ROLE_ADMIN');
      const answers = await Promise.all([
        patch(where, other, 'ORG_ROLE_MEMBER'),
        as(other.jwt).removeDeploymentUser({ path: ofUser(where, where.admin) }),
      ]);
      const rows = await world.queryAsOwner(
        "select from membership where deployment_id = $1 and role = 'ORG_ROLE_ADMIN'",
        [where.id],
      );
      assert.equal(rows.length, 1, answers.map(({ status }) => status).join(' '));
    }
  });

  test('members cannot change roles, not even their own (AZN-09)', async () => {
    const person = await world.member(place);
    for (const one of [person, place.admin]) {
      const call = { path: ofUser(place, one), body: { newRole: 'ORG_ROLE_ADMIN' } } as const;
      assert.equal((await as(person.jwt).patchDeploymentUser(call)).status, 403);
    }
    assert.equal((await rolesOf(place)).get(person.id), 'ORG_ROLE_MEMBER');
  });

  test('a user id in the body that differs from the path is refused (AZN-06)', async () => {
    const person = await world.member(place);
    const call = {
      path: ofUser(place, person),
      body: { userId: place.admin.id, newRole: 'ORG_ROLE_READONLY' },
    } as const;
    assert.equal((await as(place.admin.jwt).patchDeploymentUser(call)).status, 400);
    assert.equal((await rolesOf(place)).get(person.id), 'ORG_ROLE_MEMBER');
  });
});
