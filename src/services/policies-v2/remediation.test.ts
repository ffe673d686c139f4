import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { conditionValues } from '#domain/unified-policies/remediation-words.ts';
import * as automations from '#services/automations/contract.ts';
import { automationOf, condition } from '#test/support/factories/automations.ts';
import { makeMigratedDeployment } from '#test/support/factories/ruleboards.ts';
import { checkProperty } from '#test/support/properties.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const GO = 'parapet.go.weak-cipher';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

interface Scene {
  place: TestDeployment;
  token: string;
}

async function migrated(): Promise<Scene> {
  const place = await world.deployment();
  await makeMigratedDeployment({ world, place });
  return { place, token: (await world.token(place)).text };
}

const client = ({ token }: Scene) => world.as(contract, token);
const pathOf = ({ place }: Scene) => ({ deploymentId: place.id });
const show = async (scene: Scene) => (await client(scene).getRemediationPolicies({ path: pathOf(scene) })).body;
type Draft = NonNullable<Parameters<ReturnType<typeof client>['applyRemediationPolicies']>[0]['body']>['bundle'];
type PolicyDraft = NonNullable<Draft['policies']>[number];
const put = async (scene: Scene, policies: PolicyDraft[], version?: string) =>
  client(scene).applyRemediationPolicies({
    path: pathOf(scene),
    body: { bundle: { policies } },
    headers: { 'if-match': version ?? (await show(scene)).state_version },
  });
const apply = async (scene: Scene, ...policies: PolicyDraft[]) => {
  const answer = await put(scene, policies);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const plan = async (scene: Scene, ...policies: PolicyDraft[]) =>
  (await client(scene).dryRunRemediationPolicies({ path: pathOf(scene), body: { bundle: { policies } } })).body;

const policy = (change: Partial<PolicyDraft> = {}): PolicyDraft => ({
  name: 'Block criticals',
  filters: { mode: 'all', conditions: [{ type: 'severity', values: ['critical', 'high'] }] },
  actions: [{ type: 'block' }, { type: 'pr_comment' }],
  ...change,
});
const on = (type: string, ...values: string[]): Partial<PolicyDraft> => ({
  filters: { mode: 'all', conditions: [{ type, values }] },
});
const codesOf = (answer: { validation_errors: { code: string }[] }) => answer.validation_errors.map(({ code }) => code);

const NO_CHANGES = { creates: [], updates: [], deletes: [], validation_errors: [] };

describe('remediation policies', () => {
  test('are automations, which get every default and keep their slug when they are renamed', async () => {
    const scene = await migrated();
    const { bundle } = await apply(scene, policy());
    assert.deepEqual(bundle.policies, [
      {
        slug: 'block-criticals',
        name: 'Block criticals',
        description: '',
        active: true,
        filters: { mode: 'all', conditions: [{ type: 'severity', values: ['critical', 'high'], mode: 'any' }] },
        actions: [
          { type: 'block', config: {} },
          { type: 'pr_comment', config: {} },
        ],
      },
    ]);
    const listed = async () =>
      (await world.as(automations, scene.token).listAutomations({ path: pathOf(scene) })).body.automations;
    const [before] = await listed();
    assert.deepEqual(before?.filters.conditions[0]?.type, 'CONDITION_TYPE_SEVERITY');
    await apply(scene, policy({ slug: 'block-criticals', name: 'Stop criticals', active: false }));
    const [after] = await listed();
    assert.deepEqual([after?.id, after?.name, after?.active], [before?.id, 'Stop criticals', false]);
    assert.deepEqual(
      after?.actions.map(({ id }) => id),
      before?.actions.map(({ id }) => id),
    );
    // Without its slug, the policy is found by its name.
    const { updates, creates } = await plan(scene, policy({ name: 'Stop criticals' }));
    assert.deepEqual([updates.map(({ key }) => key.slug), creates], [['block-criticals'], []]);
    const renamed = await plan(scene, policy({ name: 'Something else' }));
    assert.deepEqual(
      [renamed.creates[0]?.key, renamed.deletes[0]?.key],
      [{ slug: 'something-else' }, { slug: 'block-criticals' }],
    );
  });

  test('that are absent from the bundle are deleted, and come back under the same slug', async () => {
    const scene = await migrated();
    await apply(scene, policy());
    const [first] = await world.queryAsOwner<{ id: string }>('select id from automation where deployment_id = $1', [
      scene.place.id,
    ]);
    await world.queryAsOwner(
      `insert into delivery (deployment_id, automation_id, action_id, kind, state, next_at, created_at)
       values ($1, $2, '1', 'finding', 'held', now(), now())`,
      [scene.place.id, first?.id],
    );
    assert.deepEqual((await apply(scene)).bundle.policies, []);
    const [delivery] = await world.queryAsOwner<{ state: string }>(
      'select state from delivery where automation_id = $1',
      [first?.id],
    );
    assert.equal(delivery?.state, 'cancelled');
    const { bundle } = await apply(scene, policy({ slug: 'block-criticals' }));
    assert.equal(bundle.policies[0]?.slug, 'block-criticals');
    const rows = await world.queryAsOwner<{ id: string; deleted_at: string | null }>(
      'select id, deleted_at from automation where deployment_id = $1',
      [scene.place.id],
    );
    assert.deepEqual(rows, [{ id: first?.id, deleted_at: null }]);
  });

  test('name projects, tags and rulesets instead of their numbers', async () => {
    const scene = await migrated();
    const name = `acme/${randomUUID()}`;
    const project = await world.project(scene.place, name);
    await world.queryAsOwner(`insert into deployment_tag (deployment_id, tag) values ($1, 'pci')`, [scene.place.id]);
    const conditions = [
      { type: 'repository', values: [name.toUpperCase()] },
      { type: 'repository_tag', values: ['pci'], mode: 'none' },
      { type: 'ruleset', values: ['default'] },
      { type: 'rule', values: [GO, 'parapet.*'] },
    ];
    const { bundle } = await apply(scene, policy({ filters: { mode: 'all', conditions } }));
    assert.deepEqual(
      bundle.policies[0]?.filters.conditions.map(({ values }) => values),
      [[name], ['pci'], ['p/default'], ['parapet.*', GO]],
    );
    const [row] = await world.queryAsOwner<{ filters: { conditions: { values: string[] }[] } }>(
      'select filters from automation where deployment_id = $1',
      [scene.place.id],
    );
    assert.deepEqual(row?.filters.conditions[0]?.values, [project]);
    const member = await world.memberWithoutTeam(scene.place);
    const { body } = await world.as(contract, member.jwt).getRemediationPolicies({ path: pathOf(scene) });
    assert.deepEqual(body.bundle.policies[0]?.filters.conditions[0]?.values, [project]);
    assert.equal(body.state_version, (await show(scene)).state_version);
  });

  test('are refused with the code of what is wrong', async () => {
    const scene = await migrated();
    const unchanged = (await show(scene)).state_version;
    const cases: [Partial<PolicyDraft>, string, number?][] = [
      [{ actions: [{ type: 'block' }] }, 'MISSING_DEPENDENT_ACTION'],
      [{ actions: [{ type: 'email' }] }, 'UNSUPPORTED_ACTION_TYPE'],
      [{ actions: [{ type: 'jira', config: { project_id: '1' } }] }, 'INVALID_ACTION_CONFIG'],
      [{ actions: [{ type: 'webhook', config: { webhook_name: 'nothing' } }] }, 'UNKNOWN_REFERENCE'],
      [on('severity', 'urgent'), 'INVALID_CONDITION_VALUE'],
      [on('weather', 'rain'), 'UNSUPPORTED_CONDITION_TYPE'],
      [on('repository', 'no/project'), 'UNKNOWN_REFERENCE'],
      [on('repository_tag', 'nothing'), 'UNKNOWN_REFERENCE'],
      [on('rule', 'no.such.rule'), 'UNKNOWN_REFERENCE'],
      [on('ruleset', 'p/nothing'), 'UNKNOWN_REFERENCE'],
      [{ filters: { mode: 'none', conditions: [{ type: 'severity', values: ['low'] }] } }, 'INVALID_CONDITION_VALUE'],
      [
        { filters: { mode: 'all', conditions: [{ type: 'severity', values: ['low'], mode: 'all' }] } },
        'INVALID_CONDITION_VALUE',
      ],
      [
        {
          filters: {
            mode: 'all',
            conditions: [
              { type: 'severity', values: ['low'] },
              { type: 'severity', values: ['high'] },
            ],
          },
        },
        'NEVER_TRUE',
      ],
      [{ slug: 'Not A Slug' }, 'INVALID_SLUG'],
    ];
    for (const [change, code, status = 400] of cases) {
      const planned = await plan(scene, policy(change));
      assert.deepEqual(codesOf(planned), [code], JSON.stringify(change));
      assert.deepEqual([planned.creates, planned.state_version], [[], unchanged]);
      const answer = await put(scene, [policy(change)]);
      assert.deepEqual([answer.status, answer.problem.code], [status, code]);
    }
    const companion = await put(scene, [policy({ actions: [{ type: 'block' }] })]);
    assert.equal(JSON.parse(companion.text).missing_companion, 'pr_comment');
    assert.deepEqual(codesOf(await plan(scene, policy(), policy())), ['DUPLICATE_SLUG']);
    assert.equal((await show(scene)).state_version, unchanged);
  });

  test('do not touch automations that a bundle has no words for', async () => {
    const scene = await migrated();
    const mail = [{ type: 'ACTION_TYPE_EMAIL' as const, config: { recipients: 'a@example.com' } }];
    await automationOf({ world, place: scene.place }, { name: 'Send mail', actions: mail });
    await automationOf({ world, place: scene.place }, { name: 'On triage', trigger: 'TRIGGER_SOURCE_ISSUE_TRIAGED' });
    await automationOf({ world, place: scene.place }, { name: 'Comment', conditions: [condition('SEVERITY', 'low')] });
    assert.deepEqual(
      (await show(scene)).bundle.policies.map(({ slug }) => slug),
      ['comment'],
    );
    await apply(scene);
    const { body } = await world.as(automations, scene.token).listAutomations({ path: pathOf(scene) });
    assert.deepEqual(
      body.automations.map(({ name }) => name),
      ['Send mail', 'On triage'],
    );
    for (const slug of ['send-mail', undefined]) {
      const answer = await put(scene, [policy({ name: 'Send mail', ...(slug !== undefined && { slug }) })]);
      assert.deepEqual([answer.status, answer.problem.code], [409, 'RESERVED_SLUG']);
    }
  });

  test('are replaced by one of 50 requests at once, while others change automations', async () => {
    const scene = await migrated();
    const { state_version } = await show(scene);
    const path = pathOf(scene);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => put(scene, [policy({ name: `Policy ${index}` })], state_version)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 409).length],
      [1, 49],
    );
    const current = await show(scene);
    const [one] = (await world.as(automations, scene.token).listAutomations({ path })).body.automations;
    assert.ok(one);
    const deleted = world.as(automations, scene.token).deleteAutomation({ path: { ...path, automationId: one.id } });
    const replaced = put(scene, [policy({ name: 'The last' })], current.state_version);
    assert.ok([200, 404].includes((await deleted).status));
    assert.ok([200, 409].includes((await replaced).status));
  });

  test('that are sent as they were read change nothing', async (context) => {
    const scene = await migrated();
    const name = `acme/${randomUUID()}`;
    await world.project(scene.place, name);
    await world.queryAsOwner(`insert into deployment_tag (deployment_id, tag) values ($1, '17')`, [scene.place.id]);
    const known = new Map([
      ...conditionValues().map(({ type, values }): [string, string[]] => [type, values]),
      ...Object.entries({ repository: [name], repository_tag: ['17'], rule: [GO, 'x*'], cwe: ['cwe-79', 'CWE-80'] }),
      ...Object.entries({ path: ['src/', '*.ts'], ruleset: ['p/default', 'secrets'], policy: ['global-policy'] }),
    ]);
    const conditions = fc.uniqueArray(fc.constantFrom(...known.keys()), { minLength: 1, maxLength: 4 }).chain((types) =>
      fc.tuple(
        ...types.map((type) =>
          fc.record({
            type: fc.constant(type),
            values: fc.subarray(known.get(type) ?? [], { minLength: 1 }),
            mode: fc.constantFrom('any', 'none'),
          }),
        ),
      ),
    );
    const policies = fc.uniqueArray(
      fc.record({
        name: fc.string({ minLength: 1, maxLength: 20 }).map((text) => `p ${text.replace(/\p{Cc}/gu, '')}`),
        description: fc.string({ maxLength: 20 }),
        active: fc.boolean(),
        filters: fc.record({ mode: fc.constant('any'), conditions }),
        actions: fc.constantFrom<PolicyDraft['actions'][]>(
          [{ type: 'pr_comment' }],
          [{ type: 'pr_comment' }, { type: 'block' }],
          [{ type: 'triage', config: { state: 'TRIAGE_STATE_REVIEWING' } }],
          [{ type: 'jira', config: { project_id: '1', credential_slug: 'jira' } }],
        ),
      }),
      { maxLength: 5, selector: ({ name: text }) => text.toLowerCase().replace(/[^a-z0-9]/g, '') },
    );
    const property = fc.asyncProperty(policies, async (drafts) => {
      const version = (await show(scene)).state_version;
      const planned = await plan(scene, ...drafts);
      if (planned.validation_errors.length > 0) {
        const refused = await put(scene, drafts, version);
        assert.equal(refused.problem.code, planned.validation_errors[0]?.code);
        return;
      }
      const applied = await put(scene, drafts, version);
      assert.equal(applied.status, 200, applied.text);
      assert.deepEqual(await plan(scene, ...drafts), { ...NO_CHANGES, state_version: applied.body.state_version });
      const { bundle, state_version } = await show(scene);
      assert.equal(state_version, applied.body.state_version);
      assert.deepEqual(await plan(scene, ...bundle.policies), { ...NO_CHANGES, state_version });
    });
    await checkProperty(context, property, { full: 300, quick: 20, seed: 22 });
  });
});
