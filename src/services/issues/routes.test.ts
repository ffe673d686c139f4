import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ReportedFinding } from '#domain/reports/report-items.ts';
import * as members from '#domain/teams/members.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as aggregates from './aggregates/contract.ts';
import * as bulk from './bulk/contract.ts';
import * as listContract from './list/contract.ts';

let world: World;
let place: TestDeployment;
let shop: ProjectScans;
let bank: ProjectScans;
/** A member whose only team has the project shop but not bank. */
let clerk: TestUser;

const code = (rule: string, path: string, more: Partial<ReportedFinding> = {}) =>
  makeReportedFinding({ rule, path, line: 3, code: `${rule}(x)`, context: `a\n${rule}(x)\nb`, more });

before(async () => {
  world = await World.start();
  place = await world.deployment('Issue Works');
  shop = await ProjectScans.start(world, place);
  bank = await ProjectScans.start(world, place);
  await shop.scan([code('eval', 'a.js'), code('exec', 'b.js', { severity: 'critical' }), code('eval', 'c.js')]);
  await shop.scan([code('eval', 'a.js'), code('new-on-pull', 'd.js')], { ref: 'refs/pull/7/merge' });
  await bank.scan([code('eval', 'vault.js'), code('sqli', 'ledger.js', { severity: 'low', category: 'security' })]);
  clerk = await world.memberWithoutTeam(place);
  const team = await makeObject({ world, place, viewers: [clerk] }, 'Team');
  await world.inDeployment(place, (tx) => members.addProjects(tx, { deployment: place.id, team }, [shop.project]));
});
after(() => world.stop());

const contract = { ...listContract, ...aggregates, ...bulk };
const as = (token = place.admin.jwt) => world.as(contract, token);
const path = () => ({ deploymentId: place.id });
type Body = Parameters<ReturnType<typeof as>['listIssues']>[0]['body'];
type Params = Parameters<ReturnType<typeof as>['bulkUpdateIssues']>[0]['body']['params'];

async function list(body: Body = {}, token?: string) {
  const answer = await as(token).listIssues({ path: path(), body });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body;
}
const paths = async (body?: Body, token?: string) =>
  (await list(body, token)).issues.map(({ issue }) => issue.filePath).sort();
const idOf = async (file: string) =>
  (await list({ filter: { filePaths: [file] } })).issues[0]?.issue.id ?? assert.fail(file);
const update = (body: Omit<Body, 'limit' | 'cursor'> & { snapshot?: string }, params: Params, token?: string) =>
  as(token).bulkUpdateIssues({ path: path(), body: { ...body, params } });

describe('the list', () => {
  test('shows findings on primary refs, or on the ref in the filter', async () => {
    assert.deepEqual(await paths(), ['a.js', 'b.js', 'c.js', 'ledger.js', 'vault.js']);
    assert.deepEqual(await paths({ filter: { refs: ['refs/pull/7/merge'] } }), ['a.js', 'd.js']);
    assert.deepEqual(await paths({ filter: { backlogType: 'ISSUE_BACKLOG_TYPE_PREPROD' } }), ['d.js']);
  });

  test('joins members by AND and their values by OR, together with the filter text', async () => {
    assert.deepEqual(await paths({ filter: { rules: ['eval', 'sqli'], severities: ['SEVERITY_LOW'] } }), ['ledger.js']);
    assert.deepEqual(await paths({ filter: { severities: ['SEVERITY_CRITICAL', 'SEVERITY_LOW'] } }), [
      'b.js',
      'ledger.js',
    ]);
    assert.deepEqual(await paths({ q: 'rule:e* -path:a.js' }), ['b.js', 'c.js', 'vault.js']);
    assert.deepEqual(await paths({ filter: { rules: ['eval'] }, q: '"VAULT"' }), ['vault.js']);
    assert.deepEqual(await paths({ issueTypes: ['ISSUE_TYPE_SCA'] }), []);
    assert.deepEqual(await paths({ filter: { aiVerdicts: ['VERDICT_TRUE_POSITIVE'] } }), []);
    assert.equal((await paths({ filter: { aiVerdicts: ['VERDICT_NO_VERDICT'] } })).length, 5);
    const refused = await as().listIssues({ path: path(), body: { q: 'is:nothing' } });
    assert.equal(refused.problem.code, 'INVALID_QUERY');
  });

  test('paginates without gaps in all supported orders', async () => {
    const walk = async (sortBy: NonNullable<Body>['sortBy']) => {
      const seen: string[] = [];
      for (let cursor = '', turn = 0; turn === 0 || cursor !== ''; turn++) {
        const page: { issues: { issue: { severity: string } }[]; cursor?: string | undefined } = await list({
          sortBy,
          limit: 2,
          cursor,
        });
        seen.push(...page.issues.map(({ issue }) => issue.severity));
        cursor = page.cursor ?? '';
      }
      return seen;
    };
    assert.deepEqual(await walk('SORT_BY_SEVERITY'), [
      'SEVERITY_CRITICAL',
      ...['SEVERITY_HIGH', 'SEVERITY_HIGH', 'SEVERITY_HIGH'],
      'SEVERITY_LOW',
    ]);
    assert.equal((await walk('SORT_BY_RELEVANT_SINCE')).length, 5);
    const refused = await as().listIssues({ path: path(), body: { sortBy: 'SORT_BY_REPO' } });
    assert.equal(refused.problem.code, 'SORT_NOT_SERVED');
  });
});

describe('one issue', () => {
  test('is found by its id or by the id of a detection, whose ref is then shown', async () => {
    const id = await idOf('a.js');
    const { body, headers } = await as().getIssue({
      path: { ...path(), issueId: id },
      query: { includeCodeSnippet: true },
    });
    assert.deepEqual(
      [body.ref, body.aggregateState, body.status],
      ['main', 'AGGREGATE_ISSUE_STATE_OPEN', 'ISSUE_STATUS_UNRESOLVED'],
    );
    assert.deepEqual(body.codeSnippets, [{ path: 'a.js', content: 'a\neval(x)\nb' }]);
    assert.match(String(headers.get('etag')), /^"\d+"$/);
    const [related] = body.relatedIssues;
    assert.deepEqual([related?.ref, related?.pullRequestId], ['refs/pull/7/merge', '7']);
    const other = await as().getIssue({ path: { ...path(), issueId: related?.id ?? assert.fail() } });
    assert.deepEqual([other.body.ref, other.body.issueParentId, other.body.id], ['refs/pull/7/merge', id, related?.id]);
    assert.deepEqual(
      other.body.relatedIssues.map(({ ref }) => ref),
      ['main'],
    );
  });

  test('has its activity history', async () => {
    const id = await idOf('c.js');
    await update({ filter: { ids: [id] } }, { triageState: 'FINDING_TRIAGE_STATE_FIXING', note: 'soon' });
    await update({ filter: { ids: [id] } }, { triageState: 'FINDING_TRIAGE_STATE_REOPENED' });
    const { body } = await as().getIssue({ path: { ...path(), issueId: id } });
    assert.deepEqual(
      body.activityHistory.map(({ title, note, historyType }) => [title, note, historyType]),
      [
        ['Reopened', '', 'HISTORY_TYPE_TRIAGE'],
        ['To fix', 'soon', 'HISTORY_TYPE_TRIAGE'],
        ['First detected', '', 'HISTORY_TYPE_STATUS'],
      ],
    );
    const snippets = await as().getIssueCodeSnippets({ path: { ...path(), issueId: id } });
    assert.equal(snippets.body.codeSnippets.length, 1);
  });

  test('has the dataflow trace of the scanner', async () => {
    const step = (line: number) => ({ path: 'flow.js', region: { line, column: 1, endLine: line, endColumn: 2 } });
    const home = await world.deployment();
    const elsewhere = await ProjectScans.start(world, home);
    await elsewhere.scan([code('taint', 'flow.js', { trace: [[step(1), step(2), step(3)]] })]);
    const [found] = await elsewhere.findings();
    const reader = world.as(contract, home.admin.jwt);
    const { body } = await reader.getIssue({
      path: { deploymentId: home.id, issueId: (found?.id ?? '') as never },
    });
    assert.deepEqual(
      body.dataflowTrace?.intermediateVars.map(({ path, start }) => [path, start.line]),
      [['flow.js', '2']],
    );
  });
});

describe('numbers', () => {
  const counts = async (body: Pick<NonNullable<Body>, 'filter' | 'q'>, token?: string) =>
    (await as(token).getIssueCounts({ path: path(), body })).body;

  test('count each state regardless of the tab', async () => {
    const id = await idOf('b.js');
    await update(
      { filter: { ids: [id] } },
      {
        triageState: 'FINDING_TRIAGE_STATE_IGNORED',
        triageReason: 'FINDING_TRIAGE_REASON_NO_TIME',
      },
    );
    const numbers = await counts({ filter: { tab: 'ISSUE_TAB_IGNORED' } });
    assert.deepEqual(
      [numbers.open, numbers.ignored, numbers.ignoredNoTime, numbers.ignoredFalsePositive, numbers.closed],
      ['4', '1', '1', '0', '0'],
    );
    await update({ filter: { ids: [id] } }, { triageState: 'FINDING_TRIAGE_STATE_REOPENED' });
  });

  test('group by rule, largest first', async () => {
    const { body } = await as().listIssueGroups({ path: path(), body: { limit: 2 } });
    assert.deepEqual(
      [body.groups.map(({ ruleId, issuesCount }) => `${ruleId} ${issuesCount}`)[0], body.total],
      ['eval 3', '3'],
    );
    const rest = await as().listIssueGroups({ path: path(), body: { limit: 2, cursor: body.cursor } });
    assert.deepEqual([rest.body.groups.length, rest.body.cursor], [1, '']);
    const worst = await as().listIssueGroups({ path: path(), body: { sortBy: 'SORT_BY_SEVERITY' } });
    assert.deepEqual(
      worst.body.groups.map(({ ruleId }) => ruleId),
      ['exec', 'eval', 'sqli'],
    );
  });

  test('list only filter values of matching issues', async () => {
    const { body } = await as().getIssueFilters({ path: path(), body: { filter: { rules: ['sqli'] } } });
    assert.deepEqual(
      [body.ruleNames, body.categories, body.repos.map(({ id }) => id)],
      [['sqli'], ['security'], [bank.project]],
    );
    assert.deepEqual(
      body.repoRefGroups[0]?.repoRefs.map(({ refName, isPrimary }) => [refName, isPrimary]),
      [['main', true]],
    );
  });
});

describe('team-scoped members (AZN-08)', () => {
  test('do not list, count or group issues of other teams', async () => {
    assert.deepEqual(await paths({}, clerk.jwt), ['a.js', 'b.js', 'c.js']);
    assert.deepEqual(await paths({ q: 'rule:sqli' }, clerk.jwt), []);
    const counts = await as(clerk.jwt).getIssueCounts({ path: path(), body: {} });
    assert.equal(counts.body.open, '3');
    const groups = await as(clerk.jwt).listIssueGroups({ path: path(), body: {} });
    assert.deepEqual(
      groups.body.groups.map(({ ruleId, issuesCount }) => `${ruleId} ${issuesCount}`),
      ['eval 2', 'exec 1'],
    );
    const facets = await as(clerk.jwt).getIssueFilters({ path: path(), body: {} });
    assert.deepEqual([facets.body.ruleNames, facets.body.repos.length], [['eval', 'exec'], 1]);
  });

  test('cannot change issues of other teams by id, filter or undo', async () => {
    const vault = await idOf('vault.js');
    assert.equal((await as(clerk.jwt).getIssue({ path: { ...path(), issueId: vault } })).status, 404);
    const byId = await update({ filter: { ids: [vault] } }, { note: 'mine' }, clerk.jwt);
    assert.equal(byId.problem.errors[0]?.code, 'UNKNOWN_REFERENCE');
    const byFilter = await update({ filter: { rules: ['eval'] } }, { note: 'mine' }, clerk.jwt);
    assert.equal(byFilter.body.issueParentCount, 2);
    const theirs = await update({ filter: { ids: [vault] } }, { note: 'theirs' });
    const batchId = theirs.body.batchId ?? assert.fail();
    const undone = await as(clerk.jwt).undoBatch({ path: { ...path(), batchId }, body: {} });
    assert.equal(undone.status, 404);
  });
});

describe('a bulk update', () => {
  test('requires a selection and a decision', async () => {
    const wrong: [Parameters<typeof update>[0], Params, string][] = [
      [{}, { note: 'n' }, '#/filter'],
      [{ filter: { rules: [] } }, { note: 'n' }, '#/filter'],
      [{ q: 'is:open' }, {}, '#/params/triageState'],
      [{ q: 'is:open' }, { triageState: 'FINDING_TRIAGE_STATE_UNKNOWN' }, '#/params/triageState'],
      [{ q: 'is:open' }, { note: 'n', triageReason: 'FINDING_TRIAGE_REASON_NO_TIME' }, '#/params/triageReason'],
      [{ q: 'is:open' }, { note: 'n'.repeat(3001) }, '#/params/note'],
      [{ filter: { ids: ['77777777'] } }, { note: 'n' }, '#/filter/ids/0'],
    ];
    for (const [body, params, pointer] of wrong) {
      const { status, problem } = await update(body, params);
      assert.deepEqual([status, problem.errors[0]?.pointer], [400, pointer]);
    }
  });

  test('can be undone in one call unless changed since, and the undo can be undone', async () => {
    const [a, c] = [await idOf('a.js'), await idOf('c.js')];
    const state = async (id: string) =>
      (await as().getIssue({ path: { ...path(), issueId: id as never } })).body.triageState;
    const before = await state(a);
    const { body } = await update({ filter: { ids: [a, c] } }, { triageState: 'FINDING_TRIAGE_STATE_REVIEWING' });
    assert.deepEqual([body.issueParentCount, body.issueCount, body.updatedCount], [2, 3, 2]);
    await update({ filter: { ids: [c] } }, { triageState: 'FINDING_TRIAGE_STATE_FIXING' });
    const undone = await as().undoBatch({ path: { ...path(), batchId: body.batchId ?? assert.fail() }, body: {} });
    assert.deepEqual([undone.body.undone, undone.body.skipped], [1, 1]);
    assert.deepEqual([await state(a), await state(c)], [before, 'FINDING_TRIAGE_STATE_FIXING']);
    const again = await as().undoBatch({ path: { ...path(), batchId: body.batchId ?? '' }, body: {} });
    assert.deepEqual([again.body.undone, again.body.skipped], [0, 2]);
    await as().undoBatch({ path: { ...path(), batchId: undone.body.batchId ?? assert.fail() }, body: {} });
    assert.equal(await state(a), 'FINDING_TRIAGE_STATE_REVIEWING');
  });

  test('with a snapshot skips newer issues', async () => {
    const { snapshot } = await list();
    await shop.scan([code('late', 'late.js')], { tool: 'other' });
    const { body } = await update({ q: 'path:*.js', snapshot }, { note: 'seen' });
    assert.ok(body.issueParentCount >= 5);
    const late = await as().getIssue({ path: { ...path(), issueId: await idOf('late.js') } });
    assert.equal(late.body.note, '');
  });
});

describe('developer triage', () => {
  test('requests an approval instead of ignoring; ignoring approves it, fixing rejects it', async () => {
    await world.queryAsOwner(
      `insert into product_config (deployment_id, settings) values ($1, '{"hasDeveloperTriage": true}')
       on conflict (deployment_id) do update set settings = excluded.settings`,
      [place.id],
    );
    const ids = [await idOf('a.js'), await idOf('b.js')];
    const ignore: Params = {
      triageState: 'FINDING_TRIAGE_STATE_IGNORED',
      triageReason: 'FINDING_TRIAGE_REASON_FALSE_POSITIVE',
      note: 'please',
    };
    const updated = await update({ filter: { ids } }, ignore, clerk.jwt);
    assert.deepEqual(
      [updated.body.updatedCount, updated.body.numExceptionsRequested, updated.body.numSkipped],
      [0, 2, 0],
    );
    const again = await update({ filter: { ids } }, ignore, clerk.jwt);
    assert.deepEqual([again.body.numExceptionsRequested, again.body.numSkipped], [0, 2]);
    await update({ filter: { ids: ids.slice(0, 1) } }, ignore);
    await update({ filter: { ids: ids.slice(1) } }, { triageState: 'FINDING_TRIAGE_STATE_FIXING' });
    const shown = await Promise.all(
      ids.map(async (id) => (await as(clerk.jwt).getIssue({ path: { ...path(), issueId: id } })).body),
    );
    assert.deepEqual(
      shown.map((one) => [one.exceptionRequest?.exceptionState, one.triageState, one.triagePermission]),
      [
        ['FINDING_EXCEPTION_REQUEST_STATE_APPROVED', 'FINDING_TRIAGE_STATE_IGNORED', 'TRIAGE_PERMISSION_REQUEST'],
        ['FINDING_EXCEPTION_REQUEST_STATE_REJECTED', 'FINDING_TRIAGE_STATE_FIXING', 'TRIAGE_PERMISSION_REQUEST'],
      ],
    );
    assert.ok(
      shown[0]?.activityHistory.some(({ historyType }) => historyType === 'HISTORY_TYPE_EXCEPTION_REQUEST_APPROVED'),
    );
  });
});
