import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ReportedFinding } from '#domain/reports/report-items.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import * as secretsContract from './secrets-contract.ts';
import * as triageContract from './triage-contract.ts';

let world: World;
let place: TestDeployment;
let scanning: ProjectScans;

before(async () => {
  world = await World.start();
  place = await world.deployment('Finding Works');
  scanning = await ProjectScans.start(world, place);
  await world.queryAsOwner(`update project set url = 'https://github.com/acme/shop' where id = $1`, [scanning.project]);
  await scanning.scan(everything());
  await scanning.scan(everything().slice(0, 1), { ref: 'refs/pull/12/merge' });
});
after(() => world.stop());

const eventual = (more: Partial<ReportedFinding> = {}) =>
  makeReportedFinding({
    rule: 'js.eval',
    path: 'src/app.js',
    line: 3,
    code: 'eval(x)',
    more: { matchBasedId: 'abc_0', ...more },
  });

const sca: Partial<ReportedFinding> = {
  product: 'sca',
  severity: 'critical',
  sca: {
    advisories: ['CVE-2021-1', 'GHSA-xx'],
    package: 'lodash',
    version: '4.0.0',
    ecosystem: 'npm',
    transitivity: 'direct',
    fixVersions: ['4.1.0'],
  },
};

const everything = (): ReportedFinding[] => [
  eventual(),
  makeReportedFinding({
    rule: 'js.exec',
    path: 'src/run.js',
    line: 9,
    code: 'exec(y)',
    more: { severity: 'info', category: 'style' },
  }),
  makeReportedFinding({ rule: 'ssc-1', path: 'package-lock.json', line: 1, code: '', more: sca }),
  makeReportedFinding({
    rule: 'aws-key',
    path: 'config/env',
    line: 4,
    code: '***',
    more: { product: 'secrets', secret: { type: 'AWS', value: 'AKIA1', validation: 'confirmed_valid' } },
  }),
];

type Query = NonNullable<Parameters<ReturnType<typeof reader>['listFindings']>[0]['query']>;
const reader = (token = place.admin.jwt) => world.as(contract, token);
const list = async (query: Query = {}, token?: string) => {
  const { status, body, problem } = await reader(token).listFindings({ path: { deploymentSlug: place.id }, query });
  assert.equal(status, 200, JSON.stringify(problem));
  return body.findings;
};
const rules = async (query: Query, token?: string) =>
  (await list(query, token)).map((one) => `${one.rule_name} ${one.ref}`);

const COMMON = [
  ...['id', 'ref', 'syntactic_id', 'match_based_id', 'repository', 'line_of_code_url', 'first_seen_scan_id', 'state'],
  ...['triage_state', 'status', 'confidence', 'created_at', 'relevant_since', 'rule_name', 'rule_message', 'location'],
  ...['triaged_at', 'triage_comment', 'triage_reason', 'state_updated_at'],
];
const RULE = ['rule', 'external_ticket', 'severity', 'review_comments'];

describe('the v1 list', () => {
  test('has the documented members in order', async () => {
    const raw = async (query: string) => {
      const url = `${world.baseUrl}/api/v1/deployments/${place.slug}/findings?${query}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${place.admin.jwt}` } });
      const { findings } = (await answer.json()) as { findings: Record<string, unknown>[] };
      return findings[0] ?? assert.fail();
    };
    const sast = await raw('dedup=true&rules=js.eval');
    assert.deepEqual(Object.keys(sast), [
      ...COMMON,
      'categories',
      ...RULE,
      ...['click_to_fix_prs', 'click_to_fix_failures', 'sourcing_policy', 'assistant'],
    ]);
    assert.match(String(sast['created_at']), /^2026-06-01T01:00:00\.000000Z$/);
    assert.deepEqual(sast['location'], { file_path: 'src/app.js', line: 3, column: 1, end_line: 3, end_column: 8 });
    assert.deepEqual(
      [sast['triaged_at'], sast['external_ticket'], sast['review_comments'], sast['match_based_id']],
      [null, null, [], 'abc_0'],
    );
    assert.equal(typeof sast['id'], 'number');
    const dependency = await raw('issue_type=sca');
    assert.deepEqual(Object.keys(dependency), [
      ...COMMON,
      'categories',
      ...RULE,
      ...['vulnerability_identifier', 'reachability', 'reachable_condition', 'found_dependency', 'epss_score'],
      ...['fix_recommendations', 'is_malicious', 'usage'],
    ]);
    assert.deepEqual(dependency['found_dependency'], {
      package: 'lodash',
      version: '4.0.0',
      ecosystem: 'npm',
      transitivity: 'direct',
      lockfile_line_url: null,
    });
    assert.deepEqual(dependency['fix_recommendations'], [{ package: 'lodash', version: '4.1.0' }]);
    assert.equal(dependency['reachability'], 'no reachability analysis');
  });

  test('has one record for each ref, or with dedup one for each finding', async () => {
    assert.deepEqual((await rules({})).sort(), ['js.eval main', 'js.eval refs/pull/12/merge', 'js.exec main']);
    assert.deepEqual((await rules({ dedup: true })).sort(), ['js.eval main', 'js.exec main']);
    const [one, other] = await list({ rules: ['js.eval'] });
    assert.notEqual(one?.id, other?.id);
    assert.deepEqual(await rules({ ref: 'refs/pull/12/merge' }), ['js.eval refs/pull/12/merge']);
    assert.equal((await rules({ ref: '_default' })).length, 3);
    assert.deepEqual(await rules({ ref: 'refs/heads/main', rules: ['js.eval'] }), ['js.eval main']);
  });

  test('applies filters and ignores those that do not apply', async () => {
    const dedup = true;
    assert.deepEqual(await rules({ dedup, severities: ['low'] }), ['js.exec main']);
    assert.deepEqual(await rules({ dedup, categories: ['style'] }), ['js.exec main']);
    assert.deepEqual(await rules({ dedup, repos: ['no/such'] }), []);
    assert.deepEqual(await rules({ dedup, autotriage_verdict: 'true_positive' }), []);
    assert.deepEqual(await rules({ dedup, policies: ['rule-board-block'] }), []);
    assert.equal((await rules({ dedup, exposures: ['reachable'] })).length, 2);
    assert.deepEqual(await rules({ issue_type: ['sca'], exposures: ['reachable'] }), []);
    assert.deepEqual(await rules({ issue_type: ['sca'], exposures: ['unknown'], is_malicious: false }), ['ssc-1 main']);
    assert.equal((await rules({ issue_type: ['sast', 'sca'], dedup })).length, 3);
    assert.deepEqual(await rules({ dedup, since: Date.UTC(2030, 0) / 1000 }), []);
    assert.deepEqual(await rules({ dedup, q: 'path:src/run.*' }), ['js.exec main']);
    const refused = await reader().listFindings({ path: { deploymentSlug: place.id }, query: { q: 'colour:red' } });
    assert.deepEqual([refused.status, refused.problem.code], [400, 'INVALID_QUERY']);
  });

  test('has pages of 100 to 3000 and an empty page after the end', async () => {
    assert.deepEqual(await list({ page: 1 }), []);
    for (const page_size of [99, 3001]) {
      const { status } = await reader().listFindings({ path: { deploymentSlug: place.id }, query: { page_size } });
      assert.equal(status, 400);
    }
    const far = await reader().listFindings({ path: { deploymentSlug: place.id }, query: { page: 999_999 } });
    assert.equal(far.problem.code, 'PAGE_TOO_FAR');
  });

  test('shows members only projects of their teams (AZN-08)', async () => {
    const outsider = await world.memberWithoutTeam(place);
    assert.deepEqual(await list({ issue_type: ['sast', 'sca'] }, outsider.jwt), []);
    assert.deepEqual(await list({ issue_type: ['sast', 'sca'], dedup: true }, outsider.jwt), []);
  });
});

describe('the list of secrets', () => {
  test('shows the type and location of a secret and never its value', async () => {
    const { body } = await world.as(secretsContract, place.admin.jwt).listSecretsPath({
      path: { deploymentId: place.id },
      query: { validationState: ['VALIDATION_STATE_CONFIRMED_VALID'] },
    });
    const [one] = body.findings;
    assert.deepEqual(
      [body.findings.length, one?.type, one?.findingPath, one?.status, one?.validationState, one?.repository.scmType],
      [1, 'AWS', 'config/env:4', 'FINDING_STATUS_OPEN', 'VALIDATION_STATE_CONFIRMED_VALID', 'SCM_TYPE_GITHUB'],
    );
    assert.doesNotMatch(JSON.stringify(body), /AKIA1/);
  });
});

describe('v1 bulk triage', () => {
  type Body = Parameters<ReturnType<typeof triager>['bulkTriage']>[0]['body'];
  const triager = (token = place.admin.jwt) => world.as(triageContract, token);
  const triage = (body: Body, token?: string) =>
    triager(token).bulkTriage({ path: { deploymentSlug: place.id }, body });

  test('updates a finding on all refs by the id of any of them', async () => {
    const pull = (await list({ ref: 'refs/pull/12/merge' }))[0] ?? assert.fail();
    const { body } = await triage({
      issue_type: 'sast',
      issue_ids: [Number(pull.id)],
      new_triage_state: 'ignored',
      new_triage_reason: 'false_positive',
      new_note: 'Only <b>ours</b>',
    });
    assert.equal(body.num_triaged, 2);
    assert.ok(body.triaged_issues.includes(pull.id));
    const seen = await list({ rules: ['js.eval'] });
    for (const one of seen)
      assert.deepEqual(
        [one.triage_state, one.status, one.triage_reason, one.triage_comment],
        ['ignored', 'ignored', 'false_positive', 'Only <b>ours</b>'],
      );
    assert.deepEqual(await rules({ status: 'ignored', triage_reasons: ['no_time'] }), []);
    assert.equal((await rules({ status: 'ignored', triage_reasons: ['false_positive'] })).length, 2);
    await triage({ issue_type: 'sast', issue_ids: [Number(pull.id)], new_triage_state: 'reopened' });
    assert.equal((await rules({ status: 'open' })).length, 3);
  });

  test('requires a decision and a selection', async () => {
    const wrong: [Body, string][] = [
      [{ issue_type: 'sast', issue_ids: [1] }, '#/new_triage_state'],
      [{ issue_type: 'sast', new_note: 'n' }, '#/issue_ids'],
      [{ issue_type: 'sast', new_note: 'n', issue_ids: [], repos: [] }, '#/issue_ids'],
      [
        { issue_type: 'sast', status: 'open', new_triage_state: 'fixing', new_triage_reason: 'no_time' },
        '#/new_triage_reason',
      ],
      [{ issue_type: 'sast', status: 'open', new_note: 'n'.repeat(3001) }, '#/new_note'],
      [{ issue_type: 'sast', issue_ids: [999_999], new_note: 'n' }, '#/issue_ids/0'],
      [{ issue_type: 'sast', since: 'soon', new_note: 'n' }, '#/since'],
    ];
    for (const [body, pointer] of wrong) {
      const { status, problem } = await triage(body);
      assert.deepEqual([status, problem.errors[0]?.pointer], [400, pointer], JSON.stringify(body));
    }
  });

  test('respects the limit and the issue type', async () => {
    const { body } = await triage({ issue_type: 'sast', status: 'open', new_triage_state: 'reviewing', limit: 1 });
    assert.equal((await list({ dedup: true, status: 'reviewing' })).length, 1);
    assert.ok(body.num_triaged >= 1);
    const dependency = (await list({ issue_type: ['sca'], dedup: true }))[0]?.id;
    const none = await triage({ issue_type: 'sast', issue_ids: [Number(dependency)], new_note: 'n' });
    assert.deepEqual(none.body, { num_triaged: 0, triaged_issues: [] });
  });

  test('does not reach projects of other teams (AZN-04)', async () => {
    const outsider = await world.memberWithoutTeam(place);
    const some = (await list({ dedup: true }))[0] ?? assert.fail();
    const byId = await triage({ issue_type: 'sast', issue_ids: [Number(some.id)], new_note: 'mine' }, outsider.jwt);
    assert.equal(byId.problem.errors[0]?.code, 'UNKNOWN_REFERENCE');
    const { body } = await triage({ issue_type: 'sast', severities: ['high'], new_note: 'mine' }, outsider.jwt);
    assert.equal(body.num_triaged, 0);
  });
});
