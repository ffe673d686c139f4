import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import * as ignores from '#domain/ignores/store.ts';
import * as boards from '#services/ruleboard/contract.ts';
import { recordingOf, replay } from '#test/support/reports/scanner-replay.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let token: string;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

async function newPlace() {
  place = await world.deployment();
  token = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;
}

const play = async (name: string, change?: (body: object) => object) =>
  replay(await recordingOf(name), { baseUrl: world.baseUrl, token, ...(change && { change }) });

const findings = () =>
  world.queryAsOwner<{
    rule: string;
    path: string;
    status: string;
    mode: string;
    match_based_id: string;
    product: string;
  }>('select rule, path, status, mode, match_based_id, product from finding where deployment_id = $1 order by id', [
    place.id,
  ]);

const names = (await readdir('test/fixtures/semgrep-wire')).map((name) => name.replace('.jsonl', ''));

describe('a recorded scanner', () => {
  for (const name of names)
    test(`${name} succeeds, and repeating it changes nothing`, async () => {
      await newPlace();
      const steps = await play(name);
      assert.deepEqual(
        steps.map(({ status }) => status),
        steps.map(() => 200),
        JSON.stringify(steps.find(({ status }) => status !== 200)?.reply),
      );
      const first = await findings();
      const sent = (await recordingOf(name)).flatMap(({ body }) =>
        body !== null && typeof body === 'object' && 'findings' in body ? (body.findings as object[]) : [],
      );
      assert.equal(first.length > 0, sent.length > 0);
      const again = await play(name);
      assert.deepEqual(
        again.map(({ status }) => status),
        again.map(() => 200),
      );
      assert.deepEqual(await findings(), first);
      const events = await world.queryAsOwner('select kind from finding_event where deployment_id = $1', [place.id]);
      assert.deepEqual(events, []);
    });
});

describe('rules', () => {
  test('are those of the shipped pack on the default boards, and each has an action (trap 11)', async () => {
    await newPlace();
    const [start] = await play('ok');
    const config = start?.reply['config'] as { rules: { rules: Record<string, unknown>[] } };
    assert.ok(config.rules.rules.length >= 40);
    for (const rule of config.rules.rules) {
      const metadata = rule['metadata'] as Record<string, unknown>;
      assert.deepEqual(metadata['dev.semgrep.actions'], []);
    }
  });
});

describe('the block column of a board', () => {
  test('makes its rules block, and no others', async () => {
    await newPlace();
    const blocking = 'parapet.python.code-injection-request';
    await world.as(boards, (await world.signIn(place.admin)).jwt).updateRuleboard({
      path: { deploymentId: place.id, ruleboardSlug: 'global-policy' },
      body: {
        changes: [
          { item: { id: 'p/parapet', type: 'ruleset' }, policy: 'rule-board-audit', update_type: 'add' },
          { item: { id: blocking, type: 'rule' }, policy: 'rule-board-block', update_type: 'add' },
        ],
      },
    });
    const [start] = await play('ok');
    const config = start?.reply['config'] as { rules: { rules: { id: string; metadata: Record<string, unknown> }[] } };
    assert.ok(config.rules.rules.length >= 40);
    for (const { id, metadata } of config.rules.rules)
      assert.deepEqual(metadata['dev.semgrep.actions'], id === blocking ? ['block'] : [], id);
  });
});

test('credentials in the addresses of a scan are stored nowhere', async () => {
  await newPlace();
  const { body } = await world.as(contract, token).startScan({
    body: {
      project_metadata: {
        repository: 'acme/cloned',
        repo_url: 'https://gitlab-ci-token:s3cretT0ken@gitlab.com/acme/cloned.git?private_token=s3cretT0ken',
        ci_job_url: 'https://bot:s3cretT0ken@ci.example.com/jobs/1?step=2',
        branch: 'main',
      },
      scan_metadata: { unique_id: randomUUID(), requested_products: [] },
    },
  });
  for (const table of ['project', 'scan', 'audit_record'])
    assert.deepEqual(
      await world.queryAsOwner(`select from ${table} as t where t::text like '%s3cretT0ken%'`),
      [],
      table,
    );
  const [row] = await world.queryAsOwner<{ url: string; job: string; address: string }>(
    `select url, meta->>'ci_job_url' as job, meta->>'repo_url' as address from scan
     join project on project.id = scan.project_id where scan.id = $1`,
    [body.info.id],
  );
  const url = 'https://gitlab.com/acme/cloned.git';
  assert.deepEqual(row, { url, job: 'https://ci.example.com/jobs/1?step=2', address: url });
});

describe('a project that the caller may not see', () => {
  const start = (repository: string, dryRun: boolean) => ({
    project_metadata: { repository, scan_environment: 'git', branch: 'main', is_full_scan: true },
    scan_metadata: { cli_version: '1.99.0', unique_id: 'run-hidden', requested_products: [], dry_run: dryRun },
  });

  test('cannot be scanned, and a dry run reveals nothing about it', async () => {
    await newPlace();
    const outsider = await world.memberWithoutTeam(place);
    const scanner = world.as(contract, outsider.jwt);
    await world.as(contract, token).startScan({ body: start('acme/hidden', false) });
    assert.equal((await scanner.startScan({ body: start('acme/hidden', false) })).status, 404);
    const dry = await scanner.startScan({ body: start('acme/hidden', true) });
    assert.equal('id' in dry.body.info, false);
    const path = { scanRequestId: 'run-hidden' };
    const [mine, theirs] = [
      await world.as(contract, token).getRequestedConfig({ path }),
      await scanner.getRequestedConfig({ path }),
    ];
    assert.deepEqual([mine.status, theirs.status], [200, 200]);
  });
});

describe('a dry run', () => {
  test('returns rules and creates no project or scan', async () => {
    await newPlace();
    const [start] = await play('ok', (body) =>
      'scan_metadata' in body ? { ...body, scan_metadata: { ...(body.scan_metadata as object), dry_run: true } } : body,
    );
    assert.equal(start?.status, 200);
    assert.equal('id' in (start.reply['info'] as object), false);
    for (const table of ['scan', 'project'])
      assert.deepEqual(
        await world.queryAsOwner(`select from ${table} where deployment_id = $1`, [place.id]),
        [],
        table,
      );
  });
});

test('ignored paths of the deployment are sent to scanners by product', async () => {
  await newPlace();
  await world.inDeployment(place, (tx) => ignores.save(tx, place.id, { product: 'sast', patterns: ['vendor/'] }));
  const [start] = await play('ok');
  const params = start?.reply['engine_params'] as Record<string, unknown> | undefined;
  assert.deepEqual(params?.['product_ignored_files'], [['sast', ['vendor/']]]);
});

describe('an ignored finding', () => {
  test('is sent to the next scan, so that it does not block', async () => {
    await newPlace();
    await play('block');
    const [one] = await findings();
    assert.ok(one);
    await world.queryAsOwner(`update finding set triage_state = 'ignored' where deployment_id = $1`, [place.id]);
    const [start] = await play('block');
    const config = start?.reply['config'] as { triage_ignored_match_based_ids: string[] };
    assert.ok(config.triage_ignored_match_based_ids.includes(one.match_based_id));
    assert.equal(
      (await findings()).every(({ status }) => status === 'ignored'),
      true,
    );
  });
});

describe('secrets of the client', () => {
  test('are masked on arrival: a token in the results is stored nowhere (trap 6)', async () => {
    await newPlace();
    const canary = 'ghp_canaryCanaryCanary0123456789abcdefgh';
    await play('ok', (body) => ('findings' in body ? { ...body, token: canary } : body));
    const tables = await world.queryAsOwner<{ table_name: string }>(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'deployment_id'`,
    );
    for (const { table_name } of tables.filter((one) => one.table_name !== 'scan_report'))
      assert.deepEqual(
        await world.queryAsOwner(`select from ${table_name} as t where t::text like $1`, [`%${canary}%`]),
        [],
      );
    const { gunzipSync } = await import('node:zlib');
    const pieces = await world.queryAsOwner<{ bytes: Buffer }>(
      'select bytes from scan_report where deployment_id = $1',
      [place.id],
    );
    for (const { bytes } of pieces) assert.equal(gunzipSync(bytes).includes(canary), false);
  });
});

test('the proprietary engine is refused with an instruction (trap 3)', async () => {
  await newPlace();
  const response = await fetch(`${world.baseUrl}/api/agent/deployments/deepbinary/manylinux?version=1.99.0`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(response.status, 403);
  assert.match(await response.text(), /--oss-only/);
});

test('the scan that was refused the proprietary engine has failed, and no other (trap 3)', async () => {
  await newPlace();
  const client = world.as(contract, token);
  const start = async (repository: string) => {
    const body = { project_metadata: { repository, branch: 'main' }, scan_metadata: { unique_id: randomUUID() } };
    await client.startScan({ body });
    return body.scan_metadata.unique_id;
  };
  const [one, two] = [await start('acme/one'), await start('acme/two')];
  const ask = (id: string, credential = token) =>
    fetch(`${world.baseUrl}/api/agent/deployments/deepbinary/manylinux?version=1.99.0`, {
      headers: { authorization: `Bearer ${credential}`, 'x-semgrep-scan-id': id },
    });
  const other = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;
  for (const [id, credential] of [
    [one, token],
    [two, other],
    ['unknown', token],
    ['', token],
  ] as const)
    assert.equal((await ask(id, credential)).status, 403);
  const states = await world.queryAsOwner(
    'select request_id, status, exit_code from scan where deployment_id = $1 order by id',
    [place.id],
  );
  assert.deepEqual(states, [
    { request_id: one, status: 'error', exit_code: 2 },
    { request_id: two, status: 'running', exit_code: null },
  ]);
});

test('a wrong token gives 401, which scanners show to the user', async () => {
  const response = await fetch(`${world.baseUrl}/api/cli/scans`, {
    method: 'POST',
    headers: { authorization: 'Bearer nonsense', 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(response.status, 401);
});

describe('a scan', () => {
  async function started() {
    await newPlace();
    const [opening, sent] = await recordingOf('ok');
    assert.ok(opening && sent);
    const [start] = await replay([opening], { baseUrl: world.baseUrl, token });
    assert.ok(start);
    const { id } = start.reply['info'] as { id: number };
    const post = (name: string, body: unknown, credential = token, text = JSON.stringify(body)) =>
      fetch(`${world.baseUrl}/api/agent/scans/${id}/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: text,
      });
    return { post, results: sent.body as object };
  }

  test('belongs to the token that started it and is not found for another token (UPL-06)', async () => {
    const { post, results } = await started();
    const other = (await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false })).text;
    for (const [name, body] of [
      ['results', results],
      ['complete', {}],
      ['error', {}],
    ] as const)
      assert.equal((await post(name, body, other)).status, 404, name);
    assert.equal((await post('results', results)).status, 200);
  });

  test('that has ended accepts the same results again and no others (UPL-07)', async () => {
    const { post, results } = await started();
    assert.equal((await post('results', results)).status, 200);
    assert.equal((await post('complete', { exit_code: 0 })).status, 200);
    assert.equal((await post('complete', { exit_code: 0 })).status, 200);
    assert.equal((await post('results', results)).status, 200);
    assert.equal((await post('results', { ...results, findings: [] })).status, 409);
  });

  test('accepts counts beyond the range of a double', async () => {
    const { post } = await started();
    assert.equal((await post('complete', {}, token, '{"exit_code":0,"stats":{"n":9007199254740993}}')).status, 200);
  });
});
