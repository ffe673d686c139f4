import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ruleProductOf } from '#domain/rules/rules.ts';
import { rulesOfRuleset } from '#domain/rules/shipped-rules.ts';
import * as ruleboards from '#services/ruleboard/contract.ts';
import { sendRequest } from '#test/support/http/exchange.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let token: string;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  token = (await world.token(place)).text;
});
after(() => world.stop());

const client = () => world.as(contract, token);
const path = () => ({ deploymentId: place.id });

/** A separate board for a test, by slug and by id. */
async function makePolicy() {
  const { body } = await world
    .as(ruleboards, token)
    .createRuleboard({ path: path(), body: { name: uniqueName('Board ') } });
  const { policies } = (await client().listPolicies({ path: path() })).body;
  const policyId = policies.find(({ name }) => name === body.name)?.id ?? assert.fail();
  return { slug: body.slug, policyId };
}

const rulesOf = (ruleset: string): string[] =>
  (rulesOfRuleset(ruleset) ?? []).filter(({ rule }) => ruleProductOf(rule) === 'sast').map(({ rule }) => rule.id);

describe('list policies', () => {
  test('returns each board as a policy, on the paths of both versions', async () => {
    const young = await world.deployment();
    const their = world.as(contract, young.admin.jwt);
    const { body } = await their.listPolicies({ path: { deploymentId: young.id } });
    assert.deepEqual(
      body.policies.map(({ id: _, ...policy }) => policy),
      [
        { isDefault: true, name: 'Global Policy', productType: 'PRODUCT_TYPE_SAST', slug: 'global_policy' },
        {
          isDefault: true,
          name: 'Global Secrets Policy',
          productType: 'PRODUCT_TYPE_SECRETS',
          slug: 'global_policy_secrets',
        },
      ],
    );
    assert.deepEqual((await their.listPoliciesV1({ path: { deploymentId: young.id } })).body, body);
  });

  test('has the deprecation headers with a successor (RFC 9745)', async () => {
    const { headers } = await client().listPolicies({ path: path() });
    assert.match(headers.get('deprecation') ?? '', /^@\d+$/);
    assert.match(headers.get('link') ?? '', /rel="successor-version"/);
  });
});

describe('set the mode of a rule', () => {
  test('adds a rule that the policy does not have, and returns it completely', async () => {
    const { policyId } = await makePolicy();
    const { status, body } = await client().updatePolicyRule({
      path: { ...path(), policyId, rulePath: 'r/python.lang.eval' },
      body: { policyMode: 'MODE_BLOCK' },
    });
    assert.equal(status, 200);
    assert.equal(body.policyId, policyId);
    const { id, lastChangeAt, lastChangeBy, ...rule } = body.updatedRule;
    assert.match(id, /^\d+$/);
    assert.match(lastChangeAt, /Z$/);
    assert.match(lastChangeBy, /^token /);
    assert.deepEqual(rule, {
      category: '',
      confidence: 'CONFIDENCE_UNSPECIFIED',
      cweCategories: [],
      hasValidators: false,
      languages: [],
      owaspCategories: [],
      path: 'r/python.lang.eval',
      policyMode: 'MODE_BLOCK',
      registryMaintainer: '',
      rulesets: [],
      secretType: '',
      severity: 'SEVERITY_UNSPECIFIED',
      source: 'SOURCE_UNSPECIFIED',
      technologies: [],
      url: '',
      vulnerabilityClass: [],
    });
  });

  test('returns the metadata of a known rule', async () => {
    const { policyId } = await makePolicy();
    const { body } = await client().updatePolicyRule({
      path: { ...path(), policyId, rulePath: 'parapet.python.sql-injection-request' },
      body: { policyMode: 'MODE_COMMENT' },
    });
    const { confidence, severity, source, languages } = body.updatedRule;
    assert.deepEqual(
      { confidence, severity, source, languages },
      {
        confidence: 'CONFIDENCE_HIGH',
        severity: 'SEVERITY_HIGH',
        source: 'SOURCE_COMMUNITY',
        languages: ['python'],
      },
    );
    const { rules } = (await client().listPolicyRules({ path: { ...path(), policyId } })).body;
    assert.deepEqual(rules, [body.updatedRule]);
  });

  test('accepts slashes in the path of a rule, literal and encoded', async () => {
    const { policyId } = await makePolicy();
    for (const spelled of ['a/b/c', 'a%2Fb%2Fc', 'a/b%2Fc']) {
      const answer = await sendRequest(world.baseUrl, {
        method: 'PUT',
        target: `/api/policies/v1/deployments/${place.id}/${policyId}/rules/${spelled}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"policyMode":"MODE_COMMENT"}',
      });
      assert.equal((answer.json['updatedRule'] as { path: string }).path, 'a/b/c');
    }
    const { body } = await client().listPolicyRules({ path: { ...path(), policyId } });
    assert.equal(body.rules.length, 1);
  });

  test('in v1 takes the path of the rule in the body, and the ids there must agree with the path', async () => {
    const { policyId } = await makePolicy();
    const wish = { rulePath: 'a/b', policyMode: 'MODE_MONITOR' } as const;
    const put = (body: Parameters<ReturnType<typeof client>['updatePolicyV1']>[0]['body']) =>
      client().updatePolicyV1({ path: { ...path(), policyId }, body });
    const done = await put({ ...wish, deploymentId: place.id, policyId });
    assert.deepEqual([done.status, done.body.updatedRule.policyMode], [200, 'MODE_MONITOR']);
    const wrong = await put({ ...wish, policyId: '999' });
    assert.deepEqual([wrong.status, wrong.problem.errors[0]?.code], [400, 'PATH_MISMATCH']);
  });

  test('changes the board that RuleboardService shows, also for disabled rules', async () => {
    const { slug, policyId } = await makePolicy();
    const boards = world.as(ruleboards, token);
    const at = { ...path(), ruleboardSlug: slug };
    const columns = {
      MODE_MONITOR: 'audit',
      MODE_COMMENT: 'pr-comments',
      MODE_BLOCK: 'block',
      MODE_DISABLED: 'disabled',
    };
    for (const policyMode of ['MODE_MONITOR', 'MODE_COMMENT', 'MODE_BLOCK', 'MODE_DISABLED'] as const) {
      const tag = (await boards.getRuleboard({ path: at })).headers.get('etag');
      await client().updatePolicyRule({ path: { ...path(), policyId, rulePath: 'a' }, body: { policyMode } });
      const { body, headers } = await boards.getRuleboard({ path: at });
      assert.deepEqual(body.rules, [{ policy: `rule-board-${columns[policyMode]}`, item: { id: 'a', type: 'rule' } }]);
      assert.notEqual(headers.get('etag'), tag);
    }
  });

  test('to its current value keeps the time of the last change', async () => {
    const { policyId } = await makePolicy();
    const put = (by: string) =>
      world.as(contract, by).updatePolicyRule({
        path: { ...path(), policyId, rulePath: 'a' },
        body: { policyMode: 'MODE_BLOCK' },
      });
    const first = await put(token);
    assert.deepEqual((await put(place.admin.jwt)).body, first.body);
  });
});

describe('list the rules of a policy', () => {
  test('lists rules in order of their paths, and nothing of an unknown ruleset', async () => {
    const { slug, policyId } = await makePolicy();
    const add = (id: string, type: string) => ({ item: { id, type }, policy: 'block', update_type: 'add' });
    await world.as(ruleboards, token).updateRuleboard({
      path: { ...path(), ruleboardSlug: slug },
      body: { changes: [add('b', 'rule'), add('B', 'rule'), add('a', 'rule'), add('p/unknown', 'ruleset')] },
    });
    const { body } = await client().listPolicyRules({ path: { ...path(), policyId } });
    assert.deepEqual(
      body.rules.map((rule) => rule.path),
      ['B', 'a', 'b'],
    );
    assert.equal(body.policy.id, policyId);
    const v1 = await client().listPolicyRulesV1({ path: { ...path(), policyId } });
    assert.deepEqual(v1.body, body);
  });

  test('includes the rules of rulesets, each once, with the mode and the author that apply', async () => {
    const { slug, policyId } = await makePolicy();
    const add = (id: string, type: string, policy: string) => ({ item: { id, type }, policy, update_type: 'add' });
    await world.as(ruleboards, token).updateRuleboard({
      path: { ...path(), ruleboardSlug: slug },
      body: {
        changes: [
          add('p/go', 'ruleset', 'monitor'),
          add('p/owasp-top-ten', 'ruleset', 'comment'),
          add('r/parapet.go.weak-cipher', 'rule', 'block'),
          add('parapet.go.tls-old-version', 'rule', 'disabled'),
        ],
      },
    });
    const rules = [];
    for (let cursor: string | undefined; cursor !== ''; ) {
      const query = { limit: '7', ...(cursor !== undefined && { cursor }) };
      const { body } = await client().listPolicyRules({ path: { ...path(), policyId }, query });
      rules.push(...body.rules);
      cursor = body.cursor;
    }
    const paths = rules.map((rule) => rule.path);
    assert.deepEqual(paths, [...new Set(paths)].sort());
    const modes = new Map(rules.map((rule) => [rule.path, rule.policyMode]));
    assert.equal(modes.get('r/parapet.go.weak-cipher'), 'MODE_BLOCK');
    assert.equal(modes.has('parapet.go.weak-cipher'), false);
    assert.equal(modes.get('parapet.go.tls-old-version'), 'MODE_DISABLED');
    assert.equal(modes.get('parapet.go.ssrf-request'), 'MODE_COMMENT');
    const ofRulesets = [...new Set([...rulesOf('go'), ...rulesOf('owasp-top-ten')])];
    assert.deepEqual(paths, [...ofRulesets.filter((id) => id !== 'parapet.go.weak-cipher'), paths.at(-1)].sort());
    const one = rules.find((rule) => rule.path === 'parapet.go.ssrf-request') ?? assert.fail();
    assert.match(one.lastChangeBy, /^token /);
    assert.ok(one.rulesets.includes('p/go'));
    const put = await client().updatePolicyRule({
      path: { ...path(), policyId, rulePath: one.path },
      body: { policyMode: 'MODE_BLOCK' },
    });
    assert.equal(put.body.updatedRule.id, one.id);
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
  });

  test('a page has 500 rules by default, and at most 2000', async () => {
    const { policyId } = await makePolicy();
    await world.queryAsOwner(
      `insert into ruleboard_item (deployment_id, ruleboard_id, kind, path, mode, changed_by)
       select $1, $2, 'rule', 'r' || n, 'monitor', 'test' from generate_series(1, 2100) as n`,
      [place.id, policyId],
    );
    const at = { ...path(), policyId };
    const first = await client().listPolicyRules({ path: at });
    assert.equal(first.body.rules.length, 500);
    assert.match(first.headers.get('link') ?? '', /rel="next".*rel="successor-version"/);
    assert.equal((await client().listPolicyRules({ path: at, query: { limit: '2000' } })).body.rules.length, 2000);
    assert.equal((await client().listPolicyRules({ path: at, query: { limit: '99999' } })).body.rules.length, 2000);
  });
});
