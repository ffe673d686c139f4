import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import * as items from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import { itemKeyOf } from '#domain/policies/rules.ts';
import { RULE_MODES } from '#domain/policies/shape.ts';
import { listRulesForScan } from '#domain/unified-policies/scan-rules.ts';
import { MAX_DETECTION_EXCEPTIONS } from '#domain/unified-policies/shape.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import * as products from '#services/deployment-products/contract.ts';
import { checkProperty } from '#test/support/properties.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const RULES = ['parapet.go.weak-cipher', 'parapet.java.weak-cipher', 'parapet.python.code-injection-request'];
const PATHS = [...RULES, ...RULES.map((rule) => `r/${rule}`), 'no.such.rule', 'parapet.*', 'acme.own'];
const PACKS = ['p/parapet', 'p/go', 'golang', 'p/python', 'p/java', 'default', 'p/secrets', 'p/nothing'];

const item = fc.oneof(
  fc.record({
    kind: fc.constant('rule' as const),
    path: fc.constantFrom(...PATHS),
    mode: fc.constantFrom(...RULE_MODES),
  }),
  fc.record({
    kind: fc.constant('ruleset' as const),
    path: fc.constantFrom(...PACKS),
    mode: fc.constantFrom(...RULE_MODES),
  }),
);
const itemsOfBoard = fc.uniqueArray(item, { maxLength: 8, selector: itemKeyOf });

interface BoardItem {
  kind: 'rule' | 'ruleset';
  path: string;
  mode: (typeof RULE_MODES)[number];
}

async function fill(place: TestDeployment, board: string, entries: readonly BoardItem[]): Promise<void> {
  const caller = { ...anonymousCaller, kind: 'user', deployment: place.id, email: place.admin.email } as const;
  const steps = entries.map((entry, index) => [itemKeyOf(entry), { ...entry, mustExist: false, index }] as const);
  await world.inDeployment(place, async (tx) => {
    await tx.run`delete from ruleboard_item where deployment_id = ${place.id} and ruleboard_id = ${board}`;
    await items.applyPlan(tx, caller, board, { steps: new Map(steps) });
  });
}

/** A board for two projects; returns their ids. */
async function addBoard(place: TestDeployment, product: 'sast' | 'secrets', entries: readonly BoardItem[]) {
  const projects = [await world.project(place), await world.project(place)];
  const board = await world.inDeployment(place, async (tx) => {
    const made = await boards.insert(tx, { deployment: place.id, product, name: `Board ${randomUUID()}` });
    assert.ok(made);
    await boards.assignProjects(tx, place.id, made, projects);
    return made;
  });
  await fill(place, board.id, entries);
  return projects;
}

/** The actions of the rules that scans of a project run. */
const rulesOf = (place: TestDeployment, project: string) =>
  world.inDeployment(place, async (tx) => {
    const request = { products: ['sast', 'sca', 'secrets'] as const, baseUrl: '' };
    const rules = await listRulesForScan(tx, { deployment: place.id, project }, request);
    return rules.map(({ id, metadata }) => [id, metadata?.['dev.semgrep.actions']]);
  });

const migrate = (place: TestDeployment) =>
  world.as(contract, place.admin.jwt).migrateDeployment({ path: { deploymentId: place.id } });
const previewOf = async (place: TestDeployment) =>
  (await world.as(contract, place.admin.jwt).previewMigration({ path: { deploymentId: place.id } })).body;

const publish = (place: TestDeployment) =>
  world.inDeployment(place, async (tx) => {
    const definition = { id: 'acme.own', message: 'm', severity: 'ERROR', languages: ['go'], pattern: 'x' };
    await tx.run`
      with rule as (insert into published_rule (deployment_id, path, visibility)
                    values (${place.id}, 'acme.own', 'org_private') returning id, version)
      insert into published_rule_version (deployment_id, rule_id, version, definition, language, test_target,
                                          origin_note, size_bytes, created_by)
      select ${place.id}, id, version, ${JSON.stringify(definition)}::jsonb, 'go', '', '', 10, 'test' from rule`;
  });

describe('the migration to Unified Policies', () => {
  test('keeps the rules of each project and their modes, and makes what the preview shows', async (context) => {
    const property = fc.asyncProperty(
      fc.record({
        code: itemsOfBoard,
        secrets: itemsOfBoard,
        added: fc.array(fc.record({ product: fc.constantFrom('sast', 'secrets'), entries: itemsOfBoard }), {
          maxLength: 3,
        }),
      }),
      async ({ code, secrets, added }) => {
        const place = await world.deployment();
        await publish(place);
        const defaults = await world.inDeployment(place, (tx) => boards.list(tx, place.id));
        for (const { id, product } of defaults) await fill(place, id, product === 'sast' ? code : secrets);
        const projects = [await world.project(place)];
        for (const { product, entries } of added) projects.push(...(await addBoard(place, product, entries)));
        const before = [];
        for (const project of projects) before.push(await rulesOf(place, project));
        const preview = await previewOf(place);
        const answer = await migrate(place);
        assert.equal(answer.status, 200, answer.text);
        const after = [];
        for (const project of projects) after.push(await rulesOf(place, project));
        assert.deepEqual(after, before);
        assert.equal(preview.comparedGroups, String(2 + added.length));
        const client = world.as(contract, place.admin.jwt);
        const path = { deploymentId: place.id };
        const { bundle } = (await client.getRemediationPolicies({ path })).body;
        assert.deepEqual(preview.remediationPolicies, bundle.policies);
        const detection = (await client.getDetectionPolicy({ path: { ...path, product: 'code' } })).body.bundle;
        assert.deepEqual(preview.detectionPolicies[0], detection);
        const plans = [
          await client.dryRunRemediationPolicies({ path, body: { bundle } }),
          await client.dryRunDetectionPolicy({ path: { ...path, product: 'code' }, body: { bundle: detection } }),
        ];
        for (const { body } of plans)
          assert.deepEqual([body.creates, body.updates, body.deletes, body.validation_errors], [[], [], [], []]);
      },
    );
    await checkProperty(context, property, { full: 300, quick: 12, seed: 24 });
  });

  test('makes policies of the modes for secrets that are not valid', async () => {
    const place = await world.deployment();
    await world.as(products, place.admin.jwt).putDeploymentProductConfig({
      path: { deploymentId: place.id },
      body: { secrets: { enabled: true, global_validation_state_policy: { error: 'comment', invalid: 'block' } } },
    });
    const { remediationPolicies } = await previewOf(place);
    assert.deepEqual(
      remediationPolicies.map(({ filters, actions }) => [filters.conditions[1]?.values, actions.length]),
      [
        [['confirmed_invalid'], 2],
        [['validation_error'], 1],
      ],
    );
  });

  test('is refused if it would make too many exceptions, and changes nothing', async () => {
    const place = await world.deployment();
    const entries = Array.from(
      { length: 2000 },
      (_, index): BoardItem => ({
        ...{ kind: 'rule', path: `acme.rule-${index}`, mode: 'monitor' },
      }),
    );
    const [first = ''] = await addBoard(place, 'sast', entries);
    await world.inDeployment(place, async (tx) => {
      await tx.run`
        with made as (
          insert into project (deployment_id, name, name_key)
          select ${place.id}, 'acme/many-' || n, 'acme/many-' || n from generate_series(1, 20) as n returning id)
        insert into ruleboard_project (deployment_id, product, project_id, ruleboard_id)
        select ${place.id}, 'sast', made.id, own.ruleboard_id from made, ruleboard_project as own
        where own.deployment_id = ${place.id} and own.project_id = ${first}`;
    });
    const answer = await migrate(place);
    assert.deepEqual([answer.status, answer.problem.code], [409, 'MIGRATION_TOO_LARGE']);
    assert.match(answer.problem.detail, new RegExp(`44000 .* ${MAX_DETECTION_EXCEPTIONS}`));
    const { body } = await world.as(contract, place.admin.jwt).getVocab({ path: { deploymentId: place.id } });
    assert.equal((body as unknown as { code: string }).code, 'DEPLOYMENT_NOT_MIGRATED');
  });
});
