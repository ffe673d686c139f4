import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as projects from '#domain/projects/store.ts';
import type { ReportedFinding } from '#domain/reports/report-items.ts';
import * as members from '#domain/teams/members.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as list from '../list/contract.ts';
import * as views from './contract.ts';
import { FACET_KEYS, ISSUE_GROUPINGS } from './shape.ts';

let world: World;
let place: TestDeployment;
let clerk: TestUser;

const code = (rule: string, path: string, more: Partial<ReportedFinding> = {}) =>
  makeReportedFinding({ rule, path, line: 3, code: `${rule}(x)`, context: `a\n${rule}(x)\nb`, more });
const dependency = (name: string, path: string) =>
  code(`${name}-flaw`, path, {
    product: 'sca',
    sca: { package: name, version: '1.0.0', ecosystem: 'npm', advisories: [`CVE-2026-${name.length}000`] },
  } as Partial<ReportedFinding>);

before(async () => {
  world = await World.start();
  place = await world.deployment('View Works');
  const shop = await ProjectScans.start(world, place);
  const bank = await ProjectScans.start(world, place);
  await world.inDeployment(place, (tx) =>
    projects.addTags(tx, { deployment: place.id, id: shop.project }, ['web', 'pci dss']),
  );
  await shop.scan([
    code('eval', 'a.js', { cwes: ['CWE-95: Eval', 'CWE-89'], confidence: 'high' }),
    code('exec "it"', 'b.js', { severity: 'critical', cwes: ['CWE-78'] }),
    code('eval', 'c.js', { severity: 'info', isIgnoredInCode: true }),
    code('gone', 'gone.js'),
    dependency('left-pad', 'package-lock.json'),
  ]);
  await shop.scan([code('eval', 'a.js', { cwes: ['CWE-95: Eval', 'CWE-89'] }), code('new-on-pull', 'd.js')], {
    ref: 'refs/pull/7/merge',
  });
  await shop.scan([
    code('eval', 'a.js', { cwes: ['CWE-95: Eval', 'CWE-89'], confidence: 'high' }),
    code('exec "it"', 'b.js', { severity: 'critical', cwes: ['CWE-78'] }),
    code('eval', 'c.js', { severity: 'info', isIgnoredInCode: true }),
    dependency('left-pad', 'package-lock.json'),
  ]);
  await bank.scan([
    code('eval', 'a.js'),
    code('sqli', 'my ledger,*.js', { severity: 'low', cwes: ['CWE-89: SQL'] }),
    dependency('lodash', 'package-lock.json'),
    dependency('left-pad', 'yarn.lock'),
  ]);
  clerk = await world.memberWithoutTeam(place);
  const team = await makeObject({ world, place, viewers: [clerk] }, 'Team');
  await world.inDeployment(place, (tx) => members.addProjects(tx, { deployment: place.id, team }, [shop.project]));
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });
const as = (token = place.admin.jwt) => world.as(views, token);

async function sizeOf(q: string, token = place.admin.jwt): Promise<number> {
  const answer = await world.as(list, token).listIssues({ path: path(), body: { q, limit: 1000 } });
  assert.equal(answer.status, 200, `${q}: ${JSON.stringify(answer.problem)}`);
  return answer.body.issues.length;
}

async function facets(body: Parameters<ReturnType<typeof as>['getIssueFacets']>[0]['body'], token?: string) {
  const answer = await as(token).getIssueFacets({ path: path(), body });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body;
}

describe('facets', () => {
  test('severity counts agree with the list, including info', async () => {
    const { issues } = (await world.as(list, place.admin.jwt).listIssues({ path: path(), body: { limit: 1000 } })).body;
    const shown = issues.map(({ issue }) => issue.exactSeverity.replace('SEVERITY_', '').toLowerCase());
    const severities = (await facets({})).facets.find(({ key }) => key === 'severity')?.values ?? [];
    assert.ok(severities.some(({ value, count }) => value === 'info' && Number(count) > 0));
    for (const { value, count } of severities)
      assert.equal(shown.filter((name) => name === value).length, Number(count), value);
    const info = issues.find(({ issue }) => issue.exactSeverity === 'SEVERITY_INFO')?.issue;
    assert.equal(info?.severity, 'SEVERITY_LOW');
    const one = await world.as(list, place.admin.jwt).getIssue({ path: { ...path(), issueId: info?.id ?? '' } });
    assert.equal(one.body.exactSeverity, 'SEVERITY_INFO');
  });

  test('each value counts the list filtered by that value and the other terms', async () => {
    for (const [q, rest] of [
      ['', {}],
      ['severity:high,critical', { severity: '' }],
      ['is:open rule:eval', { is: 'rule:eval', rule: 'is:open' }],
      ['branch:refs/pull/7/merge', {}],
      ['-type:secret project:acme/*', { type: 'project:acme/*', project: '-type:secret' }],
    ] as [string, Record<string, string>][]) {
      const { facets: found, total, totalIsExact } = await facets({ q });
      assert.deepEqual([Number(total), totalIsExact], [await sizeOf(q), true]);
      assert.deepEqual(
        found.map(({ key }) => key),
        [...FACET_KEYS],
      );
      for (const { key, values } of found)
        for (const { value, count } of values)
          assert.equal(Number(count), await sizeOf(`${rest[key] ?? q} ${key}:${value}`), `${q} and ${key}:${value}`);
    }
  });

  test('include alternatives and applied values, even without matches', async () => {
    const { facets: found, total } = await facets({ q: 'severity:medium', keys: ['severity', 'is'] });
    assert.equal(total, '0');
    const [severity, is] = found;
    assert.deepEqual(
      severity?.values.map(({ value, isApplied }) => [value, isApplied]),
      [
        ['high', false],
        ['info', false],
        ['low', false],
        ['critical', false],
        ['medium', true],
      ],
    );
    assert.deepEqual(is?.values, []);
  });

  test('ignore filter members of their own key and have display labels', async () => {
    const { facets: found } = await facets({ filter: { tab: 'ISSUE_TAB_IGNORED' }, keys: ['is', 'type', 'cwe'] });
    const [is, type] = found;
    assert.deepEqual(is?.values.find(({ value }) => value === 'fixed')?.label, 'Fixed');
    assert.deepEqual(type?.values, [{ value: 'code', label: 'Code', count: '1', isApplied: false }]);
    const cwe = (await facets({ keys: ['cwe'] })).facets[0]?.values;
    assert.deepEqual(cwe?.map(({ value, label, count }) => `${value} ${label} ${count}`)[0], '89 CWE-89: SQL 2');
  });

  test('count only visible issues (AZN-08) and refuse unknown keys', async () => {
    const mine = await facets({}, clerk.jwt);
    assert.equal(Number(mine.total), await sizeOf('', clerk.jwt));
    assert.equal(mine.facets.find(({ key }) => key === 'project')?.values.length, 1);
    const none = await facets({}, (await world.memberWithoutTeam(place)).jwt);
    assert.deepEqual([none.total, none.facets.flatMap(({ values }) => values)], ['0', []]);
    const refused = await as().getIssueFacets({ path: path(), body: { q: 'is:nothing' } });
    assert.equal(refused.problem.code, 'INVALID_QUERY');
  });
});

describe('groups', () => {
  const groups = async (body: Parameters<ReturnType<typeof as>['groupIssues']>[0]['body']) => {
    const answer = await as().groupIssues({ path: path(), body });
    assert.equal(answer.status, 200, JSON.stringify(answer.problem));
    return answer.body;
  };

  test('agree with the list of their filter for every grouping and query', async () => {
    for (const groupBy of ISSUE_GROUPINGS)
      for (const q of ['', 'is:open rule:e*', 'severity:high,critical -project:nothing']) {
        const { groups: found, total } = await groups({ q, groupBy });
        assert.equal(Number(total), found.length);
        for (const { q: own, count, severities } of found) {
          assert.equal(Number(count), await sizeOf(own), `${groupBy}: ${own}`);
          assert.equal(
            Object.values(severities).reduce((sum, one) => sum + Number(one), 0),
            Number(count),
          );
        }
      }
  });

  test('are ordered largest first and paginate without gaps', async () => {
    const all = (await groups({ groupBy: 'GROUP_BY_PATH' })).groups;
    assert.ok(all.every(({ count }, index) => index === 0 || Number(count) <= Number(all[index - 1]?.count)));
    const walked: string[] = [];
    for (let cursor = '', turn = 0; turn === 0 || cursor !== ''; turn++) {
      const page = await groups({ groupBy: 'GROUP_BY_PATH', limit: 2, cursor });
      walked.push(...page.groups.map(({ key }) => key));
      cursor = page.cursor ?? '';
    }
    assert.deepEqual(
      walked,
      all.map(({ key }) => key),
    );
  });

  test('separate files of different projects and name the project', async () => {
    const { groups: found } = await groups({ groupBy: 'GROUP_BY_PATH', q: 'path:a.js' });
    assert.equal(found.length, 2);
    assert.match(found[0]?.label ?? '', /^a\.js · acme\//);
    assert.match(found[0]?.q ?? '', /^path:a\.js project:acme\//);
  });
});
