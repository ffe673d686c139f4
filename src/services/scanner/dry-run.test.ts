import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import * as ruleboards from '#services/ruleboard/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const RULE = 'parapet.go.weak-cipher';

let world: World;
let place: TestDeployment;
let project: string;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

/** A deployment with a project on a board of its own that blocks one rule. */
beforeEach(async () => {
  place = await world.deployment();
  project = await world.project(place, 'acme/web');
  const client = world.as(ruleboards, place.admin.jwt);
  const path = { deploymentId: place.id };
  const { slug } = (await client.createRuleboard({ path, body: { name: 'Web', assigned_repos: [project] } })).body;
  const change = { item: { id: RULE, type: 'rule' }, policy: 'rule-board-block', update_type: 'add' };
  await client.updateRuleboard({ path: { ...path, ruleboardSlug: slug }, body: { changes: [change] } });
});

const newToken = async () => (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;

interface ScanOptions {
  requested_products?: string[];
  partial_scan_rule_ids?: string[];
  dry_run?: boolean;
}

const startOf = (repository: string, scan: ScanOptions = {}) => ({
  project_metadata: { repository, scan_environment: 'git', branch: 'main', is_full_scan: true },
  scan_metadata: { unique_id: randomUUID(), requested_products: [], dry_run: true, ...scan },
});

/** Starts a scan and returns the ids of the rules it gets in the second request, and those that block. */
async function request(token: string, body: ReturnType<typeof startOf>, poller = token) {
  const started = await world.as(contract, token).requestScan({ body });
  assert.equal(started.status, 200);
  const path = { scanRequestId: body.scan_metadata.unique_id };
  const { rules } = (await world.as(contract, poller).getRequestedConfig({ path })).body.config.rules;
  const isBlocking = (metadata: unknown) =>
    JSON.stringify((metadata as Record<string, unknown>)['dev.semgrep.actions']).includes('block');
  return {
    info: started.body.info,
    ids: rules.map(({ id }) => id),
    blocking: rules.filter(({ metadata }) => isBlocking(metadata)).map(({ id }) => id),
  };
}

const rowsOf = (table: string) => world.queryAsOwner(`select from ${table} where deployment_id = $1`, [place.id]);

describe('a dry run that gets its rules in a second request', () => {
  test("gets those of the project's boards, and creates no scan or project", async () => {
    const token = await newToken();
    const known = await request(token, startOf('acme/web'));
    assert.deepEqual(known.blocking, [RULE]);
    assert.equal('id' in known.info, false);
    const unknown = await request(token, startOf('acme/new'));
    assert.deepEqual(unknown.blocking, []);
    assert.deepEqual([(await rowsOf('scan')).length, (await rowsOf('project')).length], [0, 1]);
  });

  test('gets only the rules and products that it asked for', async () => {
    const token = await newToken();
    const partial = await request(token, startOf('acme/web', { partial_scan_rule_ids: [RULE] }));
    assert.deepEqual(partial.ids, [RULE]);
    const dependencies = await request(token, startOf('acme/web', { requested_products: ['sca'] }));
    assert.deepEqual(dependencies.ids, ['parapet.supply-chain.dependency-list']);
  });

  test('is known only to the credential that started it', async () => {
    const [token, other] = [await newToken(), await newToken()];
    assert.deepEqual((await request(token, startOf('acme/web'), other)).blocking, []);
  });

  test('that is repeated keeps the last request, and old ones are deleted', async () => {
    const token = await newToken();
    await world.queryAsOwner(
      `insert into dry_run (deployment_id, request_id, started_by, products, started_at)
       select $1, 'old ' || n, 'x', '{sast}', now() - n * interval '1 second' from generate_series(1, 4000) as n`,
      [place.id],
    );
    const body = startOf('acme/new');
    assert.deepEqual((await request(token, body)).blocking, []);
    const again = { ...startOf('acme/web'), scan_metadata: body.scan_metadata };
    assert.deepEqual((await request(token, again)).blocking, [RULE]);
    assert.ok((await rowsOf('dry_run')).length <= 500);
  });
});

test('a scan of some rules gets only these in a second request', async () => {
  const partial = startOf('acme/web', { dry_run: false, partial_scan_rule_ids: [RULE] });
  const { info, ids } = await request(await newToken(), partial);
  assert.deepEqual(['id' in info, ids], [true, [RULE]]);
});
