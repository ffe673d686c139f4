import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as store from '#domain/scans/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { makeScan } from '#test/support/factories/scans.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import * as v1 from './v1-contract.ts';

let world: World;
let place: TestDeployment;
let token: string;
let project: Id<'Project'>;
/** Oldest first. */
let scans: Id<'Scan'>[];

/** The scans, which started 5, 4, 3, 2 and 1 days ago. */
const DIFFERENCES = [
  "status = 'error', exit_code = 2",
  "mode = 'diff', products = '{secrets}'",
  "status = 'running', exit_code = null, completed_at = null",
  'total_seconds = 300, found_code = 2, found_supply_chain = 1, found_secrets = 4',
  "mode = 'partial', commit = null",
];

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  token = (await world.token(place)).text;
  project = (await world.project(place, 'acme/scanned')) as Id<'Project'>;
  scans = [];
  for (const [index, difference] of DIFFERENCES.entries()) {
    const id = await makeScan({ world, place }, project);
    await world.queryAsOwner(
      `update scan set started_at = now() - make_interval(days => $2),
         completed_at = now() - make_interval(days => $2, secs => -12.5) where id = $1`,
      [id, DIFFERENCES.length - index],
    );
    await world.queryAsOwner(`update scan set ${difference} where id = $1`, [id]);
    scans.push(id as Id<'Scan'>);
  }
  const old = await makeScan({ world, place }, project);
  await world.queryAsOwner("update scan set started_at = now() - interval '31 days' where id = $1", [old]);
  const release = await world.inDeployment(place, (tx) =>
    store.recordRef(tx, { deployment: place.id, id: project }, { name: 'release', kind: 'branch' }),
  );
  await world.queryAsOwner('update scan set ref_id = $2 where id = $1', [scans[1], release]);
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });
const api = (credential = token) => world.as(contract, credential);
const old = (credential = token) => world.as(v1, credential);

/** The indexes of the scans in the list above, so that a failure shows which one is wrong. */
const places = (ids: readonly string[]) => ids.map((id) => scans.indexOf(id as Id<'Scan'>));

type Filters = NonNullable<Parameters<ReturnType<typeof api>['listScans']>[0]['body']>['filters'];
const listed = async (filters: Filters) => {
  const { body } = await api().listScans({ path: { ...path(), projectId: project }, body: { filters } });
  return places(body.scans.map(({ id }) => id));
};

type Wanted = NonNullable<Parameters<ReturnType<typeof old>['searchScans']>[0]['body']>;
const searched = async (body: Wanted) => {
  const answer = await old().searchScans({ path: path(), body });
  return places(answer.body.scans.map(({ id }) => id));
};

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

describe('the scans of a project', () => {
  test('are those of the last 30 days, newest first', async () => {
    assert.deepEqual(await listed({}), [4, 3, 2, 1, 0]);
    assert.deepEqual(await listed({ createdSince: daysAgo(300) }), [4, 3, 2, 1, 0]);
    assert.deepEqual(await listed({ createdSince: daysAgo(2.5) }), [4, 3]);
  });

  test('are filtered by branch, product, status, type and duration', async () => {
    assert.deepEqual(await listed({ branch: 'release' }), [1]);
    assert.deepEqual(await listed({ branch: 'refs/heads/release' }), [1]);
    assert.deepEqual(await listed({ branch: 'refs/heads/none' }), []);
    assert.deepEqual(await listed({ includeEnabledProducts: ['PRODUCT_SECRETS', 'PRODUCT_AI_SAST'] }), [1]);
    assert.deepEqual(await listed({ statuses: ['SCAN_STATUS_ERROR', 'SCAN_STATUS_RUNNING'] }), [2, 0]);
    assert.deepEqual(await listed({ types: ['SCAN_TYPE_FULL'] }), [3, 2, 0]);
    assert.deepEqual(await listed({ types: ['SCAN_TYPE_DIFF'] }), [4, 1]);
    assert.deepEqual(await listed({ duration: { min: 100 } }), [3]);
    assert.deepEqual(await listed({ duration: { min: 12, max: 13 } }), [4, 1, 0]);
    assert.deepEqual(await listed({ branch: 'release', types: ['SCAN_TYPE_FULL'] }), []);
  });

  test('have at most 500 in a page, 100 by default', async () => {
    for (const [limit, status] of [
      ['500', 200],
      ['501', 200],
      ['0', 400],
    ] as const) {
      const answer = await api().listScans({ path: { ...path(), projectId: project }, body: { limit } });
      assert.equal(answer.status, status, limit);
    }
  });
});

describe('a scan', () => {
  test('has its finding counts and duration', async () => {
    const { body } = await api().getScan({ path: { ...path(), scanId: scans[3] as Id<'Scan'> } });
    const { startTime, completeTime, branchId, ...scan } = body.scan;
    assert.ok(Date.parse(startTime) < Date.parse(completeTime ?? '') && branchId !== undefined);
    assert.deepEqual(scan, {
      id: scans[3],
      deploymentId: place.id,
      projectId: project,
      commit: 'c0ffee',
      exitCode: '0',
      isFullScan: true,
      duration: '300s',
      findingsCounts: { total: 7, code: 2, supplyChain: 1, secrets: 4 },
      status: 'SCAN_STATUS_COMPLETED',
      enabledProducts: ['PRODUCT_SAST', 'PRODUCT_SCA'],
    });
  });

  test('is also found by id alone in the deployment of the credential', async () => {
    const { body } = await api().getAgentScan({ path: { scanId: scans[3] as Id<'Scan'> } });
    const { startedAt, completedAt, ...scan } = body.scan;
    assert.ok(Date.parse(startedAt) < Date.parse(completedAt ?? ''));
    assert.deepEqual(scan, {
      id: scans[3],
      environment: 'SCAN_ENVIRONMENT_GITHUB_ACTIONS',
      findingsCounts: { total: 7, code: 2, supplyChain: 1, secrets: 4 },
      branch: 'main',
      commit: 'c0ffee',
      totalTime: 300,
      isFullScan: true,
      cliVersion: '1.99.0',
    });
    const stranger = (await world.token(await world.deployment())).text;
    assert.equal((await api(stranger).getAgentScan({ path: { scanId: scans[3] as Id<'Scan'> } })).status, 404);
  });

  test('that is running has no end, exit code or duration', async () => {
    const { body } = await api().getScan({ path: { ...path(), scanId: scans[2] as Id<'Scan'> } });
    const { completeTime, exitCode, duration } = body.scan;
    assert.deepEqual([completeTime, exitCode, duration], [undefined, undefined, undefined]);
  });

  test('in v1 has numeric ids, nulls and metadata of the scanner', async () => {
    const { body } = await old().getScan({ path: { ...path(), scanId: scans[2] as Id<'Scan'> } });
    assert.deepEqual(Object.keys(body), [
      ...['id', 'deployment_id', 'repository_id', 'started_at', 'completed_at', 'exit_code', 'has_logs'],
      ...['enabled_products', 'stats', 'meta'],
    ]);
    assert.deepEqual(
      [body.id, body.deployment_id, body.repository_id],
      [Number(scans[2]), Number(place.id), Number(project)],
    );
    assert.match(body.started_at, /\.\d{3}000Z$/);
    assert.deepEqual([body.completed_at, body.exit_code, body.has_logs], [null, null, false]);
    assert.deepEqual(body.enabled_products, ['sast', 'sca']);
    assert.deepEqual(body.stats, { findings: 0, total_time: 0 });
    assert.deepEqual(body.meta, {
      ...Object.fromEntries(v1.V1_SCAN_META_KEYS.map((name) => [name, null])),
      on: 'push',
      branch: 'refs/heads/main',
      commit: 'c0ffee',
      repository: 'acme/scanned',
    });
  });
});

describe('the v1 search', () => {
  test('covers all projects and filters by each member', async () => {
    const other = await world.project(place);
    const elsewhere = await makeScan({ world, place }, other);
    assert.deepEqual(await searched({}), [-1, 4, 3, 2, 1, 0]);
    const { body } = await old().searchScans({ path: path(), body: { repository_id: Number(other) } });
    assert.deepEqual(
      body.scans.map(({ id }) => id),
      [elsewhere],
    );
    const here = { repository_id: Number(project) };
    assert.deepEqual(await searched({ ...here, is_full_scan: true }), [3, 2, 0]);
    assert.deepEqual(await searched({ ...here, is_full_scan: 0 }), [4, 1]);
    assert.deepEqual(await searched({ ...here, statuses: ['SCAN_STATUS_RUNNING'] }), [2]);
    assert.deepEqual(await searched({ ...here, products: ['PRODUCT_SECRETS'] }), [1]);
    // Existing clients send a single value.
    const single = { statuses: 'SCAN_STATUS_RUNNING', products: 'PRODUCT_SAST' } as unknown as object;
    assert.deepEqual(await searched({ ...here, ...single }), [2]);
    assert.deepEqual(await searched({ ...here, branch: 'refs/heads/release' }), [1]);
    assert.deepEqual(await searched({ ...here, since: daysAgo(1.5), total_time: { max: 20 } }), [4]);
    assert.deepEqual(await searched({ repository_id: 999999999 }), []);
    await world.queryAsOwner('delete from project where id = $1', [other]);
  });

  test('has int64 values as text and the duration as a number', async () => {
    const { body } = await old().searchScans({ path: path(), body: { total_time: { min: 300 } } });
    const [scan] = body.scans;
    assert.deepEqual(
      { ...scan, started_at: '', completed_at: '' },
      {
        id: scans[3],
        deployment_id: place.id,
        repository_id: project,
        branch: 'main',
        commit: 'c0ffee',
        started_at: '',
        completed_at: '',
        status: 'SCAN_STATUS_COMPLETED',
        exit_code: '0',
        is_full_scan: true,
        total_time: 300,
        enabled_products: ['sast', 'sca'],
        findings_counts: { total: '7', code: '2', supply_chain: '1', secrets: '4' },
      },
    );
  });
});

describe('a retry', () => {
  test('explains for each scan why it cannot be retried and what to do', async () => {
    const [cli, report] = [scans[0] as Id<'Scan'>, scans[1] as Id<'Scan'>];
    await world.queryAsOwner("update scan set source = 'import' where id = $1", [report]);
    const elsewhere = await world.deployment();
    const foreign = await makeScan({ world, place: elsewhere }, await world.project(elsewhere));
    const scanIds = [cli, report, foreign as Id<'Scan'>, '999999999' as Id<'Scan'>];
    const { body } = await api().retryScans({ path: path(), body: { scanIds } });
    assert.deepEqual(body.tasks, []);
    assert.deepEqual(
      body.errors.map(({ repoId, scanId }) => [repoId, scanId]),
      [
        [project, cli],
        [project, report],
        ['', foreign],
        ['', '999999999'],
      ],
    );
    assert.match(body.errors[0]?.message ?? '', /run its CI job or command again/);
    assert.match(body.errors[1]?.message ?? '', /hand in the new report/);
    assert.equal(body.errors[2]?.message, body.errors[3]?.message);
    const eleven = Array.from({ length: 11 }, () => cli);
    assert.equal((await api().retryScans({ path: path(), body: { scanIds: eleven } })).status, 400);
  });
});

describe('team-scoped members', () => {
  test('do not see scans of other teams in lists or by id (AZN-08)', async () => {
    const outsider: TestUser = await world.memberWithoutTeam(place);
    const scanId = scans[0] as Id<'Scan'>;
    assert.deepEqual((await old(outsider.jwt).searchScans({ path: path(), body: {} })).body.scans, []);
    const absent = await api(outsider.jwt).getScan({ path: { ...path(), scanId: '999999999' as Id<'Scan'> } });
    for (const hidden of [
      await api(outsider.jwt).getScan({ path: { ...path(), scanId } }),
      await old(outsider.jwt).getScan({ path: { ...path(), scanId } }),
      await api(outsider.jwt).listScans({ path: { ...path(), projectId: project }, body: {} }),
    ])
      assert.deepEqual([hidden.status, hidden.problem.detail], [404, absent.problem.detail]);
    const retry = await api(outsider.jwt).retryScans({ path: path(), body: { scanIds: [scanId] } });
    assert.deepEqual(
      retry.body.errors.map(({ repoId }) => repoId),
      [''],
    );
  });
});
