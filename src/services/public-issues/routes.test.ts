import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as members from '#domain/teams/members.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { type TestDeployment, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Issue Works');
});
after(() => world.stop());

const as = (token = place.admin.jwt) => world.as(contract, token);
const path = () => ({ deploymentId: place.id });
type Body = Parameters<ReturnType<typeof as>['reportIssues']>[0]['body'];
type Entry = Body['issues'][number];
type Filters = NonNullable<Parameters<ReturnType<typeof as>['searchIssues']>[0]['body']['filters']>;

async function report(issues: Entry[], run: Partial<Body> = {}, token?: string) {
  const { status, body, problem } = await as(token).reportIssues({
    path: path(),
    body: { workflowId: 'w', ...run, issues },
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body;
}

const project = async (where = place) => (await world.project(where)) as Id<'Project'>;

describe('report issues', () => {
  test('a new identity creates an issue with every documented member', async () => {
    const projectId = await project();
    const { created, updated, issues } = await report(
      [
        {
          identity: 'idor invoices',
          title: 'Invoices of others',
          description: 'd',
          reasoning: 'r',
          severity: 'SEVERITY_HIGH',
          projectId,
          refId: 'refs/heads/main',
          filePaths: ['b.ts', 'a.ts'],
          dependencyPaths: ['x>y'],
          directDependencies: ['x'],
          domains: ['billing'],
          cwes: ['CWE-639'],
          owasps: ['A01'],
          actions: ['comment'],
        },
      ],
      { workflowJobId: 'job-1', triggerSource: 'schedule' },
    );
    assert.deepEqual([created, updated], [1, 0]);
    const { id, createdAt, lastDetectedAt, ...rest } = issues[0] ?? assert.fail();
    assert.ok(id && createdAt === lastDetectedAt);
    assert.deepEqual(rest, {
      deploymentId: place.id,
      title: 'Invoices of others',
      description: 'd',
      reasoning: 'r',
      detectionState: 'DETECTION_STATE_DETECTED',
      severity: 'SEVERITY_HIGH',
      triageState: 'TRIAGE_STATE_OPEN',
      actions: ['comment'],
      workflowIds: ['w'],
      identities: ['idor invoices'],
      triggerSources: ['schedule'],
      projectIds: [projectId],
      refIds: ['refs/heads/main'],
      filePaths: ['b.ts', 'a.ts'],
      dependencyPaths: ['x>y'],
      directDependencies: ['x'],
      domains: ['billing'],
      cwes: ['CWE-639'],
      owasps: ['A01'],
    });
  });

  test('a known identity updates the issue, never duplicates it and never changes its triage', async () => {
    const identity = uniqueName('identity');
    const first = await report([{ identity, title: 'Before', description: 'kept' }]);
    const id = first.issues[0]?.id ?? assert.fail();
    await as().triageIssue({
      path: { ...path(), issueId: id },
      body: { triageState: 'TRIAGE_STATE_IGNORED', triageReason: 'TRIAGE_REASON_NO_TIME' },
    });
    const again = await report([{ identity, title: 'After', severity: 'SEVERITY_CRITICAL' }], { workflowId: 'v' });
    assert.deepEqual([again.created, again.updated], [0, 1]);
    const issue = again.issues[0] ?? assert.fail();
    assert.equal(issue.id, id);
    assert.deepEqual([issue.title, issue.description, issue.severity], ['After', 'kept', 'SEVERITY_CRITICAL']);
    assert.deepEqual([issue.triageState, issue.triageReason], ['TRIAGE_STATE_IGNORED', 'TRIAGE_REASON_NO_TIME']);
    assert.deepEqual(issue.workflowIds, ['w', 'v']);
    const { body } = await as().getIssueActivityHistory({ path: { ...path(), issueId: id } });
    assert.equal(body.history[0]?.changedFields, 'title,severity,workflowIds');
    assert.deepEqual([body.history[0]?.oldValues.title, body.history[0]?.newValues.title], ['Before', 'After']);
  });

  test('one identity twice in a report or in 8 concurrent reports is one issue (CON-03)', async () => {
    const identity = uniqueName('identity');
    const twice = await report([
      { identity, title: 'One' },
      { identity, title: 'Two', refId: 'r' },
    ]);
    assert.deepEqual([twice.created, twice.updated, twice.issues.length, twice.issues[0]?.title], [1, 0, 1, 'Two']);
    const names = Array.from({ length: 20 }, () => uniqueName('parallel'));
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => {
        const ordered = turn % 2 ? names : [...names].reverse();
        return report(ordered.map((name) => ({ identity: name, title: name })));
      }),
    );
    assert.equal(
      all.reduce((sum, { created }) => sum + created, 0),
      names.length,
    );
    const { body } = await as().countIssues({ path: path(), body: { filters: { identities: names } } });
    assert.equal(body.count, String(names.length));
  });

  test('a detection updates lastDetectedAt, an absence does not', async () => {
    const identity = uniqueName('identity');
    const [first] = (await report([{ identity, title: 't' }])).issues;
    world.clockOffsetMs = 60_000;
    const { jwt } = await world.signIn(place.admin);
    const [gone] = (
      await report([{ identity, title: 't', detectionState: 'DETECTION_STATE_VERIFIED_ABSENT' }], {}, jwt)
    ).issues;
    const [seen] = (await report([{ identity, title: 't' }], {}, jwt)).issues;
    world.clockOffsetMs = 0;
    assert.deepEqual(gone?.lastDetectedAt, first?.lastDetectedAt);
    assert.ok((seen?.lastDetectedAt ?? '') > (first?.lastDetectedAt ?? ''));
    assert.deepEqual(seen?.createdAt, first?.createdAt);
  });

  test('unknown, foreign and invisible projects give the same error and nothing is stored (AZN-04)', async () => {
    const [foreign, outsider] = [await project(await world.deployment()), await world.memberWithoutTeam(place)];
    const tries: [string, string][] = [
      ['999999999', place.admin.jwt],
      [foreign, place.admin.jwt],
      [await project(), outsider.jwt],
    ];
    for (const [projectId, token] of tries) {
      const identity = uniqueName('identity');
      const { status, problem } = await as(token).reportIssues({
        path: path(),
        body: {
          workflowId: 'w',
          issues: [
            { identity, title: 't' },
            { identity: `${identity}2`, title: 't', projectId: projectId as Id<'Project'> },
          ],
        },
      });
      assert.equal(status, 400);
      assert.deepEqual(problem.errors, [
        {
          pointer: '#/issues/1/projectId',
          code: 'UNKNOWN_REFERENCE',
          detail: `project ${projectId} is not known in this deployment`,
        },
      ]);
      const { body } = await as().countIssues({ path: path(), body: { filters: { identities: [identity] } } });
      assert.equal(body.count, '0');
    }
  });

  test('a misspelt project is refused, because the issue would be visible to everybody', async () => {
    const misspelt = { identity: uniqueName('identity'), title: 'Ours', projectIds: [await project()] };
    const { status, problem } = await as().reportIssues({
      path: path(),
      body: { workflowId: 'w', issues: [misspelt] },
    });
    assert.deepEqual(
      [status, problem.errors],
      [
        400,
        [
          {
            pointer: '#/issues/0/projectIds',
            code: 'UNKNOWN_MEMBER',
            detail: 'is not known here; did you mean projectId?',
          },
        ],
      ],
    );
  });

  test('an identity cannot reach an invisible issue (AZN-03)', async () => {
    const identity = uniqueName('identity');
    await report([{ identity, title: 'Theirs', projectId: await project() }]);
    const outsider = await world.memberWithoutTeam(place);
    const { status, problem } = await as(outsider.jwt).reportIssues({
      path: path(),
      body: { workflowId: 'w', issues: [{ identity, title: 'Mine' }] },
    });
    assert.deepEqual([status, problem.errors[0]?.code], [400, 'NOT_YOURS']);
  });
});

describe('search and count', () => {
  let here: TestDeployment;
  let ids: Record<string, string>;
  let projects: Id<'Project'>[];

  before(async () => {
    here = await world.deployment('Search Works');
    projects = [await project(here), await project(here)];
    const at = (token: string) => world.as(contract, token);
    const [one, two] = projects;
    const entries: [string, Partial<Entry>, Partial<Body>][] = [
      [
        'alpha',
        { severity: 'SEVERITY_LOW', filePaths: ['src/z.ts'], ...(one && { projectId: one }) },
        { workflowId: 'w1' },
      ],
      [
        'beta 100%',
        { severity: 'SEVERITY_CRITICAL', filePaths: ['src/a.ts'], ...(two && { projectId: two }) },
        { workflowJobId: 'j1' },
      ],
      [
        'gamma_x',
        { description: 'Some DEEP text', reasoning: 'because', actions: ['block'] },
        { triggerSource: 'push' },
      ],
      ['delta', { detectionState: 'DETECTION_STATE_NOT_DETECTED', refId: 'refs/heads/x' }, {}],
    ];
    ids = {};
    for (const [identity, entry, run] of entries) {
      const { body } = await at(here.admin.jwt).reportIssues({
        path: { deploymentId: here.id },
        body: { workflowId: 'w', ...run, issues: [{ identity, title: `Title ${identity}`, ...entry }] },
      });
      ids[identity] = body.issues[0]?.id ?? '';
    }
    await at(here.admin.jwt).triageIssue({
      path: { deploymentId: here.id, issueId: ids['delta'] as Id<'Issue'> },
      body: { triageState: 'TRIAGE_STATE_IGNORED', triageReason: 'TRIAGE_REASON_NO_TIME' },
    });
  });

  const found = async (filters: Filters, token = here.admin.jwt) => {
    const api = world.as(contract, token);
    const { body } = await api.searchIssues({ path: { deploymentId: here.id }, body: { filters } });
    const counted = await api.countIssues({ path: { deploymentId: here.id }, body: { filters } });
    assert.equal(body.total, String(body.issues.length));
    assert.equal(counted.body.count, body.total);
    return body.issues.map(({ identities }) => identities[0]?.split(/[ _]/)[0]).sort();
  };

  test('members of the filter are joined by AND, values of one member by OR', async () => {
    const [one, two] = projects as [Id<'Project'>, Id<'Project'>];
    const cases: [Filters, string[]][] = [
      [{}, ['alpha', 'beta', 'delta', 'gamma']],
      [{ ids: [ids['alpha'], ids['beta 100%']] as Id<'Issue'>[] }, ['alpha', 'beta']],
      [{ titleQuery: 'TITLE b' }, ['beta']],
      [{ titleQuery: '100%' }, ['beta']],
      [{ titleQuery: '%' }, ['beta']],
      [{ titleQuery: '_' }, ['gamma']],
      [{ descriptionQuery: 'deep' }, ['gamma']],
      [{ reasoningQuery: 'cause' }, ['gamma']],
      [{ detectionStates: ['DETECTION_STATE_NOT_DETECTED'] }, ['delta']],
      [{ severities: ['SEVERITY_LOW', 'SEVERITY_CRITICAL'] }, ['alpha', 'beta']],
      [{ severities: ['SEVERITY_UNSPECIFIED'] }, ['alpha', 'beta', 'delta', 'gamma']],
      [{ triageStates: ['TRIAGE_STATE_IGNORED'] }, ['delta']],
      [{ triageReasons: ['TRIAGE_REASON_NO_TIME'] }, ['delta']],
      [{ actions: ['block', 'other'] }, ['gamma']],
      [{ workflowIds: ['w1'] }, ['alpha']],
      [{ workflowJobIds: ['j1'] }, ['beta']],
      [{ identities: ['delta', 'alpha'] }, ['alpha', 'delta']],
      [{ triggerSources: ['push'] }, ['gamma']],
      [{ projectIds: [one, two] }, ['alpha', 'beta']],
      [{ refIds: ['refs/heads/x'] }, ['delta']],
      [{ filePathQuery: 'SRC/' }, ['alpha', 'beta']],
      [{ createdAt: { startAt: '2999-01-01T00:00:00Z' } }, []],
      [{ lastDetectedAt: { endAt: '2999-01-01T00:00:00Z' } }, ['alpha', 'beta', 'delta', 'gamma']],
      [{ triagedAt: { startAt: '2000-01-01T00:00:00Z' } }, ['delta']],
      [{ severities: ['SEVERITY_LOW'], titleQuery: 'beta' }, []],
    ];
    for (const [filters, expected] of cases) assert.deepEqual(await found(filters), expected, JSON.stringify(filters));
  });

  test('every sort works in both directions and its pages are complete', async () => {
    const api = world.as(contract, here.admin.jwt);
    const orders = new Map<string, string[]>();
    for (const sortField of ['SEVERITY', 'LAST_DETECTED_AT', 'CREATED_AT', 'FILE_PATH'] as const)
      for (const sortDirection of ['SORT_DIRECTION_ASC', 'SORT_DIRECTION_DESC'] as const) {
        const seen: string[] = [];
        for (let cursor = '', turn = 0; turn === 0 || cursor !== ''; turn++) {
          const { body } = await api.searchIssues({
            path: { deploymentId: here.id },
            body: { sortField: `ISSUE_SORT_FIELD_${sortField}`, sortDirection, limit: '1', cursor },
          });
          assert.equal(body.total, '4');
          seen.push(...body.issues.map(({ id }) => id));
          cursor = body.cursor ?? '';
        }
        orders.set(`${sortField} ${sortDirection}`, seen);
        assert.equal(new Set(seen).size, 4);
      }
    for (const field of ['SEVERITY', 'LAST_DETECTED_AT', 'CREATED_AT', 'FILE_PATH'])
      assert.deepEqual(
        orders.get(`${field} SORT_DIRECTION_ASC`),
        [...(orders.get(`${field} SORT_DIRECTION_DESC`) ?? [])].reverse(),
      );
    assert.equal(orders.get('SEVERITY SORT_DIRECTION_DESC')?.[0], ids['beta 100%']);
    assert.equal(orders.get('FILE_PATH SORT_DIRECTION_DESC')?.[0], ids['alpha']);
    assert.equal(orders.get('CREATED_AT SORT_DIRECTION_ASC')?.[0], ids['alpha']);
  });

  test('invisible issues are not found and not counted (AZN-08)', async () => {
    const [one = '', two = ''] = projects;
    const outsider: TestUser = await world.memberWithoutTeam(here);
    assert.deepEqual(await found({}, outsider.jwt), ['delta', 'gamma']);
    const team = await makeObject({ world, place: here, viewers: [outsider] }, 'Team');
    await world.inDeployment(here, (tx) => members.addProjects(tx, { deployment: here.id, team }, [one]));
    assert.deepEqual(await found({}, outsider.jwt), ['alpha', 'delta', 'gamma']);
    assert.deepEqual(await found({ projectIds: [two as Id<'Project'>] }, outsider.jwt), []);
    assert.deepEqual(await found({ ids: [ids['beta 100%'] as Id<'Issue'>] }, outsider.jwt), []);
    await world.as(contract, here.admin.jwt).reportIssues({
      path: { deploymentId: here.id },
      body: { workflowId: 'w', issues: [{ identity: 'alpha', title: 'a', projectId: two as Id<'Project'> }] },
    });
    const shown = await world.as(contract, outsider.jwt).getIssue({
      path: { deploymentId: here.id, issueId: ids['alpha'] as Id<'Issue'> },
    });
    assert.deepEqual(shown.body.data.projectIds, [one]);
    assert.deepEqual(await found({ projectIds: [two as Id<'Project'>] }, outsider.jwt), []);
  });

  test('an issue of a deleted project is visible only to callers who see everything', async () => {
    const lost = await world.deployment();
    const projectId = await project(lost);
    await world.as(contract, lost.admin.jwt).reportIssues({
      path: { deploymentId: lost.id },
      body: { workflowId: 'w', issues: [{ identity: 'lost', title: 'Lost', projectId }] },
    });
    await world.queryAsOwner('delete from project where id = $1', [projectId]);
    const member = await world.member(lost);
    const count = async (token: string) =>
      (await world.as(contract, token).countIssues({ path: { deploymentId: lost.id }, body: {} })).body.count;
    assert.deepEqual([await count(lost.admin.jwt), await count(member.jwt)], ['1', '0']);
  });
});
