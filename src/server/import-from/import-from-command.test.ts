import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as findings from '#services/findings-v1/contract.ts';
import * as imports from '#services/imports/contract.ts';
import * as issues from '#services/issues/list/contract.ts';
import * as policies from '#services/policies/contract.ts';
import * as projects from '#services/projects/v1-contract.ts';
import * as teams from '#services/teams/contract.ts';
import { DEFECTDOJO_TOKEN, dojoFinding, FakeDefectDojo } from '#test/support/sources/fake-defectdojo.ts';
import { FakeSemgrep, SEMGREP_TOKEN, semgrepFinding } from '#test/support/sources/fake-semgrep.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let folder: string;
before(async () => {
  world = await World.start();
  folder = await mkdtemp(join(tmpdir(), 'parapet-import-from-'));
});
after(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

interface Outcome {
  code: unknown;
  stdout: string;
  stderr: string;
}

/** Runs the command against the server, with the tokens in its environment. */
function run(
  words: readonly string[],
  { url, token, own, state }: { url: string; token: string; own: string; state: string },
): Promise<Outcome> {
  const env = {
    PATH: process.env['PATH'],
    PARAPET_SOURCE_URL: url,
    PARAPET_SOURCE_TOKEN: token,
    PARAPET_URL: world.baseUrl,
    PARAPET_TOKEN: own,
  };
  const args = ['src/server/main.ts', 'import-from', ...words, '--state', join(folder, state)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const countsOf = ({ stdout, stderr }: Outcome) => {
  assert.match(stdout, /^\{/, stderr);
  return JSON.parse(stdout) as Record<'carried' | 'left' | 'failed', Record<string, number>>;
};

describe('import-from semgrep', () => {
  let source: FakeSemgrep;
  let place: TestDeployment;
  let own: string;
  before(async () => {
    source = new FakeSemgrep();
    await source.listen();
    place = await world.deployment();
    own = (await world.token(place)).text;
    fill(source, place.admin.email);
  });
  after(() => source.close());
  const move = (words: string[], state = 'semgrep.json') =>
    run(['semgrep', ...words], { url: source.url, token: SEMGREP_TOKEN, own, state });
  const list = async (query: object) => {
    const calls = world.as(findings, own);
    const { body } = await calls.listFindings({ path: { deploymentSlug: place.slug }, query: { ...query } });
    return body.findings;
  };

  test('--dry-run says what would come along and what would not, and changes nothing', async () => {
    const { code, stdout, stderr } = await move(['--dry-run']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Would come along:\n {2}506 {2}findings\n/m);
    assert.match(stdout, /Would not come along:[\s\S]*\b1 {2}findings that are fixed there\n/);
    assert.match(stdout, /\b1 {2}links to tickets\n/);
    assert.match(stdout, /\b1 {2}members of teams without an account here \(gone@example\.com\)\n/);
    assert.deepEqual(await list({}), []);
    await assert.rejects(readFile(join(folder, 'semgrep.json')));
  });

  test('waits as the source asks, stops where it fails, and continues with the next project', async () => {
    source.faults.push(
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503, headers: { 'retry-after': '0' } },
    );
    const isOfSecond = () => source.requests.some(({ query }) => query.get('repos') === 'acme/api');
    const broken = Object.getOwnPropertyDescriptor(source, 'sast');
    Object.defineProperty(source, 'sast', {
      configurable: true,
      get: () => {
        if (isOfSecond()) source.faults.push({ status: 403 });
        return broken?.value;
      },
    });
    source.requests.length = 0;
    const { code, stderr } = await move([]);
    assert.match(stderr, /Semgrep answered 429; trying again in 0 s\nSemgrep answered 503/);
    assert.match(stderr, /acme\/web: 5 findings, 3 decisions and notes\n/);
    assert.match(stderr, /Semgrep answered 403 to .*\n.*run the same command again/i);
    assert.equal(code, 4);
    Object.defineProperty(source, 'sast', broken ?? {});
    source.faults.length = 0;
    source.requests.length = 0;
    const rest = await move(['--json']);
    assert.equal(rest.code, 0, rest.stderr);
    assert.ok(source.requests.every(({ query }) => query.get('repos') !== 'acme/web'));
    assert.deepEqual(countsOf(rest).carried, {
      findings: 506,
      'findings that are new here': 506,
      projects: 2,
      'decisions and notes': 3,
      tags: 1,
      teams: 2,
      'members of teams': 1,
      policies: 1,
      'rules of policies': 2,
    });
    assert.deepEqual(countsOf(rest).failed, {});
  });

  test('findings have their ids, decisions and notes with their date', async () => {
    const found = await list({ repos: ['acme/web'], issue_type: ['sast', 'sca'] });
    const facts = found.map((one) => [one.rule_name, one.triage_state, one.triage_reason, one.status].join(' '));
    assert.deepEqual(facts.sort(), [
      'python.lang.rule-1 ignored false_positive ignored',
      'python.lang.rule-2 untriaged  open',
      'python.lang.rule-4 untriaged  ignored',
      'ssc-1 untriaged  open',
    ]);
    const ignored = found.find(({ triage_state: state }) => state === 'ignored');
    assert.equal(ignored?.triage_comment, 'Moved from Semgrep.\n2024-05-01: Only used by tests.');
    assert.equal(ignored?.match_based_id, `${'1'.padStart(128, '0')}_0`);
    const { body } = await world.as(issues, own).listIssues({
      path: { deploymentId: place.id },
      body: { issueType: 'ISSUE_TYPE_SECRETS' },
    });
    assert.deepEqual(
      body.issues.map(({ issue }) => [issue.ruleId, issue.triageState, issue.secretsAttributes?.secretType]),
      [['semgrep.secrets.aws', 'FINDING_TRIAGE_STATE_IGNORED', 'AWS']],
    );
  });

  test('the next scan by the scanner itself finds them again, and decisions stay', async () => {
    const start = { line: 44, col: 1, offset: 0 };
    const result = {
      ...{ check_id: 'python.lang.rule-1', path: 'src/file1.py', start, end: { ...start, col: 9 } },
      extra: { fingerprint: `${'1'.padStart(128, '0')}_0`, message: 'm', severity: 'ERROR', lines: 'x', metadata: {} },
    };
    const report = { version: '1.93.0', results: [result], errors: [], paths: { scanned: ['src/file1.py'] } };
    const { body } = await world.as(imports, own).importReport({
      path: { deployment: place.slug },
      query: { project: 'acme/web', ref: 'main' },
      upload: JSON.stringify(report),
    });
    assert.deepEqual([body.format, body.opened], ['semgrep-json', 0]);
    const [ignored] = await list({ repos: ['acme/web'], status: 'ignored', triage_reasons: ['false_positive'] });
    assert.equal(ignored?.location?.line, 44);
  });

  test('tags, teams with their members and projects, and modes of rules are set', async () => {
    const path = { deploymentId: place.id };
    const { body } = await world.as(projects, own).getProject({
      path: { deploymentSlug: place.slug, projectName: 'acme/web' },
    });
    assert.deepEqual([body.project.tags, body.project.primary_branch], [['pci'], 'refs/heads/main']);
    const client = world.as(teams, own);
    const listed = await client.listDeploymentTeams({ path, body: {} });
    const [parent, child] = ['Platform', 'Payments'].map((name) => listed.body.teams.find((one) => one.name === name));
    assert.equal(child?.parentTeamId, parent?.id);
    assert.deepEqual([child?.userCount, child?.repositoryCount], ['1', '1']);
    const boards = world.as(policies, own);
    const [policy] = (await boards.listPoliciesV1({ path })).body.policies;
    const rules = await boards.listPolicyRulesV1({ path: { ...path, policyId: policy?.id ?? '' }, query: {} });
    const modes = new Map(rules.body.rules.map((rule) => [rule.path, rule.policyMode]));
    assert.deepEqual([modes.get('acme.block'), modes.get('acme.off')], ['MODE_BLOCK', 'MODE_DISABLED']);
  });

  test('again without its state opens nothing and keeps what was decided here', async () => {
    const again = await move(['--json'], 'another.json');
    const { carried, left } = countsOf(again);
    assert.deepEqual([carried['findings'], carried['findings that are new here']], [506, undefined]);
    assert.equal(left['decisions on findings that have one here already'], 3);
    assert.equal((await list({ repos: ['acme/api'], page_size: 600 })).length, 501);
  });

  test('a mistake is told before anything is read', async () => {
    const mistakes: [words: string[], token: string, problem: RegExp, code: number][] = [
      [['semgrep', '--only', 'people'], SEMGREP_TOKEN, /--only must be projects, teams, policies/, 2],
      [['jira'], SEMGREP_TOKEN, /name a source: semgrep or defectdojo/, 2],
      [['semgrep'], 'wrong', /Semgrep answered 401[\s\S]*PARAPET_SOURCE_TOKEN/, 4],
    ];
    for (const [words, token, problem, code] of mistakes) {
      const outcome = await run(words, { url: source.url, token, own, state: 'none.json' });
      assert.match(outcome.stderr, problem);
      assert.equal(outcome.code, code);
    }
    const other = await run(['semgrep'], { url: source.url, token: SEMGREP_TOKEN, own: 'wrong', state: 'none.json' });
    assert.match(other.stderr, /PARAPET_TOKEN/);
    assert.equal(other.code, 4);
  });
});

function fill(source: FakeSemgrep, admin: string): void {
  const [web, api] = ['acme/web', 'acme/api'];
  source.projects = [
    { id: 11, name: web, tags: ['pci'], primary_branch: 'refs/heads/main', default_branch: 'refs/heads/main' },
    { id: 12, name: api, tags: [], primary_branch: null, default_branch: null },
  ];
  const decided = { triage_state: 'ignored', triage_reason: 'false_positive', triaged_at: '2024-05-01T10:00:00Z' };
  source.sast = [
    semgrepFinding(1, web, { ...decided, status: 'ignored', triage_comment: 'Only used by tests.' }),
    semgrepFinding(2, web, { triage_comment: 'Ask Ada.', external_ticket: { url: 'https://t.example.test/1' } }),
    semgrepFinding(3, web, { state: 'fixed', status: 'fixed' }),
    semgrepFinding(4, web, { state: 'muted', status: 'ignored' }),
    semgrepFinding(5, web, { ref: 'refs/pull/3/merge' }),
    ...Array.from({ length: 501 }, (_, index) => semgrepFinding(1000 + index, api)),
  ];
  const dependency = { package: 'lodash', version: '4.17.20', ecosystem: 'npm', transitivity: 'direct' };
  const advisory = { vulnerability_identifier: 'CVE-2021-23337', found_dependency: dependency };
  source.sca = [semgrepFinding(6, web, { rule_name: 'ssc-1', ref: 'main', ...advisory })];
  source.secrets = [
    {
      ...{ id: '7', type: 'AWS', findingPath: 'deploy/keys.sh:4', ref: 'refs/heads/main', repository: { name: web } },
      ...{ status: 'FINDING_STATUS_IGNORED', severity: 'SEVERITY_CRITICAL', updatedAt: '2024-06-01T00:00:00Z' },
      validationState: 'VALIDATION_STATE_CONFIRMED_VALID',
    },
  ];
  source.users = [
    { id: '1', email: admin.toUpperCase() },
    { id: '2', email: 'gone@example.com' },
  ];
  source.teams = [
    { id: '22', name: 'Payments', parentTeamId: '21' },
    { id: '21', name: 'Platform', parentTeamId: '0' },
  ];
  source.members = { 22: ['1', '2'].map((userId) => ({ userId, role: 'TEAM_ROLE_MANAGER' })) };
  source.repositories = { 22: ['11'] };
  source.policies = [{ id: '31', isDefault: true, name: 'Global', slug: 'g', productType: 'PRODUCT_TYPE_SAST' }];
  source.rules = {
    31: [
      { path: 'acme.block', policyMode: 'MODE_BLOCK' },
      { path: 'acme.off', policyMode: 'MODE_DISABLED' },
    ],
  };
}

describe('import-from defectdojo', () => {
  let source: FakeDefectDojo;
  before(async () => {
    source = new FakeDefectDojo();
    await source.listen();
  });
  after(() => source.close());

  test('moves findings by their tools, with risk acceptances until they end and notes', async () => {
    const place = await world.deployment();
    const own = (await world.token(place)).text;
    fillDojo(source);
    const outcome = await run(['defectdojo', '--json'], {
      ...{ url: source.url, token: DEFECTDOJO_TOKEN, own, state: 'dojo.json' },
    });
    const { carried, left, failed } = countsOf(outcome);
    assert.equal(outcome.code, 0, outcome.stderr);
    assert.deepEqual(
      [carried['projects'], carried['findings'], carried['decisions and notes'], carried['tags'], failed],
      [1, 305, 4, 1, {}],
    );
    assert.equal(left['findings that are mitigated there'], 1);
    assert.equal(left['private notes'], 1);
    const { body } = await world.as(findings, own).listFindings({
      path: { deploymentSlug: place.slug },
      query: { page_size: 1000, issue_type: ['sast', 'sca'] },
    });
    const byRule = new Map(body.findings.map((one) => [one.rule_name, one]));
    const accepted = byRule.get('Weakness 2');
    assert.deepEqual([accepted?.status, accepted?.triage_reason], ['ignored', 'acceptable_risk']);
    assert.equal(
      accepted?.triage_comment,
      'Moved from DefectDojo.\nAda, 2025-01-02: Risk accepted: Legacy: Behind a firewall.\nbob, 2025-01-03: Agreed.',
    );
    const [row] = await world.queryAsOwner<{ until: Date }>(
      "select triage_until as until from finding where deployment_id = $1 and rule = 'Weakness 2'",
      [place.id],
    );
    assert.equal(row?.until.toISOString(), '2099-01-01T00:00:00.000Z');
    assert.equal(byRule.get('Weakness 3')?.triage_reason, 'false_positive');
    assert.equal(byRule.get('CVE-2021-44228')?.severity, 'critical');
    const places = body.findings.filter((one) => one.rule_name === 'Weakness 5').map((one) => one.location?.file_path);
    assert.deepEqual(places.sort(), ['https://a.example.test/x', 'https://b.example.test:8443/x']);
    const tools = await world.queryAsOwner<{ tool: string }>(
      'select distinct tool from scan where deployment_id = $1 order by tool',
      [place.id],
    );
    assert.deepEqual(
      tools.map(({ tool }) => tool),
      ['Semgrep', 'Trivy', 'ZAP'],
    );
  });
});

function fillDojo(source: FakeDefectDojo): void {
  source.maxLimit = 100;
  source.products = [{ id: 9, name: 'Shop', tags: ['web'] }];
  source.endpoints = [
    { id: 1, product: 9, protocol: 'https', host: 'a.example.test', port: null, path: '/x' },
    { id: 2, product: 9, protocol: 'https', host: 'b.example.test', port: 8443, path: 'x' },
  ];
  const note = { private: false, date: '2025-01-03T00:00:00Z', author: { username: 'bob' }, entry: 'Agreed.' };
  const acceptance = {
    ...{ name: 'Legacy', decision_details: 'Behind a firewall.', accepted_by: 'Ada', created: '2025-01-02T00:00:00Z' },
    expiration_date: '2099-01-01T00:00:00Z',
  };
  const component = { component_name: 'log4j-core', component_version: '2.14.1', file_path: 'pom.xml' };
  source.findings = {
    9: [
      dojoFinding(1, { notes: [{ ...note, private: true }] }),
      dojoFinding(2, { active: false, risk_accepted: true, accepted_risks: [acceptance], notes: [note] }),
      dojoFinding(3, { active: false, false_p: true }),
      dojoFinding(4, { active: false, is_mitigated: true }),
      dojoFinding(5, { found_by: [6], file_path: null, endpoints: [1, 2], under_review: true }),
      dojoFinding(6, {
        ...{ ...component, found_by: [7], severity: 'Critical' },
        vulnerability_ids: [{ vulnerability_id: 'CVE-2021-44228' }],
      }),
      dojoFinding(7, { notes: [note] }),
      ...Array.from({ length: 299 }, (_, index) => dojoFinding(100 + index)),
    ],
  };
}
