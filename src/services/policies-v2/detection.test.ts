import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { AutomationConditionType } from '#domain/automations/shape.ts';
import * as products from '#services/deployment-products/contract.ts';
import * as scanner from '#services/scanner/contract.ts';
import { makeMigratedDeployment } from '#test/support/factories/ruleboards.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const GO = 'parapet.go.weak-cipher';
const JAVA = 'parapet.java.weak-cipher';

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
  await world.as(products, place.admin.jwt).putDeploymentProductConfig({
    path: { deploymentId: place.id },
    body: { secrets: { enabled: true } },
  });
  return { place, token: (await world.token(place)).text };
}

const pathOf = ({ place }: Scene, product = 'code') => ({ deploymentId: place.id, product });
const client = ({ token }: Scene) => world.as(contract, token);
const show = async (scene: Scene, product = 'code') =>
  (await client(scene).getDetectionPolicy({ path: pathOf(scene, product) })).body;
const put = (scene: Scene, bundle: object, version?: string) =>
  client(scene).applyDetectionPolicy({
    path: pathOf(scene),
    body: { bundle },
    ...(version === undefined ? {} : { headers: { 'if-match': version } }),
  });
const plan = async (scene: Scene, bundle: object, product = 'code') =>
  (await client(scene).dryRunDetectionPolicy({ path: pathOf(scene, product), body: { bundle } })).body;
const apply = async (scene: Scene, bundle: object) => {
  const answer = await put(scene, bundle, (await show(scene)).state_version);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

/** The rules that a scanner gets for a project, without the one that reads dependencies. */
async function rulesRun({ token }: Scene, repository: string): Promise<string[]> {
  const { body } = await world.as(scanner, token).startScan({
    body: {
      project_metadata: { repository, scan_environment: 'git', branch: 'main', is_full_scan: true },
      scan_metadata: { unique_id: randomUUID(), requested_products: ['sast'], dry_run: true },
    },
  });
  return body.config.rules.rules
    .filter((rule) => rule['r2c-internal-project-depends-on'] === undefined)
    .map(({ id }) => String(id));
}

describe('a detection policy', () => {
  test('is refused before the migration, and for products that are not enabled', async () => {
    const place = await world.deployment();
    const scene = { place, token: (await world.token(place)).text };
    for (const answer of [
      await client(scene).getDetectionPolicy({ path: pathOf(scene) }),
      await client(scene).getDetectionPolicySummary({ path: { deploymentId: place.id } }),
      await put(scene, {}),
      await client(scene).getVocab({ path: { deploymentId: place.id } }),
    ])
      assert.deepEqual([answer.status, answer.problem.code], [403, 'DEPLOYMENT_NOT_MIGRATED']);
    await makeMigratedDeployment({ world, place });
    await world.as(products, place.admin.jwt).putDeploymentProductConfig({
      path: { deploymentId: place.id },
      body: { secrets: { enabled: false } },
    });
    for (const product of ['secrets', 'sca', 'unknown']) {
      const answer = await client(scene).getDetectionPolicy({ path: pathOf(scene, product) });
      assert.deepEqual([answer.status, answer.problem.code], [404, 'PRODUCT_NOT_ENABLED']);
    }
    const { body } = await client(scene).getDetectionPolicySummary({ path: { deploymentId: place.id } });
    assert.equal(body.deployment_slug, place.slug);
    assert.deepEqual(body.code?.bundle.rulesets, ['p/parapet']);
    assert.equal(body.secrets, undefined);
  });

  test('decides what scans run, with exceptions for projects and tags', async () => {
    const scene = await migrated();
    const [own, tagged] = [`acme/${randomUUID()}`, `acme/${randomUUID()}`];
    await world.project(scene.place, own);
    const project = await world.project(scene.place, tagged);
    await world.queryAsOwner(`insert into deployment_tag (deployment_id, tag) values ($1, 'pci')`, [scene.place.id]);
    await world.queryAsOwner(`insert into project_tag (deployment_id, project_id, tag) values ($1, $2, 'pci')`, [
      scene.place.id,
      project,
    ]);
    const { bundle } = await apply(scene, {
      rules: [`r/${GO}`],
      exceptions: [
        { exception_type: 'include', project: own.toUpperCase(), rule: JAVA, rule_type: 'rule' },
        { exception_type: 'exclude', project_tag_name: 'pci', rule: 'p/parapet', rule_type: 'pack' },
      ],
    });
    assert.deepEqual(
      bundle.exceptions.map(({ project: name, project_tag_name: tag }) => name ?? tag).sort(),
      [own, 'pci'].sort(),
    );
    assert.deepEqual(await rulesRun(scene, 'acme/other'), [GO]);
    assert.deepEqual(await rulesRun(scene, own), [GO, JAVA]);
    assert.deepEqual(await rulesRun(scene, tagged), []);
  });

  test('that is sent as it was read changes nothing', async () => {
    const scene = await migrated();
    await apply(scene, { rulesets: ['p/default'], rules: [GO], disabled: [JAVA] });
    for (const product of ['code', 'secrets']) {
      const { bundle, state_version } = await show(scene, product);
      assert.deepEqual(await plan(scene, bundle, product), {
        ...{ creates: [], updates: [], deletes: [], validation_errors: [] },
        state_version,
      });
    }
    const { bundle, state_version } = await show(scene);
    assert.equal((await apply(scene, bundle)).state_version, state_version);
  });

  test('shows its changes before they are made', async () => {
    const scene = await migrated();
    const name = `acme/${randomUUID()}`;
    await world.project(scene.place, name);
    const exception = (exception_type: string, rule: string) => ({
      ...{ exception_type, project: name, rule, rule_type: 'rule' },
    });
    await apply(scene, { rules: [GO], exceptions: [exception('include', JAVA), exception('exclude', GO)] });
    const answer = await plan(scene, {
      rules: [GO, JAVA],
      exceptions: [exception('exclude', JAVA), exception('include', 'parapet.python.code-injection-request')],
    });
    const key = (rule: string) => ({ scope_type: 'project', scope_target: name, rule, rule_type: 'rule' });
    assert.deepEqual(answer.updates, [
      {
        kind: 'DetectionPolicy',
        key: { product: 'code' },
        before: { rulesets: [], rules: [GO], disabled: [] },
        after: { rulesets: [], rules: [GO, JAVA], disabled: [] },
      },
      {
        kind: 'DetectionPolicyException',
        key: key(JAVA),
        before: { exception_type: 'include' },
        after: { exception_type: 'exclude' },
      },
    ]);
    assert.deepEqual(
      answer.creates.map((change) => [change.key.rule, change.before]),
      [['parapet.python.code-injection-request', undefined]],
    );
    assert.deepEqual(answer.deletes, [
      { kind: 'DetectionPolicyException', key: key(GO), before: { exception_type: 'exclude' } },
    ]);
  });

  test('is refused with the first of the problems that the dry run lists', async () => {
    const scene = await migrated();
    const bundle = {
      product: 'secrets',
      rulesets: ['p/nothing'],
      rules: ['no.such.rule'],
      exceptions: [
        { exception_type: 'maybe', project: 'a', rule: GO, rule_type: 'rule' },
        { exception_type: 'include', rule: GO, rule_type: 'rule' },
        { exception_type: 'include', project: 'no/project', rule: GO, rule_type: 'rule' },
        { exception_type: 'include', project_tag_name: 'no-tag', rule: GO, rule_type: 'rule' },
      ],
    };
    const planned = await plan(scene, bundle);
    assert.deepEqual(
      planned.validation_errors.map(({ code }) => code),
      ['PRODUCT_MISMATCH', 'INVALID_EXCEPTION', 'INVALID_EXCEPTION', 'UNKNOWN_REFERENCE'],
    );
    assert.deepEqual([planned.creates, planned.updates, planned.deletes], [[], [], []]);
    const { state_version } = await show(scene);
    const answer = await put(scene, bundle, state_version);
    assert.deepEqual([answer.status, answer.problem.code], [400, 'PRODUCT_MISMATCH']);
    const unknown = await put(scene, { rulesets: ['p/nothing'], rules: ['no.such.rule'] }, state_version);
    assert.deepEqual([unknown.status, unknown.problem.code], [400, 'UNKNOWN_REFERENCE']);
    assert.deepEqual(JSON.parse(unknown.text).missing_references, [
      { kind: 'ruleset', value: 'p/nothing' },
      { kind: 'rule', value: 'no.such.rule' },
    ]);
    const secrets = await plan(scene, { rulesets: ['p/secrets'] }, 'secrets');
    assert.equal(secrets.validation_errors[0]?.code, 'RULESETS_NOT_ACCEPTED');
    assert.equal((await show(scene)).state_version, state_version);
  });

  test('is replaced only by a request that names its version', async () => {
    const scene = await migrated();
    for (const version of [undefined, '*', '']) {
      const answer = await put(scene, {}, version);
      assert.deepEqual([answer.status, answer.problem.code], [428, 'IF_MATCH_REQUIRED']);
    }
    const { state_version } = await show(scene);
    assert.match(state_version, /^[0-9a-f]{16}$/);
    const stale = await put(scene, {}, '0000000000000000');
    assert.deepEqual([stale.status, stale.problem.code], [409, 'STATE_VERSION_MISMATCH']);
    assert.equal(JSON.parse(stale.text).current_state_version, state_version);
    assert.equal((await put(scene, { rules: [GO] }, `"${state_version}"`)).status, 200);
  });

  test('is replaced by one of 50 requests at once', async () => {
    const scene = await migrated();
    const { state_version } = await show(scene);
    const statuses = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, index) => (await put(scene, { rules: index % 2 ? [GO] : [JAVA] }, state_version)).status,
      ),
    );
    assert.deepEqual(
      [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 409).length],
      [1, 49],
    );
  });

  test('does not show exceptions of projects that the caller does not see', async () => {
    const scene = await migrated();
    const name = `acme/${randomUUID()}`;
    await world.project(scene.place, name);
    const exception = { exception_type: 'include', project: name, rule: GO, rule_type: 'rule' };
    const { state_version } = await apply(scene, { exceptions: [exception] });
    const member = await world.memberWithoutTeam(scene.place);
    const { body } = await world.as(contract, member.jwt).getDetectionPolicy({ path: pathOf(scene) });
    assert.deepEqual([body.bundle.exceptions, body.state_version], [[], state_version]);
  });
});

describe('the vocabulary', () => {
  test('has every word that bundles accept, and values only for the product that has them', async () => {
    const scene = await migrated();
    const vocab = async (product?: 'code' | 'secrets' | 'remediation') =>
      (await client(scene).getVocab({ path: { deploymentId: scene.place.id }, query: product ? { product } : {} }))
        .body;
    const words = await vocab();
    assert.equal(words.condition_types.length, AutomationConditionType.options.length - 1);
    assert.ok(words.condition_types.every(({ description }) => description !== ''));
    assert.deepEqual(
      words.action_types.map(({ type, requires }) => [type, requires]),
      [
        ['block', ['pr_comment']],
        ...['pr_comment', 'jira', 'slack_app', 'webhook', 'triage'].map((type) => [type, []]),
      ],
    );
    assert.deepEqual([words.value_enums, words.detection_constraints], [undefined, undefined]);
    const severities = (await vocab('remediation')).value_enums?.find(({ type }) => type === 'severity');
    assert.deepEqual(severities?.values.slice(0, 4), ['critical', 'high', 'medium', 'low']);
    assert.equal((await vocab('code')).detection_constraints?.rulesets_accepted, true);
    assert.equal((await vocab('secrets')).detection_constraints?.rulesets_accepted, false);
  });
});
