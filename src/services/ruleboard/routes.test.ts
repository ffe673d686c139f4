import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as projects from '#domain/projects/store.ts';
import * as policyRoom from '#services/policies/contract.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const admin = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const at = (ruleboardSlug: string) => ({ ...path(), ruleboardSlug });
const makeBoard = async (assigned_repos: string[] = []) =>
  (await admin().createRuleboard({ path: path(), body: { name: uniqueName('Board '), assigned_repos } })).body.slug;

const DEFAULTS = [
  { name: 'Global Policy', slug: 'global-policy', default: true, assigned_repos: [] },
  { name: 'Global Secrets Policy', slug: 'global-policy-secrets', default: true, assigned_repos: [] },
];

describe('list ruleboards', () => {
  test('a new deployment has the default boards', async () => {
    const young = await world.deployment();
    const { body } = await world.as(contract, young.admin.jwt).listRuleboards({ path: { deploymentId: young.id } });
    assert.deepEqual(body.ruleboards, DEFAULTS);
  });

  test('a member sees no boards that are only for projects which they may not see', async () => {
    const where = await world.deployment();
    const [hidden, shown] = [await world.project(where), await world.project(where)];
    const own = { path: { deploymentId: where.id } };
    for (const [name, assigned] of [
      ['Hidden', hidden],
      ['Shown', shown],
      ['Free', ''],
    ] as const)
      await world.as(contract, where.admin.jwt).createRuleboard({
        ...own,
        body: { name, assigned_repos: assigned === '' ? [] : [assigned] },
      });
    const member = await world.member(where);
    await world.queryAsOwner('delete from team_project where project_id = $1', [hidden]);
    const theirs = world.as(contract, member.jwt);
    assert.deepEqual(
      (await theirs.listRuleboards(own)).body.ruleboards.map(({ name }) => name),
      ['Global Policy', 'Global Secrets Policy', 'Shown', 'Free'],
    );
    const get = (slug: string) => theirs.getRuleboard({ path: { ...own.path, ruleboardSlug: slug } });
    assert.deepEqual([(await get('hidden')).status, (await get('shown')).status], [404, 200]);
    const { policies } = (await world.as(policyRoom, member.jwt).listPolicies(own)).body;
    assert.equal(
      policies.some(({ name }) => name === 'Hidden'),
      false,
    );
  });

  test('the type filters the list, and without it all are listed', async () => {
    const slug = await makeBoard();
    const slugsOf = async (query: { type?: 'RULEBOARD_TYPE_SAST' | 'RULEBOARD_TYPE_SECRETS' }) =>
      (await admin().listRuleboards({ path: path(), query })).body.ruleboards.map((board) => board.slug);
    assert.deepEqual(await slugsOf({ type: 'RULEBOARD_TYPE_SECRETS' }), ['global-policy-secrets']);
    const code = await slugsOf({ type: 'RULEBOARD_TYPE_SAST' });
    assert.ok(code.includes(slug) && !code.includes('global-policy-secrets'));
    assert.deepEqual((await slugsOf({})).length, code.length + 1);
  });

  test('members see only the projects of their teams', async () => {
    const [hidden, shown] = [await world.project(place), await world.project(place)];
    const slug = await makeBoard([hidden, shown]);
    const member = world.as(contract, (await world.member(place)).jwt);
    await world.queryAsOwner('delete from team_project where project_id = $1', [hidden]);
    const { body } = await member.listRuleboards({ path: path() });
    assert.deepEqual(body.ruleboards.find((board) => board.slug === slug)?.assigned_repos, [shown]);
    const { assigned_repo_items: items } = (await member.getRuleboardOverview({ path: at(slug) })).body;
    assert.deepEqual(
      items.map(({ id }) => String(id)),
      [shown],
    );
  });
});

describe('delete a ruleboard', () => {
  test('answers 204 without content, and its projects move to the default board', async () => {
    const project = await world.project(place);
    const slug = await makeBoard([project]);
    const gone = await admin().deleteRuleboard({ path: at(slug) });
    assert.deepEqual([gone.status, gone.headers.get('content-type'), gone.body], [204, null, {}]);
    assert.equal((await admin().getRuleboard({ path: at(slug) })).status, 404);
    assert.equal((await admin().deleteRuleboard({ path: at(slug) })).status, 404);
    assert.equal(
      (await world.queryAsOwner('select from ruleboard_project where project_id = $1', [project])).length,
      0,
    );
  });

  test('the default boards cannot be deleted', async () => {
    for (const slug of ['global-policy', 'global-policy-secrets', 'global_policy']) {
      const { status, problem } = await admin().deleteRuleboard({ path: at(slug) });
      assert.deepEqual([status, problem.code], [409, 'DEFAULT_RULEBOARD']);
    }
  });

  test('If-Match prevents deleting a changed board (CON-02)', async () => {
    const slug = await makeBoard();
    const stale = await admin().deleteRuleboard({ path: at(slug), headers: { 'if-match': '"99"' } });
    assert.equal(stale.status, 412);
    assert.equal((await admin().deleteRuleboard({ path: at(slug), headers: { 'if-match': '"1"' } })).status, 204);
  });
});

describe('the overview of a ruleboard', () => {
  test('has each project with its numeric id, name, tags and SCM', async () => {
    const id = await world.project(place, 'acme/overview');
    await world.inDeployment(place, (tx) => projects.addTags(tx, { deployment: place.id, id }, ['pci', 'edge']));
    await world.queryAsOwner("update project set url = 'https://github.com/acme/overview' where id = $1", [id]);
    const slug = await makeBoard([id]);
    const { body } = await admin().getRuleboardOverview({ path: at(slug) });
    assert.deepEqual(body.assigned_repo_items, [
      { id: Number(id), name: 'acme/overview', tags: ['edge', 'pci'], scmType: 'SCM_TYPE_GITHUB' },
    ]);
    assert.deepEqual([body.slug, body.default], [slug, false]);
  });

  test('a new name keeps the slug; a list replaces the list; absent members are unchanged', async () => {
    const [one, two] = [await world.project(place), await world.project(place)];
    const slug = await makeBoard([one]);
    const name = uniqueName('Renamed ');
    const renamed = await admin().updateRuleboardOverview({ path: at(slug), body: { name } });
    assert.deepEqual(renamed.body, { name, slug, default: false, assigned_repos: [one] });
    const moved = await admin().updateRuleboardOverview({ path: at(slug), body: { assigned_repos: [two] } });
    assert.deepEqual(moved.body, { name, slug, default: false, assigned_repos: [two] });
  });

  test('a taken name and an unknown project change nothing', async () => {
    const slug = await makeBoard();
    const before = (await admin().getRuleboardOverview({ path: at(slug) })).body;
    const taken = await admin().updateRuleboardOverview({ path: at(slug), body: { name: 'Global Policy' } });
    assert.deepEqual([taken.status, taken.problem.code], [409, 'RULEBOARD_NAME_TAKEN']);
    const body = { name: uniqueName('Other '), assigned_repos: ['nobody/knows'] };
    assert.equal((await admin().updateRuleboardOverview({ path: at(slug), body })).status, 400);
    assert.deepEqual((await admin().getRuleboardOverview({ path: at(slug) })).body, before);
  });

  test('the default board can be renamed, but not assigned projects', async () => {
    const renamed = await admin().updateRuleboardOverview({
      path: at('global-policy-secrets'),
      body: { name: 'Secrets', assigned_repos: [] },
    });
    assert.deepEqual([renamed.status, renamed.body.slug], [200, 'global-policy-secrets']);
    const assigned_repos = [await world.project(place)];
    const refused = await admin().updateRuleboardOverview({ path: at('global-policy'), body: { assigned_repos } });
    assert.deepEqual([refused.status, refused.problem.code], [409, 'DEFAULT_RULEBOARD']);
  });

  test('If-Match makes a change of an outdated board a 412 (CON-02)', async () => {
    const slug = await makeBoard();
    const { headers } = await admin().getRuleboardOverview({ path: at(slug) });
    const put = () =>
      admin().updateRuleboardOverview({
        path: at(slug),
        body: { assigned_repos: [] },
        headers: { 'if-match': headers.get('etag') ?? '' },
      });
    assert.deepEqual([(await put()).status, (await put()).status], [200, 412]);
  });
});

describe('the finding counts of a ruleboard', () => {
  test('have one item for each rule on the board, with zeros for rules without findings', async () => {
    const slug = await makeBoard();
    const changes = ['b', 'a'].map((id) => ({ item: { id, type: 'rule' }, policy: 'block', update_type: 'add' }));
    const ruleset = { item: { id: 'p/unknown', type: 'ruleset' }, policy: 'block', update_type: 'add' };
    await admin().updateRuleboard({ path: at(slug), body: { changes: [...changes, ruleset] } });
    const { body } = await admin().getRuleboardFindingCounts({ path: at(slug) });
    const nothing = { open: '0', total: '0', fixRate: 0, ignoreRate: 0 };
    assert.deepEqual(body.items, [
      { ruleName: 'a', ...nothing },
      { ruleName: 'b', ...nothing },
    ]);
  });

  test('refuse a time period that ends before it starts', async () => {
    const query = { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' };
    const { status, problem } = await admin().getRuleboardFindingCounts({ path: at('global-policy'), query });
    assert.deepEqual([status, problem.code], [400, 'TIME_PERIOD_REFUSED']);
  });
});
