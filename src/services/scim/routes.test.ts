import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enrollMember } from '#domain/teams/enrollment.ts';
import * as sessions from '#services/sessions/contract.ts';
import * as tokenContract from '#services/token/contract.ts';
import * as users from '#services/users/contract.ts';
import { PASSWORD, type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import * as settings from './settings-contract.ts';

let world: World;
before(async () => {
  world = await World.start({ PARAPET_LIMIT_API: '100000', PARAPET_LIMIT_WRITE: '100000' });
});
after(() => world.stop());

async function connect(place: TestDeployment) {
  const path = { deploymentId: place.id };
  const { body } = await world.as(settings, place.admin.jwt).createScimToken({ path, body: {} });
  return { idp: world.as(contract, body.secret), secret: body.secret, settings: body.settings };
}
const statusOf = async (person: TestUser) => (await world.as(users, person.jwt).getUser({})).status;
const isMember = async (place: TestDeployment, account: string) =>
  (await world.queryAsOwner('select from membership where deployment_id = $1 and account_id = $2', [place.id, account]))
    .length === 1;
const teamsOf = async (place: TestDeployment, account: string) =>
  (
    await world.queryAsOwner<{ name: string }>(
      `select team.name from team_member
       join team on team.deployment_id = team_member.deployment_id and team.id = team_id
       where team.deployment_id = $1 and account_id = $2 and not is_user_default order by name`,
      [place.id, account],
    )
  ).map(({ name }) => name);
const person = (userName: string, more = {}) => ({ body: { userName, ...more } });
const deactivate = { Operations: [{ op: 'replace', path: 'active', value: 'False' }] };

test('deprovisioning ends membership, sessions and tokens at once, and leaves other deployments alone', async () => {
  const place = await world.deployment();
  const other = await world.deployment();
  const { idp } = await connect(place);
  const member = await world.member(place, 'ORG_ROLE_ADMIN');
  await world.queryAsOwner(
    `insert into membership (deployment_id, account_id, role) values ($1, $2, 'ORG_ROLE_MEMBER')`,
    [other.id, member.id],
  );
  const token = await world.as(tokenContract, member.jwt).createToken({
    path: { deploymentId: place.id },
    body: { name: 'x', role: 'TOKEN_ROLE_WEBAPI', webApi: true },
  });
  const made = await idp.createScimUser(person(member.email));
  assert.equal(made.status, 201);
  const path = { scimUserId: made.body.id as never };
  assert.equal(await isMember(place, member.id), true, 'linking changes nothing');
  const off = await idp.patchScimUser({ path, body: deactivate });
  assert.deepEqual([off.status, off.body.active], [200, false]);
  assert.deepEqual(
    [await isMember(place, member.id), await isMember(other, member.id), await statusOf(member)],
    [false, true, 401],
  );
  const refused = await world.as(users, token.body.secret).getUser({});
  assert.equal(refused.status, 401);
  const [account] = await world.queryAsOwner<{ disabled_at: string | null }>(
    'select disabled_at from account where id = $1',
    [member.id],
  );
  assert.equal(account?.disabled_at, null, 'the account stays');
  const signedIn = await world.as(sessions).createSession({ body: { email: member.email, password: PASSWORD } });
  assert.equal(signedIn.status, 200);
  // Who was a member before becomes one again, with the default role; a deletion ends that too.
  await idp.patchScimUser({ path, body: { Operations: [{ op: 'replace', value: { active: true } }] } });
  assert.equal(await isMember(place, member.id), true);
  assert.equal((await idp.deleteScimUser({ path })).status, 204);
  assert.equal(await isMember(place, member.id), false);
  assert.equal((await idp.getScimUser({ path })).status, 404);
});

test('nobody becomes a member without accepting, and who accepts joins the teams of their groups', async () => {
  const place = await world.deployment();
  const { idp } = await connect(place);
  const stranger = await world.account();
  const made = await idp.createScimUser(person(uniqueName('ada'), { emails: [{ value: stranger.email }] }));
  const group = await idp.createScimGroup({
    body: { displayName: 'Engineers', members: [{ value: made.body.id as never }] },
  });
  assert.equal(group.status, 201);
  assert.equal(await isMember(place, stranger.id), false);
  const [invitation] = await world.queryAsOwner<{ email: string; role: string }>(
    'select email, role from invitation where deployment_id = $1',
    [place.id],
  );
  assert.deepEqual(invitation?.email, stranger.email);
  // The owner of the address accepts, in whatever way they join.
  await world.inDeployment(place, (tx) =>
    enrollMember(tx, { deployment: place.id, account: stranger.id, role: 'ORG_ROLE_READONLY' }),
  );
  assert.deepEqual(await teamsOf(place, stranger.id), ['Engineers']);
  const listed = await idp.listScimUsers({ query: { filter: `groups.display eq "Engineers"` } });
  assert.deepEqual(
    listed.body.Resources.map(({ id }) => id),
    [made.body.id],
  );
  // An invitation that nobody accepted is cancelled with the person.
  const late = await idp.createScimUser(person('late@example.com'));
  await idp.patchScimUser({ path: { scimUserId: late.body.id as never }, body: deactivate });
  const left = await world.queryAsOwner('select from invitation where deployment_id = $1 and email_key = $2', [
    place.id,
    'late@example.com',
  ]);
  assert.equal(left.length, 0);
});

test('groups manage only the people who were provisioned, and keep the team when they are deleted', async () => {
  const place = await world.deployment();
  const { idp } = await connect(place);
  const [managed, manual] = [await world.member(place), await world.member(place)];
  const { body } = await idp.createScimUser(person(managed.email));
  const member = [{ value: body.id as never }];
  const { body: group } = await idp.createScimGroup({ body: { displayName: 'Payments', members: member } });
  const path = { scimGroupId: group.id as never };
  const [team] = await world.queryAsOwner<{ id: string }>(
    `select id from team where deployment_id = $1 and name = 'Payments'`,
    [place.id],
  );
  await world.queryAsOwner(`insert into team_member values ($1, $2, $3, 'TEAM_ROLE_MANAGER')`, [
    place.id,
    team?.id,
    manual.id,
  ]);
  assert.deepEqual(await teamsOf(place, managed.id), ['Payments']);
  const remove = { Operations: [{ op: 'remove', path: `members[value eq "${body.id}"]` }] };
  const changed = await idp.patchScimGroup({ path, body: remove });
  assert.equal(changed.body.members, undefined);
  assert.deepEqual([await teamsOf(place, managed.id), await teamsOf(place, manual.id)], [[], ['Payments']]);
  const renamed = {
    Operations: [
      { op: 'replace', value: { displayName: 'Ledger' } },
      { op: 'add', path: 'members', value: member },
    ],
  };
  await idp.patchScimGroup({ path, body: renamed });
  assert.deepEqual(await teamsOf(place, managed.id), ['Ledger']);
  assert.equal((await idp.createScimGroup({ body: { displayName: 'ledger' } })).status, 409);
  assert.equal((await idp.deleteScimGroup({ path })).status, 204);
  assert.deepEqual([await teamsOf(place, managed.id), await teamsOf(place, manual.id)], [[], ['Ledger']]);
  // Another deployment's people cannot be put into a group.
  const foreign = await (await connect(await world.deployment())).idp.createScimUser(person(uniqueName('x')));
  const refused = await idp.createScimGroup({
    body: { displayName: 'Foreign', members: [{ value: foreign.body.id as never }] },
  });
  assert.equal(refused.status, 400);
});

test('the last administrator is never deprovisioned', async () => {
  const place = await world.deployment();
  const { idp } = await connect(place);
  const { body } = await idp.createScimUser(person(place.admin.email));
  const path = { scimUserId: body.id as never };
  assert.deepEqual(
    [(await idp.patchScimUser({ path, body: deactivate })).status, (await idp.deleteScimUser({ path })).status],
    [409, 409],
  );
  assert.equal(await statusOf(place.admin), 200);
  assert.equal((await idp.getScimUser({ path })).body.active, true);
});

test('lists are filtered and paged, names are unique, and stale versions are refused', async () => {
  const place = await world.deployment();
  const { idp, secret } = await connect(place);
  for (const n of [1, 2, 3, 4, 5]) await idp.createScimUser(person(`u${n}`, { externalId: `E${n}`, title: 'Dr' }));
  const page = await idp.listScimUsers({ query: { filter: 'title eq "dr"', startIndex: '2', count: '2' } });
  const { totalResults, startIndex, itemsPerPage, Resources } = page.body;
  assert.deepEqual([totalResults, startIndex, itemsPerPage], [5, 2, 2]);
  assert.deepEqual(
    Resources.map(({ userName }) => userName),
    ['u2', 'u3'],
  );
  const only = await idp.listScimUsers({ query: { filter: 'externalId eq "E4"', attributes: 'userName' } });
  assert.deepEqual(Object.keys(only.body.Resources[0] ?? {}).sort(), ['id', 'schemas', 'userName']);
  const same = await fetch(`${world.baseUrl}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ userName: 'U1' }),
  });
  const error = (await same.json()) as Record<string, unknown>;
  assert.deepEqual([same.status, error['scimType'], error['status']], [409, 'uniqueness', '409']);
  assert.match(same.headers.get('content-type') ?? '', /^application\/scim\+json/);
  assert.equal((await idp.listScimUsers({ query: { filter: 'userName is "x"' } })).status, 400);
  const path = { scimUserId: Resources[0]?.id as never };
  const current = await idp.getScimUser({ path });
  const etag = current.headers.get('etag') ?? '';
  const title = (value: string) => ({ Operations: [{ op: 'replace', path: 'title', value }] });
  assert.equal((await idp.patchScimUser({ path, body: title('A'), headers: { 'if-match': etag } })).status, 200);
  assert.equal((await idp.patchScimUser({ path, body: title('B'), headers: { 'if-match': etag } })).status, 412);
});

test('the token provisions and does nothing else; a new one replaces it', async () => {
  const place = await world.deployment();
  const first = await connect(place);
  assert.equal((await world.as(users, first.secret).getUser({})).status, 403);
  const { body } = await world.as(settings, place.admin.jwt).getScimSettings({ path: { deploymentId: place.id } });
  assert.deepEqual([body.settings.enabled, body.settings.tokenSuffix], [true, first.secret.slice(-4)]);
  await first.idp.createScimUser(person('one@example.com'));
  const after = await world.as(settings, place.admin.jwt).getScimSettings({ path: { deploymentId: place.id } });
  assert.equal(after.body.settings.lastChange, 'one@example.com was provisioned');
  assert.ok(after.body.settings.lastCallAt);
  const second = await connect(place);
  assert.deepEqual(
    [(await first.idp.getServiceProviderConfig({})).status, (await second.idp.getServiceProviderConfig({})).status],
    [401, 200],
  );
  const listed = await world.as(tokenContract, place.admin.jwt).listTokens({ path: { deploymentId: place.id } });
  assert.deepEqual(listed.body.tokens, []);
  await world.as(settings, place.admin.jwt).deleteScimToken({ path: { deploymentId: place.id } });
  assert.equal((await second.idp.getServiceProviderConfig({})).status, 401);
});
