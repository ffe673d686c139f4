import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import * as projects from '#domain/projects/store.ts';
import * as members from '#domain/teams/members.ts';
import { issueListSql } from '#domain/workflow-issues/issue-list.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import * as workflows from '#services/public-issues/contract.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as aggregates from '../aggregates/contract.ts';
import * as bulk from '../bulk/contract.ts';
import * as list from '../list/contract.ts';
import * as views from '../views/contract.ts';
import { ISSUE_GROUPINGS } from '../views/shape.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let clerk: TestUser;
let shop: ProjectScans;
let bank: ProjectScans;

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
const severityOf = (index: number) => SEVERITIES[index % 5] ?? 'info';

type Entry = Parameters<ReturnType<typeof reporter>['reportIssues']>[0]['body']['issues'][number];
const reporter = (token: string) => world.as(workflows, token);

async function report(issues: Entry[], workflowId = 'review', where = place) {
  const body = { workflowId, issues };
  const answer = await reporter(where.admin.jwt).reportIssues({ path: { deploymentId: where.id }, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body.issues;
}

before(async () => {
  world = await World.start();
  place = await world.deployment('Mixed Works');
  shop = await ProjectScans.start(world, place);
  bank = await ProjectScans.start(world, place);
  await world.inDeployment(place, (tx) => projects.addTags(tx, { deployment: place.id, id: shop.project }, ['web']));
  for (const scanning of [shop, bank])
    await scanning.scan(
      Array.from({ length: 12 }, (_, index) =>
        makeReportedFinding({
          rule: `rule-${index % 3}`,
          path: `src/${index}.js`,
          line: 1,
          code: `run(${index})`,
          more: { severity: severityOf(index), cwes: index % 2 === 0 ? ['CWE-89: SQL'] : [] },
        }),
      ),
    );
  const ids = [shop.project, bank.project] as [Entry['projectId'], Entry['projectId']];
  const entry = (index: number): Entry => ({
    identity: `found ${index}`,
    title: `Found ${index}`,
    description: index === 3 ? 'A jwt that nobody checks' : '',
    severity: `SEVERITY_${severityOf(index).toUpperCase() as Uppercase<(typeof SEVERITIES)[number]>}`,
    filePaths: [`src/${index}.js`, 'README.md'],
    cwes: index % 2 === 0 ? ['CWE-89'] : ['CWE-862'],
    directDependencies: index === 4 ? ['left-pad'] : [],
    ...(index % 3 < 2 && { projectId: ids[index % 3] }),
  });
  await report(Array.from({ length: 8 }, (_, index) => entry(index)));
  await report([8, 9, 10, 11, 12, 13].map(entry), 'weekly');
  // In both projects.
  await report([{ ...entry(0), projectId: ids[1] }]);
  // Few distinct times for many entries of both kinds, so that ties are common.
  const moment = (id: string) => `timestamptz '2026-06-01' + (${id} % 3) * interval '1 day'`;
  await world.queryAsOwner(`update finding set relevant_since = ${moment('id')}, first_seen_at = ${moment('id')}`);
  await world.queryAsOwner(`update workflow_issue set created_at = ${moment('id')}`);
  await world.queryAsOwner(`
    update workflow_issue set triage_state = 'TRIAGE_STATE_' || (array['OPEN', 'REOPENED', 'REVIEWING',
    'FIXING', 'IGNORED', 'FIXED', 'PROVISIONALLY_IGNORED'])[1 + id % 7], triaged_at = now()`);
  await world.queryAsOwner(`update workflow_issue set triage_reason = 'TRIAGE_REASON_NO_TIME'
    where triage_state = 'TRIAGE_STATE_IGNORED'`);
  clerk = await world.memberWithoutTeam(place);
  const team = await makeObject({ world, place, viewers: [clerk] }, 'Team');
  await world.inDeployment(place, (tx) => members.addProjects(tx, { deployment: place.id, team }, [shop.project]));
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });
type ListBody = Parameters<ReturnType<typeof lister>['listAllIssues']>[0]['body'];
const lister = (token: string) => world.as(contract, token);

async function pageOf(body: ListBody, token = place.admin.jwt) {
  const answer = await lister(token).listAllIssues({ path: path(), body });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body;
}

type Line = Awaited<ReturnType<typeof pageOf>>['issues'][number];
const nameOf = ({ kind, issue, workflowIssue }: Line) =>
  kind === 'FINDING_KIND_ISSUE' ? `ISS-${issue?.id}` : `WF-${workflowIssue?.id}`;

async function listOf(body: ListBody, token?: string): Promise<string[]> {
  return (await pageOf({ limit: 1000, ...body }, token)).issues.map(nameOf);
}

async function walk(body: ListBody, token?: string): Promise<string[]> {
  const names: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await pageOf({ ...body, cursor }, token);
    names.push(...page.issues.map(nameOf));
    cursor = page.cursor ?? '';
    if (cursor === '') return names;
    assert.equal(page.issues.length, body.limit);
  }
}

const isWorkflow = (name: string) => name.startsWith('WF-');

const QUERIES = [
  ...['', 'is:open', 'severity:>=high', 'type:workflow', '-type:workflow', 'type:code', 'cwe:89', '-cwe:89'],
  ...['path:src/*', 'rule:review', 'is:ignored reason:no-time', 'confidence:low', '-confidence:low', 'tag:web'],
  ...['seen:>2026-01-01', 'opened:<2026-06-02', '"jwt"', 'package:left-pad', 'scanner:"Agentic Workflows"', 'is:new'],
];

describe('the list of all findings', () => {
  test('pages have no gaps or duplicates for any size, order and filter', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...QUERIES),
        fc.constantFrom('SORT_BY_SEVERITY', 'SORT_BY_RELEVANT_SINCE'),
        fc.constantFrom('SORT_DIRECTION_ASC', 'SORT_DIRECTION_DESC'),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(place.admin.jwt, clerk.jwt),
        async (q, sortBy, sortDirection, limit, token) => {
          const walked = await walk({ q, sortBy, sortDirection, limit }, token);
          assert.deepEqual(walked, await listOf({ q, sortBy, sortDirection }, token));
          assert.equal(new Set(walked).size, walked.length);
        },
      ),
      { numRuns: 30, seed: 9, endOnFailure: true },
    );
  });

  test('is sorted across both kinds', async () => {
    const rankOf = (line: Line) =>
      SEVERITIES.findIndex((name) =>
        (line.issue?.exactSeverity ?? line.workflowIssue?.severity)?.endsWith(name.toUpperCase()),
      );
    const sinceOf = ({ issue, workflowIssue }: Line) =>
      Date.parse(issue?.relevantSince ?? workflowIssue?.createdAt ?? '');
    const { issues: bySeverity } = await pageOf({ sortBy: 'SORT_BY_SEVERITY', limit: 1000 });
    const keys = bySeverity.map((line) => rankOf(line) * 1e14 + sinceOf(line));
    assert.deepEqual(
      keys,
      keys.toSorted((one, other) => other - one),
    );
    const { issues: byAge } = await pageOf({ sortDirection: 'SORT_DIRECTION_ASC', limit: 1000 });
    assert.deepEqual(byAge.map(sinceOf), byAge.map(sinceOf).sort());
    const kinds = byAge.map(({ kind }) => kind).join(' ');
    assert.match(kinds, /WORKFLOW_ISSUE .*KIND_ISSUE .*WORKFLOW_ISSUE/);
  });

  test('equals the union of both lists', async () => {
    const { issues } = (await world.as(list, place.admin.jwt).listIssues({ path: path(), body: { limit: 1000 } })).body;
    const found = (await reporter(place.admin.jwt).searchIssues({ path: path(), body: { limit: '1000' } })).body.issues;
    const expected = [...issues.map(({ issue }) => `ISS-${issue.id}`), ...found.map(({ id }) => `WF-${id}`)];
    assert.deepEqual((await listOf({})).sort(), expected.sort());
    assert.equal(found.length, 14);
  });

  test('filter keys have the same meaning for both kinds, and keys that do not apply match nothing', async () => {
    const ofWorkflows = async (q: string) => (await listOf({ q })).filter(isWorkflow).length;
    const [row] = await world.queryAsOwner<{ open: number; high: number; sql: number; files: number; shop: number }>(
      `select count(*) filter (where triage_state in ('TRIAGE_STATE_OPEN', 'TRIAGE_STATE_REOPENED'))::int as open,
        count(*) filter (where severity >= 4)::int as high, count(*) filter (where 'CWE-89' = any(cwes))::int as sql,
        count(*) filter (where 'src/1.js' = any(file_paths))::int as files,
        (select count(*)::int from workflow_issue_project where project_id = $2) as shop
       from workflow_issue where deployment_id = $1`,
      [place.id, shop.project],
    );
    assert.ok(row && row.open > 0);
    assert.equal(await ofWorkflows('is:open'), row.open);
    assert.equal(await ofWorkflows('severity:>=high'), row.high);
    assert.equal(await ofWorkflows('cwe:89'), row.sql);
    assert.equal(await ofWorkflows('path:src/1.js'), row.files);
    assert.equal(await ofWorkflows('tag:web'), row.shop);
    assert.equal(await ofWorkflows('"jwt"'), 1);
    assert.equal(await ofWorkflows('package:left-pad'), 1);
    assert.equal(await ofWorkflows('rule:weekly'), 6);
    assert.equal(await ofWorkflows('scanner:agentic*'), 0);
    assert.equal(await ofWorkflows('scanner:"Agentic *"'), 14);
    for (const q of ['confidence:low', 'is:new', 'has:fix', 'mode:block', 'epss:>0', 'validity:valid', 'is:muted'])
      assert.equal(await ofWorkflows(q), 0, q);
    assert.equal(await ofWorkflows('-confidence:low'), 14);
    assert.ok((await listOf({ q: 'type:workflow' })).every(isWorkflow));
    assert.equal((await listOf({ q: '-type:workflow' })).some(isWorkflow), false);
  });

  test('shows members only what their teams may see (AZN-08)', async () => {
    const seen = await listOf({}, clerk.jwt);
    const whole = await listOf({});
    const [row] = await world.queryAsOwner<{ count: number }>(
      `select count(*)::int as count from workflow_issue as issue where deployment_id = $1 and (not is_in_project
         or exists (select from workflow_issue_project where issue_id = issue.id and project_id = $2))`,
      [place.id, shop.project],
    );
    assert.equal(seen.filter(isWorkflow).length, row?.count);
    assert.ok(seen.length < whole.length && seen.every((name) => whole.includes(name)));
    const [hidden] = await world.queryAsOwner<{ name: string }>('select name from project where id = $1', [
      bank.project,
    ]);
    assert.deepEqual(await listOf({ q: `project:${hidden?.name}` }, clerk.jwt), []);
    const { issues } = await pageOf({ q: 'type:workflow', limit: 100 }, clerk.jwt);
    assert.ok(issues.every(({ projects: named }) => named.every(({ id }) => id === shop.project)));
  });

  test('leaves out issues that are only in archived projects', async () => {
    const before = (await listOf({ q: 'type:workflow' })).length;
    await world.queryAsOwner('update project set archived_at = now() where id = $1', [bank.project]);
    const left = (await listOf({ q: 'type:workflow' })).length;
    const [row] = await world.queryAsOwner<{ count: number }>(
      `select count(*)::int as count from workflow_issue as issue where deployment_id = $1 and is_in_project
         and not exists (select from workflow_issue_project where issue_id = issue.id and project_id = $2)`,
      [place.id, shop.project],
    );
    await world.queryAsOwner('update project set archived_at = null where id = $1', [bank.project]);
    assert.ok(row && row.count > 0);
    assert.equal(left, before - row.count);
  });

  test('has no issues of other deployments', async () => {
    const other = await world.deployment();
    await report([{ identity: 'x', title: 'Of others' }], 'review', other);
    const answer = await lister(other.admin.jwt).listAllIssues({ path: { deploymentId: other.id }, body: {} });
    assert.deepEqual(
      answer.body.issues.map(({ workflowIssue }) => workflowIssue?.title),
      ['Of others'],
    );
    assert.equal((await listOf({ q: 'type:workflow' })).length, 14);
  });
});

describe('aggregates over both kinds', () => {
  test('each facet value counts the list filtered by that value', async () => {
    for (const token of [place.admin.jwt, clerk.jwt])
      for (const [q, rest] of [
        ['', {}],
        ['is:open severity:high,critical', { is: 'severity:high,critical', severity: 'is:open' }],
        ['type:workflow', { type: '' }],
        ['type:code', { type: '' }],
      ] as [string, Record<string, string>][]) {
        const body = { q, includeWorkflows: true };
        const answer = await world.as(views, token).getIssueFacets({ path: path(), body });
        assert.equal(answer.status, 200, JSON.stringify(answer.problem));
        assert.equal(Number(answer.body.total), (await listOf({ q }, token)).length);
        for (const { key, values } of answer.body.facets)
          for (const { value, count } of values)
            assert.equal(
              Number(count),
              (await listOf({ q: `${rest[key] ?? q} ${key}:${value}` }, token)).length,
              `${q} and ${key}:${value}`,
            );
      }
  });

  test('workflow issues are not counted unless requested', async () => {
    const { body } = await world.as(views, place.admin.jwt).getIssueFacets({ path: path(), body: { q: '' } });
    assert.equal(Number(body.total), (await listOf({ q: '-type:workflow' })).length);
    const types = body.facets.find(({ key }) => key === 'type')?.values ?? [];
    assert.equal(
      types.some(({ value }) => value === 'workflow'),
      false,
    );
  });

  test('counts by state agree with the list', async () => {
    for (const q of ['', 'type:workflow', 'severity:high']) {
      const body = { q, includeWorkflows: true };
      const counts = (await world.as(aggregates, place.admin.jwt).getIssueCounts({ path: path(), body })).body;
      const sizes = {
        open: 'open',
        reviewing: 'reviewing',
        fixing: 'to-fix',
        closed: 'fixed',
        ignored: 'ignored',
      } as const;
      for (const [name, word] of Object.entries(sizes) as [keyof typeof sizes, string][])
        assert.equal(Number(counts[name]), (await listOf({ q: `${q} is:${word}` })).length, `${q} is:${word}`);
      assert.equal(Number(counts.ignoredNoTime), (await listOf({ q: `${q} reason:no-time` })).length);
    }
  });

  test('each group agrees with the list of its filter', async () => {
    for (const token of [place.admin.jwt, clerk.jwt])
      for (const groupBy of ISSUE_GROUPINGS)
        for (const q of ['', 'severity:>=medium', 'type:workflow', 'project:acme/*']) {
          const body = { q, groupBy, includeWorkflows: true, limit: 200 };
          const answer = await world.as(views, token).groupIssues({ path: path(), body });
          assert.equal(answer.status, 200, JSON.stringify(answer.problem));
          for (const group of answer.body.groups)
            assert.equal(Number(group.count), (await listOf({ q: group.q }, token)).length, `${groupBy} ${group.q}`);
        }
  });
});

test('the preview of a bulk update agrees with the list', async () => {
  const body = {
    ...{ q: 'is:open', snapshot: '9007199254740991', dryRun: true, includeWorkflows: true },
    params: { triageState: 'FINDING_TRIAGE_STATE_FIXING' as const },
  };
  for (const token of [place.admin.jwt, clerk.jwt]) {
    const answer = await world.as(bulk, token).startBulkUpdate({ path: path(), body });
    const names = await listOf({ q: 'is:open' }, token);
    assert.equal(answer.status, 200, JSON.stringify(answer.problem));
    assert.equal(answer.body.workflowCount, names.filter(isWorkflow).length);
    assert.equal(answer.body.count, names.length);
  }
});

test('a page of many workflow issues uses an index and no sort', async () => {
  const { id } = await world.deployment();
  await world.queryAsOwner(
    `insert into workflow_issue (deployment_id, identity, title, description, reasoning, severity, detection_state,
       created_at, last_detected_at, is_in_project, file_path_key, actions, workflow_ids, workflow_job_ids,
       trigger_sources, ref_ids, file_paths, dependency_paths, direct_dependencies, domains, cwes, owasps)
     select $1, n, n, '', '', 1 + n % 5, 'DETECTION_STATE_DETECTED', now() + n * interval '1 second', now(), false, '',
       '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}' from generate_series(1, 5000) as n`,
    [id],
  );
  await world.queryAsOwner('analyze workflow_issue');
  const now = new Date();
  const context = {
    caller: { ...anonymousCaller, kind: 'user', deployment: id, userId: '1', seesEverything: true } as const,
    now,
  };
  for (const [by, index] of [
    ['relevance', 'workflow_issue__created_at'],
    ['severity', 'workflow_issue__severity_created_at'],
  ] as const) {
    const request = { filter: { is: ['open'] as const }, order: { by, isDescending: true }, after: null, limit: 51 };
    const rows = await world.inDeployment({ id }, (tx) => tx.rows`explain ${issueListSql(request, context)}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, new RegExp(`Index Scan Backward using ${index} `));
    assert.doesNotMatch(plan, /Sort/);
  }
});
