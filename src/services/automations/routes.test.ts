import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const admin = (where: TestDeployment = place) => world.as(contract, where.admin.jwt);
type Draft = Parameters<ReturnType<typeof admin>['createAutomation']>[0]['body']['automation'];

const severe: Draft['filters'] = { conditions: [{ type: 'CONDITION_TYPE_SEVERITY', values: ['critical'] }] };
const draft: Draft = { name: 'Severe', filters: severe, actions: [{ type: 'ACTION_TYPE_PR_COMMENT' }] };

const create = (changed: Partial<Draft> = {}, where: TestDeployment = place) =>
  admin(where).createAutomation({ path: { deploymentId: where.id }, body: { automation: { ...draft, ...changed } } });
const update = (automationId: string, changed: Partial<Draft> = {}, headers: Record<string, string> = {}) =>
  admin().updateAutomation({
    path: { deploymentId: place.id, automationId },
    body: { automation: { ...draft, ...changed } },
    headers,
  });
const list = async (where: TestDeployment = place) =>
  (await admin(where).listAutomations({ path: { deploymentId: where.id } })).body.automations;
const refusals = (reply: Awaited<ReturnType<typeof create>>) => {
  assert.deepEqual([reply.status, reply.problem.code], [400, 'AUTOMATION_REFUSED']);
  return reply.problem.errors.map(({ pointer, code }) => `${pointer} ${code}`);
};

describe('create an automation', () => {
  test('the reply is the whole record, with defaults for absent members', async () => {
    const { status, body, headers } = await create();
    assert.equal(status, 200);
    const { automation } = body;
    const [account] = await world.queryAsOwner<{ name: string }>('select name from account where id = $1', [
      place.admin.id,
    ]);
    assert.deepEqual(automation, {
      filters: {
        mode: 'MODE_ALL',
        conditions: [{ mode: 'MODE_ANY', type: 'CONDITION_TYPE_SEVERITY', values: ['critical'] }],
      },
      actions: [{ type: 'ACTION_TYPE_PR_COMMENT', config: {}, id: '1' }],
      active: true,
      name: 'Severe',
      description: '',
      createdBy: account?.name,
      createdAt: automation.createdAt,
      updatedAt: automation.createdAt,
      id: automation.id,
      updatedBy: account?.name,
      internalOnly: false,
      triggerSource: 'TRIGGER_SOURCE_SCAN',
    });
    assert.equal(headers.get('etag'), '"1"');
    assert.deepEqual((await list()).at(-1), automation);
  });

  test('read-only members cannot be set (AZN-05)', async () => {
    const { body } = await create({ id: '7', createdBy: 'root', updatedBy: 'root', internalOnly: true });
    assert.notEqual(body.automation.id, '7');
    assert.notEqual(body.automation.createdBy, 'root');
    assert.equal(body.automation.internalOnly, false);
  });

  test('values are returned in canonical spelling, without duplicates', async () => {
    const values = ['SEVERITY_HIGH', 'high', 'Low'];
    const { body } = await create({ filters: { conditions: [{ type: 'CONDITION_TYPE_SEVERITY', values }] } });
    assert.deepEqual(body.automation.filters.conditions[0]?.values, ['high', 'low']);
  });

  test('all errors are reported at once, by pointer', async () => {
    const reply = await create({
      filters: {
        mode: 'MODE_UNKNOWN',
        conditions: [{ type: 'CONDITION_TYPE_SEVERITY', values: ['critical', 'terrible'] }],
      },
      actions: [{ type: 'ACTION_TYPE_BLOCK' }, { type: 'ACTION_TYPE_JIRA', config: { project_id: '1' } }],
    });
    assert.deepEqual(refusals(reply), [
      '#/automation/filters/conditions/0/values/1 UNKNOWN_VALUE',
      '#/automation/filters/mode UNSUPPORTED',
      '#/automation/actions/0/type MISSING_DEPENDENT_ACTION',
      '#/automation/actions/1/config/credential_slug REQUIRED',
    ]);
  });

  test('conditions that exclude each other are refused with the reason', async () => {
    const conditions = ['high', 'low'].map((value) => ({ type: 'CONDITION_TYPE_SEVERITY' as const, values: [value] }));
    const reply = await create({ filters: { conditions } });
    assert.deepEqual(refusals(reply), ['#/automation/filters NEVER_TRUE']);
    assert.match(reply.problem.errors[0]?.detail ?? '', /CONDITION_TYPE_SEVERITY exclude each other/);
    assert.equal((await create({ filters: { mode: 'MODE_ANY', conditions } })).status, 200);
  });

  test('a project of another deployment and one that does not exist are refused in the same way (AZN-04)', async () => {
    const [mine, theirs] = [await world.project(place), await world.project(await world.deployment())];
    const naming = (id: string) =>
      create({ filters: { conditions: [{ type: 'CONDITION_TYPE_REPOSITORY_ID', values: [mine, id] }] } });
    const [foreign, absent] = [await naming(theirs), await naming('999999999')];
    assert.deepEqual(refusals(foreign), ['#/automation/filters/conditions/0/values/1 UNKNOWN_REFERENCE']);
    assert.deepEqual(foreign.problem.errors, absent.problem.errors);
  });

  test('an automation without conditions or without actions is refused', async () => {
    assert.equal((await create({ filters: { conditions: [] } })).status, 400);
    assert.equal((await create({ actions: [] })).status, 400);
  });

  test('filters and actions of more than 16 KiB are refused', async () => {
    const values = Array.from({ length: 100 }, (_, index) => `${index}-${'x'.repeat(200)}`);
    const reply = await create({ filters: { conditions: [{ type: 'CONDITION_TYPE_PATH', values }] } });
    assert.deepEqual(refusals(reply), ['#/automation TOO_LARGE']);
  });

  test('a long config key is shortened in the error (ERR-01)', async () => {
    const config = { ['x'.repeat(300_000)]: 'x' };
    const { status, problem } = await create({ actions: [{ type: 'ACTION_TYPE_PR_COMMENT', config }] });
    assert.equal(status, 400);
    assert.ok(JSON.stringify(problem).length < 4000);
  });

  test('there are never more than 500, even with concurrent requests (LIM-04)', async () => {
    const where = await world.deployment();
    await makeObject({ world, place: where }, 'Automation');
    await world.queryAsOwner(
      `insert into automation (deployment_id, slug, name, description, mode, trigger_source, filters, actions,
                               last_action_id, created_by, updated_by)
       select deployment_id, 'copy-' || number, name, description, mode, trigger_source, filters, actions, 1, '', ''
       from automation, generate_series(1, 498) as number where deployment_id = $1`,
      [where.id],
    );
    const replies = await Promise.all(Array.from({ length: 50 }, () => create({}, where)));
    const made = replies.filter(({ status }) => status === 200);
    assert.equal(made.length, 1);
    assert.ok(replies.every(({ status, problem }) => status === 200 || problem.code === 'AUTOMATION_QUOTA'));
    assert.equal((await list(where)).length, contract.MAX_AUTOMATIONS);
  });
});

describe('update an automation', () => {
  test('replaces it, and keeps optional members that are absent', async () => {
    const { automation } = (
      await create({ active: false, description: 'paused', triggerSource: 'TRIGGER_SOURCE_MANUAL' })
    ).body;
    const { status, body } = await update(automation.id, { name: 'Renamed' });
    assert.equal(status, 200);
    assert.deepEqual(body.automation, { ...automation, name: 'Renamed', updatedAt: body.automation.updatedAt });
    const on = await update(automation.id, { active: true, description: '' });
    assert.deepEqual([on.body.automation.active, on.body.automation.description], [true, '']);
  });

  test('keeps the order and the ids of its actions, and never reuses an id', async () => {
    const jira = { type: 'ACTION_TYPE_JIRA' as const, config: { project_id: '1', credential_slug: 'acme' } };
    const comment = { type: 'ACTION_TYPE_PR_COMMENT' as const };
    const idsOf = ({ body }: Awaited<ReturnType<typeof create>>) => body.automation.actions.map(({ id }) => id);
    const made = await create({ actions: [comment, jira] });
    const { id } = made.body.automation;
    assert.deepEqual(idsOf(made), ['1', '2']);
    assert.deepEqual(idsOf(await update(id, { actions: [jira, comment] })), ['2', '1']);
    assert.deepEqual(idsOf(await update(id, { actions: [comment] })), ['1']);
    assert.deepEqual(idsOf(await update(id, { actions: [jira, comment] })), ['3', '1']);
    const renamed = { ...jira, id: '3', config: { ...jira.config, project_id: '2' } };
    assert.deepEqual(idsOf(await update(id, { actions: [comment, renamed] })), ['1', '3']);
    assert.deepEqual(refusals(await update(id, { actions: [{ ...comment, id: '2' }] })), [
      '#/automation/actions/0/id UNKNOWN_REFERENCE',
    ]);
  });

  test('ids in the body must agree with the path (AZN-06)', async () => {
    const { automation } = (await create()).body;
    assert.deepEqual(refusals(await update(automation.id, { id: '1234567' })), ['#/automation/id PATH_MISMATCH']);
    const other = await admin().updateAutomation({
      path: { deploymentId: place.id, automationId: automation.id },
      body: { automation: draft, automationId: '1234567' },
    });
    assert.equal(other.status, 400);
    assert.equal((await update(automation.id, { id: automation.id })).status, 200);
  });

  test('with If-Match one of two concurrent changes succeeds (CON-03)', async () => {
    const { body, headers } = await create();
    const tag = { 'if-match': headers.get('etag') ?? '' };
    const tries = await Promise.all(['One', 'Two'].map((name) => update(body.automation.id, { name }, tag)));
    assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 412]);
    assert.equal(tries.find(({ status }) => status === 200)?.headers.get('etag'), '"2"');
  });

  test('a refused change has no effect', async () => {
    const { automation } = (await create()).body;
    assert.equal((await update(automation.id, { name: 'No', actions: [{ type: 'ACTION_TYPE_BLOCK' }] })).status, 400);
    assert.deepEqual(
      (await list()).find(({ id }) => id === automation.id),
      automation,
    );
  });
});

describe('the lists', () => {
  test('are in order of creation, as a whole and in pages', async () => {
    const where = await world.deployment();
    const made: string[] = [];
    for (const name of ['Zulu', 'Alpha', 'Mike']) made.push((await create({ name }, where)).body.automation.id);
    assert.deepEqual(
      (await list(where)).map(({ id }) => id),
      made,
    );
    const page = (cursor = '') =>
      admin(where).listAutomationsV2({ path: { deploymentId: where.id }, query: { limit: '2', cursor } });
    const first = (await page()).body;
    const second = (await page(first.cursor)).body;
    assert.deepEqual([...first.automations, ...second.automations], await list(where));
    assert.equal(second.cursor, '');
  });

  test('are readable by all members, and changed only by administrators', async () => {
    const reader = world.as(contract, (await world.member(place, 'ORG_ROLE_READONLY')).jwt);
    assert.equal((await reader.listAutomations({ path: { deploymentId: place.id } })).status, 200);
    const body = { automation: draft };
    assert.equal((await reader.createAutomation({ path: { deploymentId: place.id }, body })).status, 403);
  });
});
