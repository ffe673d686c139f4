import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsByKind, itemsOfKind, parseFixture, parseReport } from '#test/support/reports/report-fixtures.ts';

const findingsOf = async (name: string) => itemsOfKind(await parseFixture(name), 'finding');

test('Bandit: findings with their lines, and the searched files', async () => {
  const items = await parseFixture('bandit.json');
  assert.deepEqual(countsByKind(items), { tool: 1, finding: 8, coverage: 1 });
  assert.deepEqual(itemsOfKind(items, 'finding')[2], {
    kind: 'finding',
    product: 'sast',
    rule: 'B605',
    path: 'app.py',
    region: { line: 11, column: 0, endLine: 11, endColumn: 0 },
    message: 'Starting a process with a shell, possible injection detected, security issue.',
    title: 'start_process_with_a_shell',
    severity: 'high',
    confidence: 'high',
    references: ['https://bandit.readthedocs.io/en/latest/plugins/b605_start_process_with_a_shell.html'],
    code: '    os.system(cmd)',
    context: 'def run(cmd):\n    os.system(cmd)\n    subprocess.Popen(cmd, shell=True)',
    fingerprints: {},
  });
  assert.deepEqual(itemsOfKind(items, 'coverage'), [{ kind: 'coverage', pathsSearched: ['app.py'] }]);
});

test('Bandit: the password in a message is masked in all texts', async () => {
  const result = {
    code: "6 \n7 PASSWORD = 'hunter2'\n8 \n",
    filename: './app.py',
    issue_text: "Possible hardcoded password: 'hunter2'",
    issue_cwe: { id: 259 },
    col_offset: 11,
    line_number: 7,
    line_range: [7],
    test_id: 'B105',
  };
  const [finding] = itemsOfKind(
    await parseReport(JSON.stringify({ metrics: {}, generated_at: 'x', results: [result] })),
    'finding',
  );
  assert.ok(!JSON.stringify(finding).includes('hunter2'));
  assert.deepEqual([finding?.cwes, finding?.region.column, finding?.path], [['CWE-259'], 12, 'app.py']);
});

test('ESLint: severities, source lines, suppressed messages and failed files', async () => {
  const items = await parseFixture('eslint.json');
  assert.deepEqual(countsByKind(items), { tool: 1, finding: 9, coverage: 1 });
  const [, , , evaluation] = itemsOfKind(items, 'finding');
  assert.deepEqual(evaluation, {
    kind: 'finding',
    product: 'sast',
    rule: 'no-eval',
    path: 'server.js',
    region: { line: 16, column: 19, endLine: 16, endColumn: 23 },
    message: '`eval` can be harmful.',
    severity: 'high',
    code: '  res.send(String(eval(req.query.expr)));',
    context:
      "});\napp.get('/calc', (req, res) => {\n  res.send(String(eval(req.query.expr)));\n" +
      '});\nconst re = new RegExp(process.argv[2]);',
    fingerprints: {},
  });
  const file = {
    filePath: 'C:\\repo\\x.js',
    errorCount: 1,
    messages: [{ ruleId: null, fatal: true, severity: 2, message: 'Parsing error' }],
    suppressedMessages: [
      { ruleId: 'no-eval', severity: 2, message: 'm', line: 1, suppressions: [{ kind: 'directive' }] },
    ],
  };
  const more = await parseReport(JSON.stringify([file]), { root: 'C:/repo' });
  assert.deepEqual(
    itemsOfKind(more, 'finding').map(({ path, isIgnoredInCode }) => [path, isIgnoredInCode]),
    [['x.js', true]],
  );
  assert.deepEqual(more.at(-1), { kind: 'coverage', pathsSearched: ['x.js'], pathsFailed: ['x.js'] });
});

test('secretlint: the value is extracted by its range, and occurs nowhere else', async () => {
  const items = await parseFixture('secretlint.json');
  const [finding] = itemsOfKind(items, 'finding');
  assert.deepEqual(countsByKind(items), { tool: 1, finding: 1, coverage: 1 });
  assert.deepEqual(finding?.secret, {
    type: 'PostgreSQLConnection',
    value: "postgres://user:pa55word@db.example.test/app';",
  });
  assert.deepEqual(finding?.region, { line: 2, column: 12, endLine: 2, endColumn: 58 });
  assert.equal(finding?.code, "const url='post********';");
  const { secret: _secret, ...visible } = finding ?? {};
  const shown = JSON.stringify([visible, ...items.filter((item) => item !== finding)]);
  for (const part of ['pa55word', 'ghp_1234567890', 'AKIAQYLPMN5HFIQR7XYA']) assert.ok(!shown.includes(part), part);
});

test('flawfinder: CSV and SARIF give the same rules, locations and fingerprints', async () => {
  const csv = await findingsOf('flawfinder.csv');
  const sarif = await findingsOf('flawfinder.sarif');
  const keyOf = (one: (typeof csv)[number]) =>
    `${one.rule} ${one.path} ${one.region.line} ${one.fingerprints['contextHash/v1']}`;
  assert.deepEqual(csv.map(keyOf).sort(), sarif.map(keyOf).sort());
  assert.deepEqual(csv[0], {
    kind: 'finding',
    product: 'sast',
    rule: 'FF1014',
    path: 'main.c',
    region: { line: 9, column: 5, endLine: 9, endColumn: 0 },
    message: 'Does not check for buffer overflows (CWE-120, CWE-20). Use fgets() instead.',
    title: 'buffer/gets',
    severity: 'high',
    category: 'buffer',
    cwes: ['CWE-120', 'CWE-20'],
    references: ['https://cwe.mitre.org/data/definitions/120.html'],
    code: '    gets(buf);',
    fingerprints: { 'contextHash/v1': '8681551908ef1699f55d6a2ebaaaf86b1ea2b769e66a0011ce774ac9fac1026c' },
  });
});

test('ShellCheck: JSON and Checkstyle XML give the same rules and lines', async () => {
  const json = await findingsOf('shellcheck.json');
  const xml = await parseFixture('shellcheck.checkstyle.xml');
  const keyOf = (one: (typeof json)[number]) =>
    `${one.rule} ${one.path}:${one.region.line}:${one.region.column} ${one.message}`;
  assert.deepEqual(itemsOfKind(xml, 'finding').map(keyOf), json.map(keyOf));
  assert.deepEqual(itemsOfKind(xml, 'tool').at(-1), { kind: 'tool', name: 'ShellCheck' });
  assert.deepEqual(json[4], {
    kind: 'finding',
    product: 'sast',
    rule: 'SC2045',
    path: 'deploy.sh',
    region: { line: 4, column: 10, endLine: 4, endColumn: 20 },
    message: 'Iterating over ls output is fragile. Use globs.',
    severity: 'high',
    fingerprints: {},
  });
});

test('Cppcheck: CWEs, severities, traces and failed files', async () => {
  const items = await parseFixture('cppcheck.xml');
  assert.deepEqual(countsByKind(items), { tool: 2, finding: 6 });
  assert.deepEqual(itemsOfKind(items, 'tool').at(-1), { kind: 'tool', name: 'Cppcheck', version: '2.10' });
  assert.deepEqual(itemsOfKind(items, 'finding')[1], {
    kind: 'finding',
    product: 'sast',
    rule: 'memleak',
    path: 'main.c',
    region: { line: 13, column: 5, endLine: 13, endColumn: 0 },
    message: 'Memory leak: p',
    title: 'Memory leak: p',
    severity: 'high',
    cwes: ['CWE-401'],
    fingerprints: {},
  });
  const more = await parseReport(
    `<results version="2"><cppcheck version="2"/><errors><error id="syntaxError" severity="error" msg="x" file0="b.c"/>
     <error id="nullPointer" severity="warning" msg="m" inconclusive="true"><location file="a.c" line="3" info="use"/>
     <location file="a.c" line="1" info="null"/></error></errors></results>`,
  );
  const [finding] = itemsOfKind(more, 'finding');
  const trace = finding?.trace as { message: string }[][];
  assert.deepEqual(
    trace[0]?.map(({ message }) => message),
    ['null', 'use'],
  );
  assert.deepEqual([finding?.region.line, finding?.confidence], [3, 'low']);
  assert.deepEqual(more.at(-1), { kind: 'coverage', pathsFailed: ['b.c'] });
});

test("GitLab: both reports that Semgrep writes, and those of GitLab's own analyzers", async () => {
  const [sast] = await findingsOf('semgrep-1.70.gitlab-sast.json');
  assert.deepEqual(sast, {
    kind: 'finding',
    product: 'sast',
    rule: 'demo.rule',
    path: 'app.py',
    region: { line: 4, column: 0, endLine: 4, endColumn: 0 },
    message: 'os.system',
    severity: 'high',
    fingerprints: { 'gitlab/cve': 'app.py:568470d013cd12e4f388206520da39ab9a4e4c3c6b95846cbc281abc1ba3c959:demo.rule' },
  });
  const [secret] = await findingsOf('semgrep-1.70.gitlab-secrets.json');
  assert.deepEqual([secret?.product, secret?.code], ['secrets', '    ********\n']);
  const vulnerability = {
    name: 'GitLab token',
    severity: 'Critical',
    raw_source_code_extract: 'glpat-0123456789abcdefghij',
    identifiers: [
      { type: 'gitleaks_rule_id', value: 'gitlab_pat' },
      { type: 'cwe', name: 'CWE-798', value: '798' },
    ],
    location: { file: 'a.env', start_line: 2, class: 'C', method: 'm' },
    tracking: { items: [{ signatures: [{ algorithm: 'scope_offset', value: 'a.env|C[0]|m[0]:1' }] }] },
    links: [{ url: 'https://example.test' }],
  };
  const scan = { type: 'secret_detection', status: 'failure', scanner: { name: 'Gitleaks', version: '8' } };
  const items = await parseReport(JSON.stringify({ version: '15', scan, vulnerabilities: [vulnerability] }));
  assert.deepEqual(
    itemsOfKind(items, 'tool').map(({ name, format }) => [name, format]),
    [
      ['unknown', 'gitlab-secrets'],
      ['Gitleaks', undefined],
    ],
  );
  assert.deepEqual(itemsOfKind(items, 'finding')[0], {
    kind: 'finding',
    product: 'secrets',
    rule: 'gitlab_pat',
    path: 'a.env',
    region: { line: 2, column: 0, endLine: 2, endColumn: 0 },
    message: 'GitLab token',
    title: 'GitLab token',
    severity: 'critical',
    cwes: ['CWE-798'],
    references: ['https://example.test'],
    scope: 'C.m',
    fingerprints: { 'gitlab/scope_offset': 'a.env|C[0]|m[0]:1' },
    secret: { type: 'gitlab_pat', value: 'glpat-0123456789abcdefghij' },
    code: 'glpa********ij',
  });
  assert.deepEqual(items.at(-1), { kind: 'coverage', isIncomplete: true });
});

test('ruff, oxlint, Biome and ast-grep: JSON and SARIF of the same run have the same lines', async () => {
  const pairs: [string, string][] = [
    ['ruff.json', 'ruff.sarif'],
    ['oxlint.json', 'oxlint.sarif'],
    ['biome-lint.json', 'biome.sarif'],
    ['ast-grep.json', 'ast-grep.sarif'],
  ];
  for (const [json, sarif] of pairs) {
    const keysOf = async (name: string) =>
      (await findingsOf(name))
        .map(({ rule, path, region }) => `${rule} ${path}:${region.line}:${region.column}`)
        .sort();
    assert.deepEqual(await keysOf(json), await keysOf(sarif), json);
  }
  const [first] = await findingsOf('ast-grep.json');
  assert.deepEqual(first, {
    kind: 'finding',
    product: 'sast',
    rule: 'no-eval',
    path: 'server.js',
    region: { line: 16, column: 19, endLine: 16, endColumn: 39 },
    message: 'Do not call eval on req.query.expr',
    severity: 'high',
    code: '  res.send(String(eval(req.query.expr)));',
    fingerprints: {},
  });
});

test('Safety: `safety scan` has files in projects, `safety system-scan` beside them', async () => {
  const flaws = [
    { id: '64227', ignored: null, vulnerable_spec: '<3.1.3' },
    { id: '70612', ignored: { code: 'manual', reason: 'x', expires: null }, vulnerable_spec: '>=0' },
  ];
  const remediation = { vulnerabilities_found: 1, closest_secure: null, recommended: '3.1.6', other_recommended: [] };
  const fileOf = (raw: string, more: object) => ({
    ...{ location: '/repo/requirements.txt', type: 'requirements.txt', categories: ['python'] },
    results: {
      dependencies: [
        {
          name: 'jinja2',
          ...more,
          specifications: [{ raw, vulnerabilities: { known_vulnerabilities: flaws, remediation } }],
        },
      ],
    },
  });
  const files = [fileOf('jinja2==3.1.2', {})];
  for (const results of [
    { files: [], projects: [{ id: 'acme', location: '/repo', policy: null, git: null, files }] },
    { files: [fileOf('jinja2', { found: '3.1.2' })], projects: [{ id: 'acme', upload_request_id: 'x' }] },
  ]) {
    const report = { meta: { scan_type: 'scan', schema_version: '3.0' }, scan_results: results };
    const [flaw, ...more] = itemsOfKind(await parseReport(JSON.stringify(report), { root: '/repo' }), 'finding');
    assert.deepEqual(more, []);
    assert.deepEqual(
      [flaw?.rule, flaw?.path, flaw?.sca?.package, flaw?.sca?.version, flaw?.sca?.fixVersions],
      ['safety:64227', 'requirements.txt', 'jinja2', '3.1.2', ['3.1.6']],
    );
  }
});
