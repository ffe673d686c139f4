import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rulesOfRuleset } from '#domain/rules/shipped-rules.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let onBoard: ProjectScans;
let elsewhere: ProjectScans;
let slug: string;

const evals = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    makeReportedFinding({ rule: 'js.eval', path: `src/${n}.js`, line: 1, code: `eval(${n})` }),
  );
const add = (id: string) => ({ item: { id, type: 'rule' }, policy: 'rule-board-audit', update_type: 'add' });
const at = (ruleboardSlug: string) => ({ deploymentId: place.id, ruleboardSlug });
const as = (jwt = place.admin.jwt) => world.as(contract, jwt);
type Query = Parameters<ReturnType<typeof as>['getRuleboardFindingCounts']>[0]['query'];

async function counts(ofSlug: string, { query, jwt }: { query?: Query; jwt?: string } = {}) {
  const { status, body, problem } = await as(jwt).getRuleboardFindingCounts({
    path: at(ofSlug),
    ...(query && { query }),
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body.items;
}

const zero = (ruleName: string) => ({ ruleName, open: '0', total: '0', fixRate: 0, ignoreRate: 0 });

before(async () => {
  world = await World.start();
  place = await world.deployment('Counting Works');
  onBoard = await ProjectScans.start(world, place);
  elsewhere = await ProjectScans.start(world, place);
  const board = { name: uniqueName('Board '), assigned_repos: [onBoard.project] };
  slug = (await as().createRuleboard({ path: { deploymentId: place.id }, body: board })).body.slug;
  const changes = [add('r/js.eval'), add('js.exec'), add('js.quiet')];
  await as().updateRuleboard({ path: at(slug), body: { changes } });
  await as().updateRuleboard({ path: at('global-policy'), body: { changes: [add('js.eval')] } });
  await as().updateRuleboard({
    path: at('global-policy-secrets'),
    body: { changes: [{ ...add('js.eval'), policy: 'rule-board-secrets-audit' }] },
  });
  await world.queryAsOwner(`delete from ruleboard_item where deployment_id = $1 and kind = 'ruleset'`, [place.id]);
  await onBoard.scan([
    ...evals(4),
    makeReportedFinding({ rule: 'js.exec', path: 'src/run.js', line: 1, code: 'exec()' }),
  ]);
  await onBoard.scan([
    ...evals(2),
    makeReportedFinding({ rule: 'js.exec', path: 'src/run.js', line: 1, code: 'exec()' }),
  ]);
  await onBoard.scan([makeReportedFinding({ rule: 'js.quiet', path: 'src/q.js', line: 1, code: 'q()' })], {
    ref: 'refs/pull/7/merge',
  });
  await elsewhere.scan(evals(3));
  await world.queryAsOwner(`update finding set triage_state = 'ignored' where project_id = $1 and path = 'src/0.js'`, [
    onBoard.project,
  ]);
});
after(() => world.stop());

describe('the finding counts of a ruleboard', () => {
  test('have the findings of each rule in the projects of the board, with their rates', async () => {
    assert.deepEqual(await counts(slug), [
      { ruleName: 'js.exec', open: '1', total: '1', fixRate: 0, ignoreRate: 0 },
      zero('js.quiet'),
      { ruleName: 'r/js.eval', open: '1', total: '4', fixRate: 0.5, ignoreRate: 0.25 },
    ]);
  });

  test('of a default board include all projects, and only findings of its product', async () => {
    const all = { ruleName: 'js.eval', open: '4', total: '7', fixRate: 2 / 7, ignoreRate: 1 / 7 };
    assert.deepEqual(await counts('global-policy'), [all]);
    assert.deepEqual(await counts('global-policy-secrets'), [zero('js.eval')]);
  });

  test('include the rules of rulesets', async () => {
    const young = await world.deployment();
    const { getRuleboardFindingCounts } = world.as(contract, young.admin.jwt);
    const path = { deploymentId: young.id, ruleboardSlug: 'global-policy-secrets' };
    const { items } = (await getRuleboardFindingCounts({ path })).body;
    assert.deepEqual(
      items.map(({ ruleName }) => ruleName),
      rulesOfRuleset('secrets')
        ?.map(({ rule }) => rule.id)
        .sort(),
    );
  });

  test('are restricted by since and until to findings relevant in that period', async () => {
    const [row] = await world.queryAsOwner<{ first: Date }>(
      'select min(relevant_since) as first from finding where project_id = $1',
      [elsewhere.project],
    );
    const moment = (row?.first ?? new Date(0)).toISOString();
    const of = async (query: Query) => (await counts('global-policy', { query }))[0]?.total;
    assert.equal(await of({ since: moment }), '7');
    assert.equal(await of({ until: moment }), '0');
    assert.equal(await of({ since: new Date(Date.parse(moment) + 1).toISOString() }), '0');
  });

  test('exclude invisible and archived projects (AZN-08)', async () => {
    const outsider = await world.memberWithoutTeam(place, 'ORG_ROLE_READONLY');
    assert.deepEqual(await counts('global-policy', { jwt: outsider.jwt }), [zero('js.eval')]);
    await world.queryAsOwner('update project set archived_at = now() where id = $1', [elsewhere.project]);
    assert.equal((await counts('global-policy'))[0]?.total, '4');
    await world.queryAsOwner('update project set archived_at = now() where id = $1', [onBoard.project]);
    assert.deepEqual(await counts('global-policy'), [zero('js.eval')]);
  });
});
