import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { shippedRules } from '#domain/rules/shipped-rules.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let place: TestDeployment;
let publisher: string;
before(async () => {
  world = await World.start();
  place = await world.deployment();
  publisher = (await world.token(place, { hasWebApi: false })).text;
});
after(() => world.stop());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function fetchRules(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${world.baseUrl}${path}`, { headers });
  const text = await response.text();
  const ids = () => (parse(text) as { rules: { id: string }[] }).rules.map(({ id }) => id);
  return { status: response.status, type: response.headers.get('content-type'), text, ids };
}

const ruleOf = (id: string) => ({
  id,
  languages: ['python'],
  severity: 'ERROR',
  message: 'Do not do this.',
  pattern: 'on(...)',
  metadata: { answer: 'yes', other: 'on' },
});

async function publish(rule: object, { token = publisher, ...more }: Record<string, unknown> = {}) {
  const response = await fetch(`${world.baseUrl}/api/registry/rules`, {
    method: 'POST',
    headers: { ...bearer(String(token)), 'content-type': 'application/json' },
    body: JSON.stringify({ definition: { rules: [rule] }, visibility: 'org_private', ...more }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('rules by name', () => {
  test('are YAML, or JSON on request, and equal under both paths', async () => {
    for (const [bare, spelled] of [
      ['/p/default', '/c/p/default'],
      ['/r/parapet.python.ssrf-request', '/c/r/parapet.python.ssrf-request'],
    ] as const) {
      const [yaml, json, again] = [
        await fetchRules(bare),
        await fetchRules(bare, { accept: 'application/json' }),
        await fetchRules(spelled),
      ];
      assert.deepEqual([yaml.status, yaml.type], [200, 'application/yaml; charset=utf-8']);
      assert.deepEqual([json.status, json.type], [200, 'application/json; charset=utf-8']);
      assert.equal(again.text, yaml.text);
      assert.deepEqual(parse(yaml.text), JSON.parse(json.text));
      assert.deepEqual(parse(yaml.text, { version: '1.1' }), JSON.parse(json.text));
    }
  });

  test('that are shipped need no credential, and an invalid one is ignored', async () => {
    assert.ok((await fetchRules('/c/auto')).ids().length > 20);
    assert.equal((await fetchRules('/p/python', bearer('nonsense'))).status, 200);
    for (const rule of [...shippedRules().keys()].slice(0, 3))
      assert.deepEqual((await fetchRules(`/r/${rule}`)).ids(), [rule]);
  });

  test('that are unknown are not found', async () => {
    for (const path of ['/p/nothing', '/r/nothing', '/s/1', '/c/p/nothing', '/c/nothing', '/c/q/default'])
      assert.equal((await fetchRules(path)).status, 404, path);
  });

  test('are shown by a browser as text', async () => {
    assert.equal((await fetchRules('/p/default', { accept: 'text/html,*/*' })).type, 'text/plain; charset=utf-8');
  });
});

describe('a published rule', () => {
  test('is found by path and id, only by its own deployment', async () => {
    const { status, body } = await publish(ruleOf('acme.private'));
    assert.equal(status, 200);
    assert.deepEqual(body['path'], 'acme.private');
    assert.equal(typeof body['id'], 'string');
    assert.match(String(body['pr_url']), /\/r\/acme\.private$/);
    const scanner = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;
    const stranger = (await world.token(await world.deployment())).text;
    for (const path of ['/r/acme.private', '/c/r/acme.private', `/s/${body['id']}`]) {
      const found = await fetchRules(path, bearer(scanner));
      assert.deepEqual([found.status, found.status === 200 && found.ids()], [200, ['acme.private']], path);
      assert.deepEqual(parse(found.text, { version: '1.1' }), { rules: [ruleOf('acme.private')] });
      assert.equal((await fetchRules(path)).status, 404, path);
      assert.equal((await fetchRules(path, bearer(stranger))).status, 404, path);
    }
  });

  test('is not accepted from a scanner token', async () => {
    const token = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;
    const { status, body } = await publish(ruleOf('acme.sneaky'), { token });
    assert.deepEqual([status, body['code']], [403, 'PERMISSION_DENIED']);
  });

  test('of another deployment than that of the credential is refused', async () => {
    const other = await world.deployment();
    assert.equal((await publish(ruleOf('acme.lost'), { deployment_id: Number(other.id) })).status, 404);
    assert.equal((await publish(ruleOf('acme.home'), { deployment_id: Number(place.id) })).status, 200);
  });

  test('that is invalid is refused with the reason', async () => {
    const { status, body } = await publish({ id: 'acme.broken' });
    assert.deepEqual([status, body['code']], [400, 'RULE_REFUSED']);
  });
});
