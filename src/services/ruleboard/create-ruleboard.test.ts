import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MAX_RULEBOARDS } from '#domain/policies/ruleboards.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const admin = (where = place) => world.as(contract, where.admin.jwt);
const path = (where = place) => ({ deploymentId: where.id });
const create = (name: string, assigned_repos?: string[], where = place) =>
  admin(where).createRuleboard({ path: path(where), body: { name, ...(assigned_repos ? { assigned_repos } : {}) } });
const reposOf = async (slug: string) => {
  const { body } = await admin().listRuleboards({ path: path() });
  return body.ruleboards.find((board) => board.slug === slug)?.assigned_repos;
};

describe('create ruleboard (seed 4.10)', () => {
  test('answers 200 with the name, the slug, default and assigned_repos', async () => {
    const project = await world.project(place);
    const { status, body } = await create('Payments & Co', [project]);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      name: 'Payments & Co',
      slug: 'payments-co',
      default: false,
      assigned_repos: [project],
    });
  });

  test('accepts an API token as well as the JWT of a user', async () => {
    const { text } = await world.token(place);
    const { status } = await world.as(contract, text).createRuleboard({ path: path(), body: { name: 'By token' } });
    assert.equal(status, 200);
  });

  test('accepts projects by id and by name, ignoring case, without duplicates', async () => {
    const [one, two] = [await world.project(place, 'acme/One'), await world.project(place, 'acme/two')];
    const { body } = await create('Mixed', [one, 'ACME/ONE', 'acme/Two']);
    assert.deepEqual(body.assigned_repos, [one, two]);
  });

  test('an id takes precedence over a name that looks like one', async () => {
    const one = await world.project(place);
    await world.project(place, one);
    const { body } = await create('Numbers', [one]);
    assert.deepEqual(body.assigned_repos, [one]);
  });

  test('moves a project from its previous board, which gets a new version', async () => {
    const project = await world.project(place);
    await create('From', [project]);
    const slug = { ...path(), ruleboardSlug: 'from' };
    const earlier = (await admin().getRuleboard({ path: slug })).headers.get('etag');
    await create('To', [project]);
    assert.deepEqual([await reposOf('from'), await reposOf('to')], [[], [project]]);
    assert.notEqual((await admin().getRuleboard({ path: slug })).headers.get('etag'), earlier);
  });

  test('foreign, unknown and empty projects are refused in the same way, and nothing is created (AZN-04)', async () => {
    const other = await world.deployment();
    const foreign = await world.project(other, 'acme/foreign');
    const mine = await world.project(place);
    const answers = [];
    for (const word of [foreign, '999999999999', 'acme/foreign', '-1', '9223372036854775808', '../x'])
      answers.push(await create('Never', [mine, word]));
    for (const { status, problem } of answers) {
      assert.equal(status, 400);
      assert.equal(problem.code, 'RULEBOARD_CHANGE_REFUSED');
      assert.deepEqual(problem.errors, answers[0]?.problem.errors);
      assert.equal(problem.errors[0]?.pointer, '#/assigned_repos/1');
    }
    assert.equal(await reposOf('never'), undefined);
  });

  test('slugs are safe and unique for any name', async () => {
    const names = [
      '../../etc',
      '..%2f..',
      'Ünïcode',
      'ｗｉｄｅ',
      '😀',
      '42',
      'list',
      'a b',
      'a-b',
      'A_B!',
      '-',
      'global policy!',
    ];
    const slugs = [];
    for (const name of names) slugs.push((await create(name)).body.slug);
    for (const slug of slugs) assert.match(slug, /^(?!\d+$)[a-z0-9][a-z0-9-]*$/);
    assert.equal(new Set(slugs).size, names.length);
    for (const ruleboardSlug of slugs)
      assert.equal((await admin().getRuleboard({ path: { ...path(), ruleboardSlug } })).status, 200);
  });

  test('names are unique, ignoring case, including the default board', async () => {
    await create('Checkout');
    for (const name of ['checkout', ' CHECKOUT ', 'global policy']) {
      const { status, problem } = await create(name);
      assert.deepEqual([status, problem.code], [409, 'RULEBOARD_NAME_TAKEN']);
    }
  });

  test('a deployment never has more boards than the quota, even with concurrent requests (LIM-04)', async () => {
    const full = await world.deployment();
    await world.queryAsOwner(
      `insert into ruleboard (deployment_id, product, name, name_key, slug)
       select $1, 'sast', 'b ' || n, 'b ' || n, 'b-' || n from generate_series(1, $2::int) as n`,
      [full.id, MAX_RULEBOARDS - 3],
    );
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(`New ${n}`, undefined, full)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...new Array(9).fill(409)]);
    assert.ok(answers.some(({ problem }) => problem.code === 'RULEBOARD_QUOTA'));
    const { body } = await admin(full).listRuleboards({ path: path(full) });
    assert.equal(body.ruleboards.length, MAX_RULEBOARDS);
  });
});
