import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as items from '#domain/policies/ruleboard-items.ts';
import { itemKeyOf } from '#domain/policies/rules.ts';
import type { RuleboardItemKind, RuleboardProduct, RuleMode } from '#domain/policies/shape.ts';
import { listRulesForScan } from '#domain/unified-policies/scan-rules.ts';
import { anonymousCaller, type Caller } from '#kernel/auth/caller.ts';
import { Fault } from '#kernel/contract/fault.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import { publish } from './publish-rule.ts';
import { resolveConfig } from './resolve-config.ts';
import { describeRule, describeRules } from './rule-metadata.ts';
import { ruleProductOf } from './rules.ts';
import { RULE_PRODUCTS, type Rule } from './shape.ts';
import { rulesOfRuleset, shippedRules } from './shipped-rules.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const callerOf = ({ id, admin }: TestDeployment): Caller => ({
  ...anonymousCaller,
  kind: 'user',
  email: admin.email,
  deployment: id,
});
const draft = (id: string, more: Record<string, unknown> = {}) => ({
  rules: [{ id, message: 'Do not.', severity: 'ERROR', languages: ['python'], pattern: 'eval(...)', ...more }],
});
const put = (definition: unknown, at = place, testTarget = '') =>
  world.inDeployment(at, (tx) => publish(tx, callerOf(at), { definition, visibility: 'org_private', testTarget }));
const scan = (at: TestDeployment, wish: Partial<Parameters<typeof listRulesForScan>[2]> = {}, project?: string) =>
  world.inDeployment(at, (tx) =>
    listRulesForScan(
      tx,
      { deployment: at.id, project },
      { products: RULE_PRODUCTS, baseUrl: 'https://parapet.example', ...wish },
    ),
  );
const actionsOf = (rules: Rule[], id: string) =>
  rules.find((rule) => rule.id === id)?.metadata?.['dev.semgrep.actions'];
const idsOf = (rules: readonly Rule[]) => rules.map(({ id }) => id);

/** Adds items to the default board of a product. */
async function board(
  at: TestDeployment,
  product: RuleboardProduct,
  ...wanted: [kind: RuleboardItemKind, path: string, mode: RuleMode][]
) {
  const [row] = await world.queryAsOwner<{ id: string }>(
    'select id from ruleboard where deployment_id = $1 and product = $2 and is_default',
    [at.id, product],
  );
  const steps = new Map(
    wanted.map(([kind, path, mode], index) => [
      itemKeyOf({ kind, path }),
      { kind, path, mode, mustExist: false, index },
    ]),
  );
  await world.inDeployment(at, (tx) => items.applyPlan(tx, callerOf(at), row?.id ?? '', { steps }));
}

describe('publishing a rule', () => {
  test('creates a rule, and for another text its next version, keeping the old one', async () => {
    const id = uniqueName('own.rule');
    const first = await put(draft(id, { metadata: { 'rule-origin-note': 'published from a.yaml' } }));
    assert.equal(first.before, undefined);
    assert.deepEqual([first.published.path, first.published.version, first.published.language], [id, 1, 'python']);
    assert.equal(first.published.originNote, 'published from a.yaml');
    assert.equal(first.published.createdBy, place.admin.email);
    const second = await put(draft(id, { message: 'Never.' }));
    assert.deepEqual([second.published.id, second.published.version], [first.published.id, 2]);
    const kept = await world.queryAsOwner<{ message: string }>(
      `select definition->>'message' as message from published_rule_version where rule_id = $1 order by version`,
      [first.published.id],
    );
    assert.deepEqual(kept, [{ message: 'Do not.' }, { message: 'Never.' }]);
  });

  test('with an unchanged text creates no version, so that pipelines can repeat it', async () => {
    const id = uniqueName('own.rule');
    await put(draft(id, { metadata: { a: [1.0, { b: null }], c: 'x' } }));
    const again = await put(draft(id, { metadata: { c: 'x', a: [1, { b: null }] } }));
    assert.equal(again.published.version, 1);
    assert.equal((await put(draft(id), place, 'eval(x)')).published.version, 2);
  });

  test('concurrently creates each version once', async () => {
    const id = uniqueName('own.rule');
    await Promise.all([1, 2, 3, 4].map((n) => put(draft(id, { message: `No ${n}.` }))));
    const rows = await world.queryAsOwner<{ version: string }>(
      `select version.version from published_rule as rule
       join published_rule_version as version on version.rule_id = rule.id
       where rule.path = $1 order by version.version`,
      [id],
    );
    assert.deepEqual(
      rows.map(({ version }) => Number(version)),
      [1, 2, 3, 4],
    );
  });

  test('that is invalid is refused with all errors', async () => {
    await assert.rejects(put(draft('parapet.mine', { severity: 'BAD' })), (error) => {
      assert.ok(error instanceof Fault);
      assert.deepEqual(
        error.extras.errors?.map(({ pointer }) => pointer),
        ['#/definition/rules/0/id', '#/definition/rules/0/severity'],
      );
      return error.kind.status === 400;
    });
    await assert.rejects(put(draft('own.target'), place, 'a\0b'), /test_target/);
  });

  test('is visible only in its own deployment (TEN-01)', async () => {
    const id = uniqueName('own.rule');
    const { published } = await put(draft(id));
    const other = await world.deployment();
    for (const name of [`r/${id}`, `s/${published.id}`]) {
      const find = (at: TestDeployment) =>
        world.inDeployment(at, (tx) => resolveConfig(name, { tx, deployment: at.id }));
      assert.deepEqual(idsOf((await find(place)) ?? []), [id]);
      assert.equal(await find(other), undefined);
    }
    assert.equal((await world.inDeployment(other, (tx) => describeRules(tx, other.id, [id]))).size, 0);
    assert.equal((await put(draft(id), other)).published.version, 1);
  });
});

describe('a --config name', () => {
  test('resolves to shipped rules without a database', async () => {
    assert.deepEqual(
      idsOf((await resolveConfig('p/python')) ?? []),
      idsOf(rulesOfRuleset('python')?.map(({ rule }) => rule) ?? []),
    );
    for (const name of ['auto', 'p/default', 'p/parapet', 'p/secrets', 'p/owasp-top-ten', 'p/go', 'p/java'])
      assert.ok(((await resolveConfig(name))?.length ?? 0) >= 6, name);
    assert.deepEqual(idsOf((await resolveConfig('r/parapet.go.weak-cipher')) ?? []), ['parapet.go.weak-cipher']);
    assert.ok((await resolveConfig('p/secrets'))?.every((rule) => ruleProductOf(rule) === 'secrets'));
  });

  test('that is unknown resolves to nothing', async () => {
    for (const name of [
      '',
      'p/',
      'p/constructor',
      'p/unknown',
      'r/unknown',
      's/999999',
      's/x',
      'python',
      'r/a\0b',
      's/99999999999999999999',
    ])
      assert.equal(
        await world.inDeployment(place, (tx) => resolveConfig(name, { tx, deployment: place.id })),
        undefined,
        name,
      );
  });
});

describe('the rules of a scan', () => {
  test('of a new deployment are all shipped rules, and none blocks', async () => {
    const young = await world.deployment();
    const rules = await scan(young);
    assert.deepEqual(idsOf(rules), [...shippedRules().keys()].sort());
    for (const { metadata } of rules) assert.deepEqual(metadata?.['dev.semgrep.actions'], []);
  });

  test('are those of the requested products', async () => {
    const young = await world.deployment();
    for (const product of RULE_PRODUCTS) {
      const rules = await scan(young, { products: [product] });
      assert.ok(rules.length > 0 && rules.every((rule) => ruleProductOf(rule) === product), product);
    }
  });

  test('follow the board: own modes before rulesets, the strictest ruleset, and no disabled rules', async () => {
    const at = await world.deployment();
    await put(draft('own.mine'), at);
    await board(
      at,
      'sast',
      ['ruleset', 'p/go', 'monitor'],
      ['ruleset', 'p/owasp-top-ten', 'comment'],
      ['rule', 'parapet.go.weak-cipher', 'block'],
      ['rule', 'r/parapet.go.ssrf-request', 'disabled'],
      ['rule', 'own.mine', 'block'],
      ['rule', 'nobody.knows.this', 'block'],
      ['ruleset', 'p/nobody-knows', 'block'],
    );
    const rules = await scan(at, { products: ['sast'] });
    assert.deepEqual(actionsOf(rules, 'parapet.go.weak-cipher'), ['block']);
    assert.deepEqual(actionsOf(rules, 'parapet.go.tls-old-version'), ['comment']);
    assert.deepEqual(actionsOf(rules, 'own.mine'), ['block']);
    assert.equal(actionsOf(rules, 'parapet.go.ssrf-request'), undefined);
    assert.equal(actionsOf(rules, 'nobody.knows.this'), undefined);
    assert.equal(new Set(idsOf(rules)).size, rules.length);
    const own = rules.find(({ id }) => id === 'own.mine')?.metadata?.['semgrep.dev.rule'];
    assert.match(JSON.stringify(own), /"rule_id":"(\d+)","version_id":"\1-1".*"origin":"custom"/);
  });

  test('include secrets rules from the secrets board', async () => {
    const at = await world.deployment();
    await board(at, 'sast', ['ruleset', 'p/secrets', 'block'], ['ruleset', 'p/go', 'monitor']);
    await board(at, 'secrets', ['rule', 'parapet.secrets.github-token', 'comment']);
    const rules = await scan(at);
    const secrets = rules.filter((rule) => ruleProductOf(rule) === 'secrets');
    assert.deepEqual(idsOf(secrets), idsOf(rulesOfRuleset('secrets')?.map(({ rule }) => rule) ?? []).sort());
    for (const { id, metadata } of secrets) {
      const column = id === 'parapet.secrets.github-token' ? 'pr-comments' : 'audit';
      assert.equal(
        (metadata?.['semgrep.policy'] as { slug: string } | undefined)?.slug,
        `rule-board-secrets-${column}`,
      );
    }
    assert.ok(idsOf(rules).includes('parapet.supply-chain.dependency-list'));
  });

  test("are those of the default board and the project's own board, restricted to the given ids", async () => {
    const at = await world.deployment();
    const project = await world.project(at);
    await board(
      at,
      'sast',
      ['rule', 'parapet.go.weak-cipher', 'block'],
      ['rule', 'parapet.java.weak-cipher', 'comment'],
    );
    await world.queryAsOwner(`delete from ruleboard_item where deployment_id = $1 and kind = 'ruleset'`, [at.id]);
    await world.queryAsOwner(
      `with made as (insert into ruleboard (deployment_id, product, name, name_key, slug)
         values ($1, 'sast', 'Own', 'own', 'own') returning id)
       , assigned as (insert into ruleboard_project (deployment_id, product, project_id, ruleboard_id)
         select $1, 'sast', $2, id from made)
       insert into ruleboard_item (deployment_id, ruleboard_id, kind, path, mode, changed_by)
       select $1, id, 'ruleset', 'p/java', 'monitor', 'test' from made`,
      [at.id, project],
    );
    const asked = { products: ['sast'] as const };
    assert.deepEqual(idsOf(await scan(at, asked)), ['parapet.go.weak-cipher', 'parapet.java.weak-cipher']);
    const rules = await scan(at, asked, project);
    const java = rules.filter(({ id }) => id.startsWith('parapet.java.'));
    assert.ok(java.length > 5 && rules.length === java.length + 1);
    assert.deepEqual(actionsOf(rules, 'parapet.java.weak-cipher'), ['comment']);
    assert.deepEqual(actionsOf(rules, 'parapet.go.weak-cipher'), ['block']);
    const partial = { ...asked, partialRuleIds: ['parapet.java.weak-cipher', 'parapet.python.weak-cipher'] };
    assert.deepEqual(idsOf(await scan(at, partial, project)), ['parapet.java.weak-cipher']);
  });
});

describe('the metadata of a rule', () => {
  test('that is shipped comes from its definition', () => {
    const facts = describeRule('r/parapet.go.weak-cipher');
    assert.deepEqual(facts, describeRule('parapet.go.weak-cipher'));
    assert.deepEqual(
      [facts?.confidence, facts?.severity, facts?.source, facts?.languages],
      ['CONFIDENCE_HIGH', 'SEVERITY_MEDIUM', 'SOURCE_COMMUNITY', ['go']],
    );
    assert.deepEqual(facts?.rulesets, [
      'p/parapet',
      'p/default',
      'p/ci',
      'p/security-audit',
      'p/owasp-top-ten',
      'p/go',
    ]);
    assert.match(facts?.cwe[0] ?? '', /^CWE-327: /);
    assert.equal(describeRule('unknown'), undefined);
  });

  test('that is published comes from its current version, in any form that authors use', async () => {
    const id = uniqueName('own.rule');
    await put(draft(id, { metadata: { cwe: 'CWE-95', owasp: [1, 'A03:2021'], confidence: 'high', category: {} } }));
    const facts = (await world.inDeployment(place, (tx) => describeRules(tx, place.id, [`r/${id}`, 'unknown']))).get(
      `r/${id}`,
    );
    assert.deepEqual(
      [facts?.cwe, facts?.owasp, facts?.confidence, facts?.category, facts?.source],
      [['CWE-95'], ['A03:2021'], 'CONFIDENCE_HIGH', '', 'SOURCE_CUSTOM'],
    );
  });
});
