import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as accounts from '#domain/accounts/store.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './list-contract.ts';
import * as v1 from './v1-contract.ts';

let world: World;
let place: TestDeployment;
let other: TestDeployment;

before(async () => {
  world = await World.start();
  [place, other] = [await world.deployment('Acme'), await world.deployment('Other')];
});
after(() => world.stop());

test('v2: a user sees all deployments they belong to, in the order of joining; a token its own', async () => {
  const person = await world.member(other);
  await world.inDeployment(place, (tx) =>
    accounts.addMembership(tx, { deployment: place.id, account: person.id, role: 'ORG_ROLE_READONLY' }),
  );
  const [mine, its] = [
    { id: Number(other.id), name: 'Other' },
    { id: Number(place.id), name: 'Acme' },
  ];
  assert.deepEqual((await world.as(contract, person.jwt).listDeployments({})).body, { deployments: [mine, its] });
  const { text } = await world.token(place);
  assert.deepEqual((await world.as(contract, text).listDeployments({})).body, { deployments: [its] });
});

test('v1: a token sees exactly one deployment, with a number for its id and a link to its findings', async () => {
  const { text } = await world.token(place);
  assert.deepEqual((await world.as(v1, text).listDeployments({})).body, {
    deployments: [
      {
        id: Number(place.id),
        name: 'Acme',
        slug: 'acme',
        findings: { url: `${world.baseUrl}/api/v1/deployments/${place.id}/findings` },
      },
    ],
  });
});

test('a user without deployments sees an empty list', async () => {
  const person = await world.signIn(await world.account());
  assert.deepEqual((await world.as(v1, person.jwt).listDeployments({})).body, { deployments: [] });
});
