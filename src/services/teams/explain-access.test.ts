import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const ask = (userId: string, projectId: string, token = place.admin.jwt) =>
  world.as(contract, token).explainAccess({ path: { deploymentId: place.id }, query: { userId, projectId } });

async function explain(person: { id: string }, project: string) {
  const { status, body, text } = await ask(person.id, project);
  assert.equal(status, 200, text);
  return body;
}

const makeTeam = (name: string, parent?: string) =>
  world.inDeployment(
    place,
    async (tx) => (await teams.insert(tx, { deployment: place.id, name, parent })) ?? assert.fail(),
  );

const addMember = (team: string, person: TestUser, role: string) =>
  world.inDeployment(place, (tx) =>
    members.addMembers(tx, { deployment: place.id, team }, [{ account: person.id, role }]),
  );

const assign = (team: string, project: string) =>
  world.inDeployment(place, (tx) => members.addProjects(tx, { deployment: place.id, team }, [project]));

/** A project without a team, not even the default team. */
async function loneProject(): Promise<string> {
  const project = await world.project(place);
  await world.queryAsOwner('delete from team_project where project_id = $1', [project]);
  return project;
}

describe('access explanation', () => {
  test('names the role, the team or the parent team', async () => {
    const project = await loneProject();
    const [{ name } = assert.fail()] = await world.queryAsOwner<{ name: string }>(
      'select name from project where id = $1',
      [project],
    );
    const admin = await explain(place.admin, project);
    assert.deepEqual(
      admin.chain.map(({ kind }) => kind),
      ['ROLE'],
    );
    assert.ok(admin.isVisible && admin.permissions.includes('team:manage') && admin.role === 'ORG_ROLE_ADMIN');
    const [person, manager, stranger] = [
      await world.memberWithoutTeam(place),
      await world.memberWithoutTeam(place),
      await world.memberWithoutTeam(place),
    ];
    const parent = await makeTeam('Platform');
    const child = await makeTeam('Payments', parent);
    await assign(child, project);
    await addMember(child, person, 'TEAM_ROLE_MEMBER');
    await addMember(parent, manager, 'TEAM_ROLE_MANAGER');
    const word = (who: TestUser) => who.email.split('@')[0];
    const direct = await explain(person, project);
    assert.deepEqual(direct.chain, [
      {
        kind: 'TEAM',
        teamId: child,
        teamName: 'Payments',
        teamRole: 'TEAM_ROLE_MEMBER',
        text: `${word(person)} is a member of Payments, which has ${name}.`,
      },
    ]);
    assert.ok(direct.isVisible && direct.role === 'ORG_ROLE_MEMBER' && !direct.permissions.includes('team:manage'));
    const above = await explain(manager, project);
    assert.deepEqual(
      above.chain.map(({ kind, teamId, text }) => [kind, teamId, text]),
      [['PARENT_TEAM', parent, `${word(manager)} manages Platform, which is above Payments, which has ${name}.`]],
    );
    assert.ok(above.permissions.includes('team:manage'));
    const none = await explain(stranger, project);
    assert.deepEqual(none, { isVisible: false, role: 'ORG_ROLE_MEMBER', chain: [], permissions: [] });
  });

  test('requires an administrator of the deployment', async () => {
    const person = await world.memberWithoutTeam(place);
    const seen = await loneProject();
    assert.equal((await ask(person.id, seen, person.jwt)).problem.code, 'PERMISSION_DENIED');
    assert.equal((await ask(person.id, '999999999')).problem.code, 'NOT_FOUND');
    const foreign = await world.deployment();
    for (const [user, project] of [
      [foreign.admin.id, seen],
      [person.id, await world.project(foreign)],
    ] as const)
      assert.equal((await ask(user, project)).problem.code, 'NOT_FOUND');
  });

  test('agrees with the project list for any team hierarchy', async () => {
    const people = await Promise.all([0, 1, 2].map(() => world.memberWithoutTeam(place)));
    const shape = fc.record({
      parents: fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }),
      memberships: fc.array(fc.tuple(fc.nat(5), fc.nat(2)), { maxLength: 6 }),
      holders: fc.array(fc.nat(5), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ parents, memberships, holders }) => {
        const project = await loneProject();
        const made: string[] = [];
        for (const [index, parent] of parents.entries()) {
          // Parents come before their children; the first team has no parent.
          const above = index === 0 || parent >= index ? undefined : made[parent];
          made.push(await makeTeam(uniqueName('Team '), above));
        }
        const teamAt = (index: number) => made[index % made.length] ?? '';
        for (const [team, person] of memberships)
          await addMember(teamAt(team), people[person] ?? assert.fail(), 'TEAM_ROLE_MEMBER');
        for (const team of holders) await assign(teamAt(team), project);
        for (const person of people) {
          const caller = { ...anonymousCaller, kind: 'user' as const, userId: person.id, deployment: place.id };
          const rows = await world.inDeployment(
            place,
            (tx) => tx.rows`select from project where project.deployment_id = ${place.id} and project.id = ${project}
              and ${projectVisibilitySql(caller)}`,
          );
          assert.equal((await explain(person, project)).isVisible, rows.length === 1);
        }
        await world.queryAsOwner('delete from team_member where account_id = any($1::bigint[])', [
          people.map(({ id }) => id),
        ]);
      }),
      { numRuns: 12 },
    );
  });
});
