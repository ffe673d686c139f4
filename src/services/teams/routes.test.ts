import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as people from '#domain/people/store.ts';
import { type Person, type Place, World } from '#test/support/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: Place;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const admin = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });

async function makeTeam(
  team: Partial<Parameters<ReturnType<typeof admin>['createDeploymentTeam']>[0]['body']['team']> = {},
) {
  const { body, status, problem } = await admin().createDeploymentTeam({
    path: path(),
    body: { team: { name: `Team ${Math.random().toString(36).slice(2)}`, ...team } },
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body.team;
}

const membersOf = async (teamId: string) => {
  const { body } = await admin().listTeamUsers({ path: { ...path(), teamId } });
  return new Map(body.users.map(({ userId, role }) => [userId, role]));
};

const repositoriesOf = async (teamId: string) =>
  (await admin().listTeamRepos({ path: { ...path(), teamId } })).body.repositoryIds;

describe('check RBAC status', () => {
  test('a new deployment controls access by teams', async () => {
    const { body } = await admin().checkRbacStatus({ path: path() });
    assert.deepEqual(body, { deploymentId: place.id, enabled: true, selfServeEnabled: false });
  });
});

describe('create a team', () => {
  test('the reply is the whole team with ids and counts as strings', async () => {
    const project = await world.project(place);
    const { body } = await admin().createDeploymentTeam({
      path: path(),
      body: {
        team: {
          name: 'Payments',
          repositoryIds: [project],
          users: [{ userId: place.admin.id, role: 'TEAM_ROLE_MANAGER' }],
        },
      },
    });
    assert.deepEqual(body.team, {
      id: body.team.id,
      deploymentId: place.id,
      name: 'Payments',
      slug: 'payments',
      parentTeamId: '0',
      repositoryCount: '1',
      userCount: '1',
      childTeamCount: '0',
      isProjectDefault: false,
      isUserDefault: false,
      authorizedScopes: ['TEAM_SCOPE_DIRECT_MEMBER', 'TEAM_SCOPE_MANAGE'],
    });
  });

  test('a name is taken once per parent, ignoring case', async () => {
    const parent = await makeTeam();
    await makeTeam({ name: 'Checkout' });
    await makeTeam({ name: 'Checkout', parentTeamId: parent.id });
    const again = await admin().createDeploymentTeam({ path: path(), body: { team: { name: 'CHECKOUT' } } });
    assert.equal(again.status, 409);
    assert.equal(again.problem.code, 'TEAM_NAME_TAKEN');
  });

  test('teams nest three levels deep and no deeper', async () => {
    const first = await makeTeam();
    const second = await makeTeam({ parentTeamId: first.id });
    const third = await makeTeam({ parentTeamId: second.id });
    const fourth = await admin().createDeploymentTeam({
      path: path(),
      body: { team: { name: 'Too deep', parentTeamId: third.id } },
    });
    assert.equal(fourth.status, 400);
    assert.equal(fourth.problem.errors[0]?.code, 'TOO_DEEP');
  });

  test('a parent of another deployment and one that does not exist are refused alike (AZN-04)', async () => {
    const other = await world.deployment();
    const theirs = await world.as(contract, other.admin.jwt).createDeploymentTeam({
      path: { deploymentId: other.id },
      body: { team: { name: 'Theirs' } },
    });
    const tries = [theirs.body.team.id, '999999999'].map((parentTeamId) =>
      admin().createDeploymentTeam({ path: path(), body: { team: { name: 'Mine', parentTeamId } } }),
    );
    const [foreign, absent] = await Promise.all(tries);
    assert.equal(foreign?.status, 400);
    assert.deepEqual(foreign?.problem.errors, absent?.problem.errors);
  });
});

describe('update a team', () => {
  test('a list without actions replaces the whole list', async () => {
    const [one, two, three] = await Promise.all([world.member(place), world.member(place), world.member(place)]);
    const team = await makeTeam({ users: [{ userId: one.id, role: 'TEAM_ROLE_MANAGER' }, { userId: two.id }] });
    await admin().updateDeploymentTeam({
      path: { ...path(), teamId: team.id },
      body: { team: { users: [{ userId: one.id }, { userId: three.id, role: 'TEAM_ROLE_READONLY' }] } },
    });
    assert.deepEqual(
      await membersOf(team.id),
      new Map([
        [one.id, 'TEAM_ROLE_MANAGER'],
        [three.id, 'TEAM_ROLE_READONLY'],
      ]),
    );
  });

  test('entries that all carry an action are applied to the list that is there', async () => {
    const [one, two, three] = await Promise.all([world.member(place), world.member(place), world.member(place)]);
    const team = await makeTeam({ users: [{ userId: one.id }, { userId: two.id }] });
    const { body } = await admin().updateDeploymentTeam({
      path: { ...path(), teamId: team.id },
      body: {
        team: {
          users: [
            { userId: one.id, action: 'UPDATE_ACTION_UPDATE', role: 'TEAM_ROLE_MANAGER' },
            { userId: two.id, action: 'UPDATE_ACTION_REMOVE' },
            { userId: three.id, action: 'UPDATE_ACTION_ADD' },
          ],
        },
      },
    });
    assert.equal(body.team.userCount, '2');
    assert.deepEqual(
      await membersOf(team.id),
      new Map([
        [one.id, 'TEAM_ROLE_MANAGER'],
        [three.id, 'TEAM_ROLE_MEMBER'],
      ]),
    );
  });

  test('a mix of entries with and without action is refused and changes nothing', async () => {
    const [one, two] = await Promise.all([world.member(place), world.member(place)]);
    const team = await makeTeam({ users: [{ userId: one.id }] });
    const { status, problem } = await admin().updateDeploymentTeam({
      path: { ...path(), teamId: team.id },
      body: { team: { name: 'Renamed', users: [{ userId: two.id, action: 'UPDATE_ACTION_ADD' }, { userId: one.id }] } },
    });
    assert.equal(status, 400);
    assert.equal(problem.errors[0]?.code, 'MIXED_ACTIONS');
    const { body } = await admin().getDeploymentTeam({ path: { ...path(), teamId: team.id } });
    assert.deepEqual(body.team, team);
  });

  test('one unknown id refuses the whole change, and foreign ids look like absent ones (TEN-05, AZN-04)', async () => {
    const other = await world.deployment();
    const foreign = await world.project(other);
    const mine = await world.project(place);
    const team = await makeTeam();
    const change = (repositoryId: string) =>
      admin().updateDeploymentTeam({
        path: { ...path(), teamId: team.id },
        body: { team: { repositories: [{ repositoryId: mine }, { repositoryId }] } },
      });
    for (const unknown of [foreign, '888888888']) {
      const { status, problem } = await change(unknown);
      assert.equal(status, 400);
      assert.equal(problem.errors[0]?.detail.replace(unknown, 'N'), 'repository N is not known in this deployment');
    }
    assert.deepEqual(await repositoriesOf(team.id), []);
  });

  test('more than 500 entries are refused', async () => {
    const team = await makeTeam();
    const repositories = Array.from({ length: 501 }, (_, index) => ({ repositoryId: String(index + 1) }));
    const { status } = await admin().updateDeploymentTeam({
      path: { ...path(), teamId: team.id },
      body: { team: { repositories } },
    });
    assert.equal(status, 400);
  });

  test('a stale If-Match is refused, the present one is not, and the version rises by one (CON-02)', async () => {
    const team = await makeTeam();
    const call = { path: { ...path(), teamId: team.id }, body: { team: { name: 'Once' } } };
    const { headers } = await admin().getDeploymentTeam({ path: call.path });
    const etag = headers.get('etag') ?? '';
    const first = await admin().updateDeploymentTeam({ ...call, headers: { 'if-match': etag } });
    assert.equal(first.status, 200);
    assert.notEqual(first.headers.get('etag'), etag);
    const second = await admin().updateDeploymentTeam({
      ...call,
      body: { team: { name: 'Twice' } },
      headers: { 'if-match': etag },
    });
    assert.equal(second.status, 412);
    assert.equal(second.problem.code, 'VERSION_MISMATCH');
  });

  test('adds by many clients at once lose nothing (CON-03)', async () => {
    const team = await makeTeam();
    const projects = await Promise.all(Array.from({ length: 24 }, () => world.project(place)));
    const answers = await Promise.all(
      projects.map((repositoryId) =>
        admin().updateDeploymentTeam({
          path: { ...path(), teamId: team.id },
          body: { team: { repositories: [{ repositoryId, action: 'UPDATE_ACTION_ADD' }] } },
        }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(new Set(await repositoriesOf(team.id)), new Set(projects));
  });

  test('a user who leaves while being added is no error of the server', async () => {
    for (let round = 0; round < 12; round++) {
      const leaving = await world.member(place);
      const team = await makeTeam();
      const [added] = await Promise.all([
        admin().updateDeploymentTeam({
          path: { ...path(), teamId: team.id },
          body: { team: { users: [{ userId: leaving.id, action: 'UPDATE_ACTION_ADD' }] } },
        }),
        world.in(place, (tx) => people.leave(tx, { deployment: place.id, account: leaving.id })),
      ]);
      assert.ok([200, 400].includes(added.status), JSON.stringify(added.problem));
    }
  });

  test('members of the change object that the contract does not name have no effect (AZN-05)', async () => {
    const team = await makeTeam();
    const body = { team: { name: 'Plain', isUserDefault: true, parentTeamId: '1', deploymentId: '1', version: 99 } };
    const { status } = await admin().updateDeploymentTeam({ path: { ...path(), teamId: team.id }, body });
    assert.equal(status, 200);
    const after = await admin().getDeploymentTeam({ path: { ...path(), teamId: team.id } });
    assert.deepEqual({ ...after.body.team, name: team.name, slug: team.slug }, team);
  });
});

describe('list teams', () => {
  test('names come back letter by letter, in their order, and each page goes on where the last one ended', async () => {
    const other = await world.deployment('Zz');
    const names = ['"quoted"', '{"id":"1"}', "Bobby'); drop", 'a\\b', 'é\u2028\u{1F600}', '</script>'];
    const caller = world.as(contract, other.admin.jwt);
    const where = { deploymentId: other.id };
    for (const name of names) await caller.createDeploymentTeam({ path: where, body: { team: { name } } });
    const listed: string[] = [];
    for (let cursor = '', isFirst = true; isFirst || cursor !== ''; isFirst = false) {
      const { body } = await caller.listDeploymentTeams({ path: where, body: { limit: '2', cursor } });
      listed.push(...body.teams.map(({ name }) => name));
      cursor = body.cursor ?? '';
    }
    const bytes = (text: string) => Buffer.from(text);
    assert.deepEqual(
      listed,
      [...names, 'Zz'].sort((one, two) => Buffer.compare(bytes(one), bytes(two))),
    );
  });

  test('tells of each team what the team itself tells, whoever asks and however long the pages are', async () => {
    const other = await world.deployment('Counted');
    const where = { deploymentId: other.id };
    const [manager, member] = [await world.outsider(other), await world.outsider(other)];
    const projects = await Promise.all([world.project(other), world.project(other), world.project(other)]);
    const make = async (team: Parameters<ReturnType<typeof admin>['createDeploymentTeam']>[0]['body']['team']) =>
      (await world.as(contract, other.admin.jwt).createDeploymentTeam({ path: where, body: { team } })).body.team.id;
    const users = [{ userId: manager.id, role: 'TEAM_ROLE_MANAGER' as const }, { userId: member.id }];
    const top = await make({ name: 'Top', repositoryIds: projects, users });
    const below = await make({ name: 'Below', parentTeamId: top, users: [{ userId: member.id }] });
    for (const name of ['A', 'B']) await make({ name, parentTeamId: below, repositoryIds: projects.slice(1) });
    await make({ name: 'Elsewhere', repositoryIds: projects.slice(2), users: [{ userId: other.admin.id }] });
    const seen: number[] = [];
    for (const token of [other.admin.jwt, manager.jwt, member.jwt, (await world.token(other)).text]) {
      const caller = world.as(contract, token);
      const listed = (await caller.listDeploymentTeams({ path: where, body: { limit: '100' } })).body.teams;
      for (const team of listed)
        assert.deepEqual(team, (await caller.getDeploymentTeam({ path: { ...where, teamId: team.id } })).body.team);
      const paged = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { body }: Awaited<ReturnType<typeof caller.listDeploymentTeams>> = await caller.listDeploymentTeams({
          path: where,
          body: { limit: '1', cursor },
        });
        paged.push(...body.teams);
        cursor = body.cursor || undefined;
      }
      assert.deepEqual(paged, listed);
      seen.push(listed.length);
    }
    assert.deepEqual(seen, [6, 4, 4, 6]);
  });
});

describe('delete a team', () => {
  test('the first time is 200 with an empty object, the second is 404 (CON-05)', async () => {
    const team = await makeTeam();
    const first = await admin().deleteDeploymentTeam({ path: { ...path(), teamId: team.id } });
    assert.deepEqual([first.status, first.body], [200, {}]);
    assert.equal((await admin().deleteDeploymentTeam({ path: { ...path(), teamId: team.id } })).status, 404);
  });

  test('a team with sub-teams stays until they are gone', async () => {
    const parent = await makeTeam();
    await makeTeam({ parentTeamId: parent.id });
    const { status, problem } = await admin().deleteDeploymentTeam({ path: { ...path(), teamId: parent.id } });
    assert.deepEqual([status, problem.code], [409, 'TEAM_HAS_CHILDREN']);
  });

  test('the default team stays', async () => {
    const { body } = await admin().listDeploymentTeams({ path: path(), body: { filter: { name: 'acme' } } });
    const { problem } = await admin().deleteDeploymentTeam({ path: { ...path(), teamId: body.teams[0]?.id ?? '' } });
    assert.equal(problem.code, 'DEFAULT_TEAM');
  });
});

describe('team-scoped members', () => {
  let outsider: Person;
  let parent: { id: string };
  let child: { id: string };

  before(async () => {
    outsider = await world.outsider(place);
    parent = await makeTeam({ users: [{ userId: outsider.id, role: 'TEAM_ROLE_MANAGER' }] });
    child = await makeTeam({ parentTeamId: parent.id });
  });

  test('see their own teams and the teams below, and nothing else', async () => {
    const { body } = await world.as(contract, outsider.jwt).listDeploymentTeams({ path: path(), body: {} });
    assert.deepEqual(new Set(body.teams.map(({ id }) => id)), new Set([parent.id, child.id]));
  });

  test('manage what they are managers of, and the teams below it', async () => {
    const { status } = await world.as(contract, outsider.jwt).updateDeploymentTeam({
      path: { ...path(), teamId: child.id },
      body: { team: { name: 'Managed from above' } },
    });
    assert.equal(status, 200);
  });

  test('cannot pull in a repository that they do not see (AZN-04)', async () => {
    const hidden = await world.project(place);
    const { status } = await world.as(contract, outsider.jwt).updateDeploymentTeam({
      path: { ...path(), teamId: child.id },
      body: { team: { repositories: [{ repositoryId: hidden, action: 'UPDATE_ACTION_ADD' }] } },
    });
    assert.equal(status, 400);
  });

  test('a member of a team who is not its manager may look but not change', async () => {
    const member = await world.outsider(place);
    const team = await makeTeam({ users: [{ userId: member.id }] });
    const caller = world.as(contract, member.jwt);
    const shown = await caller.getDeploymentTeam({ path: { ...path(), teamId: team.id } });
    assert.deepEqual(shown.body.team.authorizedScopes, ['TEAM_SCOPE_DIRECT_MEMBER']);
    const change = await caller.updateDeploymentTeam({
      path: { ...path(), teamId: team.id },
      body: { team: { name: 'No' } },
    });
    assert.deepEqual([change.status, change.problem.code], [403, 'PERMISSION_DENIED']);
  });
});
