import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as boards from '#services/ruleboard/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const RULES = ['js.blocks', 'js.comments', 'js.watched', 'js.disabled', 'js.unknown'];
const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'checker', rules: RULES.map((id) => ({ id })) } },
      results: RULES.map((ruleId, index) => ({
        ruleId,
        message: { text: ruleId },
        locations: [
          { physicalLocation: { artifactLocation: { uri: `src/${ruleId}.js` }, region: { startLine: index + 1 } } },
        ],
      })),
    },
  ],
});

const add = (id: string, policy: string) => ({ item: { id, type: 'rule' }, policy, update_type: 'add' });
const put = (changes: ReturnType<typeof add>[]) =>
  world
    .as(boards, place.admin.jwt)
    .updateRuleboard({ path: { deploymentId: place.id, ruleboardSlug: 'global-policy' }, body: { changes } });

async function importReport(project: string, ref: string) {
  const query = { project, ref };
  const sent = { path: { deployment: place.id }, query, upload: sarif };
  const { status, problem } = await world.as(contract, place.admin.jwt).importReport(sent);
  assert.equal(status, 200, JSON.stringify(problem));
}

const look = async (statement: string) =>
  (await world.queryAsOwner<{ text: string }>(statement, [place.id])).map(({ text }) => text);

test('the ruleboard of a project decides which findings of a report block', async () => {
  await put([
    add('r/js.blocks', 'block'),
    add('js.comments', 'comment'),
    add('js.watched', 'monitor'),
    add('js.disabled', 'disabled'),
  ]);
  await importReport('acme/shop', 'refs/pull/7/merge');
  const modes = `select rule || ' ' || mode as text from finding where deployment_id = $1 order by rule`;
  const expected = [
    'js.blocks block',
    'js.comments comment',
    'js.disabled monitor',
    'js.unknown monitor',
    'js.watched monitor',
  ];
  assert.deepEqual(await look(modes), expected);
  const eligible = `select rule_id as text from guardrail_episode where deployment_id = $1 and is_eligible order by 1`;
  assert.deepEqual(await look(eligible), ['js.blocks', 'js.comments']);
});

test('importing the same report again applies the current ruleboard', async () => {
  await put([add('js.unknown', 'block')]);
  await importReport('acme/bank', 'main');
  await put([add('js.watched', 'block')]);
  await world.queryAsOwner(`update scan set commit = 'c0ffee' where deployment_id = $1`, [place.id]);
  await importReport('acme/bank', 'main');
  const blocking = `
    select rule as text from finding join project on project.id = project_id
    where finding.deployment_id = $1 and name = 'acme/bank' and mode = 'block' order by rule`;
  assert.deepEqual(await look(blocking), ['js.blocks', 'js.unknown', 'js.watched']);
});
