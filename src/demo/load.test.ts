import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { considerChanges } from '#domain/automations/engine/consider-batch.ts';
import { createDemoDeployment } from '#domain/demo/create-demo.ts';
import type { Demo } from '#domain/demo/store.ts';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { FINDING_STATUSES } from '#domain/findings/shape.ts';
import * as issueAggregates from '#services/issues/aggregates/contract.ts';
import * as issues from '#services/issues/list/contract.ts';
import * as publicIssues from '#services/public-issues/contract.ts';
import * as reports from '#services/reports/contract.ts';
import { demoDigest } from '#test/support/world/demo-digest.ts';
import { type TestUser, World } from '#test/support/world/world.ts';
import { loadDemo } from './load.ts';

const NOW = new Date(Date.UTC(2026, 10, 15, 9));
const DAY_MS = 24 * 3600 * 1000;
const MAX_LISTED = 500;
/** Enough steps to have scans, pull requests and decisions, and few enough to run twice. */
const FEW_STEPS = 40;

let world: World;
let admin: TestUser;
let demo: Demo;
const early: Record<string, string>[] = [];

async function found(): Promise<{ demo: Demo; admin: TestUser }> {
  const person = await world.signIn(await world.account());
  const request = { account: person.id, size: 'small', now: NOW } as const;
  const made = await world.assembly.db.transaction({ role: 'auth', isRead: false }, (tx) =>
    createDemoDeployment(tx, world.keys, request),
  );
  return { demo: made, admin: person };
}

/** Loads some steps, as if the server was stopped afterwards. */
async function loadSome(deployment: string): Promise<void> {
  const { db, services } = world.assembly;
  const stop = new AbortController();
  const onProgress = (done: number) => (done === FEW_STEPS ? stop.abort() : undefined);
  await assert.rejects(loadDemo({ db, services, deployment, signal: stop.signal, onProgress }));
}

before(async () => {
  world = await World.start();
  // The demo has its own time, which all queries use.
  world.clockOffsetMs = NOW.getTime() - Date.now();
  const { db, services } = world.assembly;
  for (const one of [await found(), await found()]) {
    await loadSome(one.demo.deployment);
    early.push(await demoDigest(world, one.demo.deployment));
    // The second one is loaded with statistics that only know the first.
    if (early.length === 1) await world.queryAsOwner('analyze');
    ({ demo, admin } = one);
  }
  admin = await world.signIn(admin);
  await loadDemo({ db, services, deployment: demo.deployment });
  await world.queryAsOwner('analyze');
});
after(() => world.stop());

const path = () => ({ deploymentId: demo.deployment });
const look = <Row extends object>(text: string) => world.queryAsOwner<Row>(text, [demo.deployment]);
const countsOf = async (column: string) => {
  const rows = await look<{ name: string; count: string }>(
    `select ${column}::text as name, count(*) from finding where deployment_id = $1 group by 1`,
  );
  return new Map(rows.map(({ name, count }) => [name, Number(count)]));
};

describe('a small demo', () => {
  test('is the same for the same seed and time, row by row', () => {
    assert.deepEqual(early[0], early[1]);
  });

  test('continues loading where it stopped, and is then ready', async () => {
    const [row] = await look<{ state: string; steps_done: number; steps_total: number }>(
      'select state, steps_done, steps_total from demo where deployment_id = $1',
    );
    assert.equal(row?.state, 'ready');
    assert.equal(row?.steps_done, row?.steps_total);
    assert.ok((row?.steps_total ?? 0) > FEW_STEPS);
  });

  test('has at least 3,000 findings, of every type, severity and status', async () => {
    const statuses = await countsOf('status');
    assert.ok([...statuses.values()].reduce((sum, count) => sum + count, 0) >= 3000);
    assert.deepEqual([...statuses.keys()].sort(), [...FINDING_STATUSES].sort());
    assert.deepEqual([...(await countsOf('product')).keys()].sort(), ['sast', 'sca', 'secrets']);
    assert.deepEqual([...(await countsOf('severity')).keys()].sort(), ['0', '1', '2', '3', '4']);
  });

  test('has code with every code finding, data flow and fixes with some, and shows no secret', async () => {
    const [row] = await look<Record<string, string>>(`
      select count(*) filter (where product = 'sast' and code is null) as bare,
        count(*) filter (where detail ? 'trace') as flows, count(*) filter (where detail ? 'fix') as fixes,
        count(*) filter (where product = 'sast' and cwes = '{}') as nameless,
        count(*) filter (where product = 'secrets' and coalesce(code, '') !~ '\\*') as shown
      from finding where deployment_id = $1`);
    assert.deepEqual([row?.['bare'], row?.['nameless'], row?.['shown']], ['0', '0', '0']);
    assert.ok(Number(row?.['flows']) > 100 && Number(row?.['fixes']) > 100);
  });

  test('has something in every bucket of the guardrails report', async () => {
    const since = new Date(NOW.getTime() - 180 * DAY_MS);
    const { body } = await world.as(reports, admin.jwt).getGuardrailsActivityReport({
      path: path(),
      body: { filters: { timePeriod: { since: since.toISOString(), until: NOW.toISOString() } } },
    });
    for (const name of ['silenced', 'open', 'fixed', 'ignored', 'provisionallyIgnored'] as const)
      assert.ok(body.buckets.reduce((sum, bucket) => sum + bucket[name], 0) > 0, name);
  });

  test('has counts that are the lengths of the lists', async () => {
    const api = world.as({ ...issues, ...issueAggregates }, admin.jwt);
    for (const type of ['ISSUE_TYPE_SAST', 'ISSUE_TYPE_SCA', 'ISSUE_TYPE_SECRETS'] as const) {
      const asked = { issueTypes: [type], filter: {} };
      const { body: counts } = await api.getIssueCounts({ path: path(), body: asked });
      for (const [tab, counted] of [
        ['ISSUE_TAB_OPEN', counts.open],
        ['ISSUE_TAB_IGNORED', counts.ignored],
      ] as const) {
        let listed = 0;
        let cursor = '';
        do {
          const request = { ...asked, filter: { tab }, limit: MAX_LISTED, cursor };
          const { body } = await api.listIssues({ path: path(), body: request });
          listed += body.issues.length;
          cursor = body.cursor ?? '';
        } while (cursor !== '');
        assert.equal(listed, Number(counted), `${type} ${tab}`);
      }
    }
  });

  test('has no time outside of its 180 days, except expiries', async () => {
    const columns = await look<{ table: string; column: string }>(`
      select columns.table_name as table, columns.column_name as column from information_schema.columns
      join information_schema.columns as owned on owned.table_schema = columns.table_schema
        and owned.table_name = columns.table_name and owned.column_name = 'deployment_id'
      where columns.table_schema = 'public' and columns.data_type like 'timestamp%' and $1::text <> ''
        and columns.table_name ~ '^(finding|detection|scan|analysis|exception|guardrail|dependency|project|workflow)'`);
    const wrong: string[] = [];
    for (const { table, column } of columns) {
      if (['triage_until', 'decided_until', 'expires_at'].includes(column)) continue;
      // Weeks start on Monday, and days at midnight.
      const slackDays = ['start_day', 'week'].includes(column) ? 7 : 0;
      const [row] = await look<{ count: string }>(
        `select count(*) from ${table} where deployment_id = $1 and (${column} > '${NOW.toISOString()}'
           or ${column} < '${new Date(NOW.getTime() - (180 + slackDays) * DAY_MS).toISOString()}')`,
      );
      if (row?.count !== '0') wrong.push(`${table}.${column} ${row?.count}`);
    }
    assert.ok(columns.length > 15);
    assert.deepEqual(wrong, []);
  });

  test('has no orphaned rows', async () => {
    const orphans = await look(`
      select 'detection' from detection where deployment_id = $1
        and not exists (select from finding where finding.deployment_id = $1 and finding.id = detection.finding_id)
      union all
      select 'finding' from finding where deployment_id = $1
        and not exists (select from detection where detection.deployment_id = $1 and finding_id = finding.id)
      union all
      select 'episode' from guardrail_episode as episode where deployment_id = $1
        and not exists (select from finding where finding.deployment_id = $1 and issue_key = 'finding:' || finding.id)
      union all
      select 'event' from finding_event join finding on finding.deployment_id = $1 and finding.id = finding_id
      where finding_event.deployment_id = $1 and finding_event.at < finding.first_seen_at`);
    assert.deepEqual(orphans, []);
  });

  test('has data for every screen: expiring decisions, pending requests, a failed scan, an expiring token', async () => {
    const soon = new Date(NOW.getTime() + 14 * DAY_MS).toISOString();
    const [row] = await look<Record<string, string>>(`
      select (select count(*) from finding where deployment_id = $1 and triage_until < '${soon}') as ending,
        (select count(*) from exception_request where deployment_id = $1 and state = 'requested') as waiting,
        (select count(*) from scan where deployment_id = $1 and status = 'error') as broken,
        (select count(*) from api_token where deployment_id = $1 and expires_at < '${soon}') as tokens,
        (select count(*) from project where deployment_id = $1) as projects,
        (select count(*) from team where deployment_id = $1 and not is_user_default) as teams,
        (select count(*) from team where deployment_id = $1 and parent_team_id is not null) as "subTeams",
        (select count(*) from automation where deployment_id = $1) as automations,
        (select count(*) from sso_provider where deployment_id = $1) as providers,
        (select count(*) from partner_credential where deployment_id = $1) as partners,
        (select count(distinct mode) from ruleboard_item where deployment_id = $1) as columns,
        (select count(*) from dependency where deployment_id = $1) > '500' as dependencies,
        (select count(*) from account where demo_deployment_id = $1 and password_hash is null) as people`);
    assert.ok(Number(row?.['ending']) > 0 && Number(row?.['waiting']) > 0);
    const { ending: _, waiting: __, ...exact } = row ?? {};
    assert.deepEqual(exact, {
      broken: '1',
      tokens: '1',
      projects: '12',
      teams: '5',
      subTeams: '1',
      automations: '6',
      providers: '1',
      partners: '0',
      columns: '4',
      dependencies: true,
      people: '6',
    });
    const { body } = await world.as(publicIssues, admin.jwt).searchIssues({ path: path(), body: {} });
    assert.equal(Number(body.total), 6);
  });

  test('has automations with runs, deliveries, held tickets, and receivers that fail and work', async () => {
    const [row] = await look<Record<string, string>>(`
      select (select count(*) from automation_run where deployment_id = $1 and matched > 0) > 10 as runs,
        (select count(*) from automation_run where deployment_id = $1 and cause = 'existing') as "byHand",
        (select string_agg(distinct state, ' ' order by state) from delivery where deployment_id = $1) as states,
        (select count(*) from delivery where deployment_id = $1 and state = 'held') > 0 as held,
        (select count(*) from delivery join destination on destination.deployment_id = $1
           and destination.id = delivery.destination_id and destination.state = 'active'
         where delivery.deployment_id = $1 and delivery.state = 'waiting') as callable,
        (select string_agg(name || ' ' || state, ', ' order by name) from destination
         where deployment_id = $1) as receivers,
        (select count(*) from ticket where deployment_id = $1 and state = 'open') > 5 as tickets,
        (select count(*) from ticketing_instance where deployment_id = $1 and not is_auth_revoked) as polled`);
    assert.deepEqual(row, {
      runs: true,
      byHand: '1',
      states: 'failed held sent skipped waiting would',
      held: true,
      // Nobody calls an address of the demo.
      callable: '0',
      receivers: 'Acme Jira disabled, Payments chat disabled, SIEM active',
      tickets: true,
      polled: '0',
    });
  });

  test('is not considered again by jobs that come late', async () => {
    const runs = () => look<{ count: string }>('select count(*) from automation_run where deployment_id = $1');
    const before = await runs();
    const [batch] = await look<{ id: string }>('select min(id) as id from finding_batch where deployment_id = $1');
    const { db, services } = world.assembly;
    const { deployment } = demo;
    await db.transaction({ role: 'app', deployment, isRead: false }, (tx) =>
      considerChanges(tx, adaptersOf(services), { deployment, batch: batch?.id ?? '', at: NOW }),
    );
    assert.deepEqual(await runs(), before);
  });

  test('has one noisy rule, whose findings are mostly ignored as false positives', async () => {
    const [row] = await look<{ all: string; false: string }>(`
      select count(*) as all, count(*) filter (where triage_reason = 'false_positive') as false
      from finding where deployment_id = $1 and rule = 'parapet.javascript.weak-random-token'`);
    assert.ok(Number(row?.all) > 80 && Number(row?.false) > 0.6 * Number(row?.all), JSON.stringify(row));
  });
});
