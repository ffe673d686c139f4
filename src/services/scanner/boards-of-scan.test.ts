import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import * as products from '#services/deployment-products/contract.ts';
import * as policies from '#services/policies/contract.ts';
import * as ruleboards from '#services/ruleboard/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const RULE = 'parapet.python.code-injection-request';
const OTHER = 'parapet.go.weak-cipher';
const THIRD = 'parapet.java.weak-cipher';

interface Scene {
  place: TestDeployment;
  token: string;
}

async function newScene(): Promise<Scene> {
  const place = await world.deployment();
  const path = { deploymentId: place.id };
  const { status } = await world
    .as(products, place.admin.jwt)
    .putDeploymentProductConfig({ path, body: { secrets: { enabled: true } } });
  assert.equal(status, 200);
  return { place, token: (await world.token(place)).text };
}

const MODES: Record<string, string> = { block: 'MODE_BLOCK', comment: 'MODE_COMMENT' };

/** What scanners of all protocol versions get for a project: the mode of each rule, by the rule. */
async function rulesRun({ token }: Scene, repository: string, isDryRun = false): Promise<Map<string, string>> {
  const scanner = world.as(contract, token);
  const body = {
    project_metadata: { repository, scan_environment: 'git', branch: 'main', is_full_scan: true },
    scan_metadata: { unique_id: randomUUID(), requested_products: [], dry_run: isDryRun },
  };
  const inOneRequest = modesOf((await scanner.startScan({ body })).body.config.rules.rules);
  assert.equal((await scanner.requestScan({ body })).status, 200);
  const scanRequestId = body.scan_metadata.unique_id;
  const { config } = (await scanner.getRequestedConfig({ path: { scanRequestId } })).body;
  assert.deepEqual(modesOf(config.rules.rules), inOneRequest);
  const legacy = (await scanner.getRulesToScan({ query: { repo_name: repository } })).body.rule_config;
  assert.deepEqual(modesOf((JSON.parse(legacy) as { rules: SentRule[] }).rules), inOneRequest);
  return inOneRequest;
}

type SentRule = Record<string, unknown>;

function modesOf(rules: readonly SentRule[]): Map<string, string> {
  return new Map(
    rules.flatMap((rule) => {
      const metadata = rule['metadata'] as Record<string, unknown>;
      const [action = ''] = metadata['dev.semgrep.actions'] as string[];
      const isOfBoards = rule['r2c-internal-project-depends-on'] === undefined;
      return isOfBoards ? [[String(rule['id']), MODES[action] ?? 'MODE_MONITOR'] as const] : [];
    }),
  );
}

/** What the older policies API shows for the default boards. */
async function rulesShown({ place, token }: Scene): Promise<Map<string, string>> {
  const { listPoliciesV1, listPolicyRulesV1 } = world.as(policies, token);
  const path = { deploymentId: place.id };
  const shown = new Map<string, string>();
  for (const { id, isDefault } of (await listPoliciesV1({ path })).body.policies)
    if (isDefault) {
      const { rules } = (await listPolicyRulesV1({ path: { ...path, policyId: id } })).body;
      for (const rule of rules) if (rule.policyMode !== 'MODE_DISABLED') shown.set(rule.path, rule.policyMode);
    }
  return shown;
}

const sorted = (rules: ReadonlyMap<string, string>) => [...rules].sort(([left], [right]) => (left < right ? -1 : 1));

async function setMode({ place, token }: Scene, rulePath: string, policyMode: 'MODE_BLOCK' | 'MODE_DISABLED') {
  const { listPoliciesV1, updatePolicyV1 } = world.as(policies, token);
  const path = { deploymentId: place.id };
  const [global] = (await listPoliciesV1({ path })).body.policies;
  const answer = await updatePolicyV1({
    path: { ...path, policyId: global?.id ?? assert.fail() },
    body: { rulePath, policyMode },
  });
  assert.equal(answer.status, 200);
}

type Change = [id: string, column: string];

/** A board with these rules, and the name of its project. */
async function ownBoard({ place, token }: Scene, ...changes: Change[]): Promise<string> {
  const name = `acme/${randomUUID()}`;
  const project = await world.project(place, name);
  const client = world.as(ruleboards, token);
  const path = { deploymentId: place.id };
  const { slug } = (await client.createRuleboard({ path, body: { name, assigned_repos: [project] } })).body;
  const updated = await client.updateRuleboard({
    path: { ...path, ruleboardSlug: slug },
    body: {
      changes: changes.map(([id, policy]) => ({
        item: { id, type: id.startsWith('p/') ? 'ruleset' : 'rule' },
        policy,
        update_type: 'add',
      })),
    },
  });
  assert.equal(updated.status, 200);
  return name;
}

describe('the rules that run are those that boards show', () => {
  test('in a new deployment, where the shipped rules are on the default boards as rulesets', async () => {
    const scene = await newScene();
    const shown = await rulesShown(scene);
    assert.ok(shown.size >= 70);
    assert.deepEqual(sorted(await rulesRun(scene, 'acme/web')), sorted(shown));
    const { getRuleboard } = world.as(ruleboards, scene.token);
    for (const [ruleboardSlug, id, policy] of [
      ['global-policy', 'p/parapet', 'rule-board-audit'],
      ['global-policy-secrets', 'p/secrets', 'rule-board-secrets-audit'],
    ] as const) {
      const { rules } = (await getRuleboard({ path: { deploymentId: scene.place.id, ruleboardSlug } })).body;
      assert.deepEqual(rules, [{ policy, item: { id, type: 'ruleset' } }]);
    }
  });

  test('after one rule was changed, which leaves all others on', async () => {
    const scene = await newScene();
    const before = await rulesShown(scene);
    await setMode(scene, RULE, 'MODE_BLOCK');
    await setMode(scene, OTHER, 'MODE_DISABLED');
    const expected = new Map([...before, [RULE, 'MODE_BLOCK'] as const]);
    expected.delete(OTHER);
    assert.deepEqual(sorted(await rulesShown(scene)), sorted(expected));
    assert.deepEqual(sorted(await rulesRun(scene, 'acme/web')), sorted(expected));
  });

  test('after the rulesets were removed, when nothing is left', async () => {
    const scene = await newScene();
    const { updateRuleboard } = world.as(ruleboards, scene.token);
    for (const [ruleboardSlug, id] of [
      ['global-policy', 'p/parapet'],
      ['global-policy-secrets', 'p/secrets'],
    ] as const)
      await updateRuleboard({
        path: { deploymentId: scene.place.id, ruleboardSlug },
        body: { changes: [{ item: { id, type: 'ruleset' }, update_type: 'remove' }] },
      });
    assert.deepEqual([await rulesShown(scene), await rulesRun(scene, 'acme/web')], [new Map(), new Map()]);
  });
});

describe('a board adds to the Global Policy', () => {
  test('with block over comment over monitor, and only for its projects', async () => {
    const scene = await newScene();
    await setMode(scene, RULE, 'MODE_BLOCK');
    await setMode(scene, THIRD, 'MODE_DISABLED');
    const name = await ownBoard(
      scene,
      [RULE, 'rule-board-audit'],
      [OTHER, 'rule-board-pr-comments'],
      [THIRD, 'rule-board-audit'],
      ['parapet.java.xml-external-entities', 'rule-board-disabled'],
    );
    const everywhere = await rulesShown(scene);
    assert.deepEqual(sorted(await rulesRun(scene, 'acme/other')), sorted(everywhere));
    const expected = new Map([...everywhere, [OTHER, 'MODE_COMMENT'] as const, [THIRD, 'MODE_MONITOR'] as const]);
    assert.deepEqual(sorted(await rulesRun(scene, name)), sorted(expected));
    assert.deepEqual(sorted(await rulesRun(scene, name, true)), sorted(expected));
  });

  test('also for imported reports, whose findings have the mode of the strictest board', async () => {
    const scene = await newScene();
    await setMode(scene, 'S605', 'MODE_BLOCK');
    const project = await ownBoard(scene, ['S605', 'rule-board-audit'], ['S307', 'rule-board-pr-comments']);
    const response = await fetch(
      `${world.baseUrl}/api/v1/deployments/${scene.place.slug}/imports?project=${encodeURIComponent(project)}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json' },
        body: await readFile('test/fixtures/reports/ruff.json'),
      },
    );
    assert.equal(response.status, 200, await response.text());
    const modes = await world.queryAsOwner<{ rule: string; mode: string }>(
      'select distinct rule, mode from finding where deployment_id = $1 order by rule',
      [scene.place.id],
    );
    const enforced = modes.filter(({ mode }) => mode !== 'monitor');
    assert.deepEqual(enforced, [
      { rule: 'S307', mode: 'comment' },
      { rule: 'S605', mode: 'block' },
    ]);
    assert.ok(modes.length > enforced.length);
  });
});
