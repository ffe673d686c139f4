import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsByKind, itemsOfKind, parseFixture, parseReport } from '#test/support/reports/report-fixtures.ts';

type Json = Record<string, unknown>;

const document = (...runs: Json[]) => JSON.stringify({ runs, version: '2.1.0' });
const result = (more: Json = {}): Json => ({
  ruleId: 'r',
  message: { text: 'm' },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 3 } } }],
  ...more,
});
const run = (results: Json[], more: Json = {}): Json => ({ tool: { driver: { name: 't' } }, results, ...more });
const findingsOf = async (...results: Json[]) => itemsOfKind(await parseReport(document(run(results))), 'finding');

test('Semgrep: results before the tool, level on the rule, nosemgrep as a suppression', async () => {
  const items = await parseFixture('semgrep-1.70.sarif');
  const id =
    '44426916424eba25d60de06affdc8ec2ba1c76bbd81baefb6e5609f37220b545' +
    '28cf5a6482b3013a8aa6b04f5c60b1466ad8b6d95e7ef681125b47907784a00d';
  assert.deepEqual(countsByKind(items), { tool: 2, rule: 1, finding: 2, coverage: 1 });
  assert.deepEqual(items[0], { kind: 'tool', name: 'unknown', format: 'sarif' });
  assert.deepEqual(itemsOfKind(items, 'finding')[1], {
    kind: 'finding',
    product: 'sast',
    rule: 'demo.rule',
    path: 'app.py',
    region: { line: 5, column: 5, endLine: 5, endColumn: 15 },
    message: 'os.system',
    code: '    os.system("ls")  # nosemgrep',
    fingerprints: { 'matchBasedId/v1': id },
    matchBasedId: `${id}_1`,
    isIgnoredInCode: true,
    run: 0,
  });
  assert.deepEqual(itemsOfKind(items, 'rule')[0], {
    kind: 'rule',
    id: 'demo.rule',
    title: 'Semgrep Finding: demo.rule',
    description: 'os.system',
    severity: 'high',
    confidence: 'high',
    run: 0,
  });
  assert.deepEqual(items.at(-2), { kind: 'tool', name: 'Semgrep OSS', version: '1.70.0', run: 0 });
});

const RECORDED: [name: string, counts: Record<string, number>, tool: string, version?: string][] = [
  ['eslint.sarif', { rule: 8, finding: 9, coverage: 1, tool: 2 }, 'ESLint', '10.14.0'],
  ['flawfinder.sarif', { rule: 5, finding: 5, coverage: 1, tool: 2 }, 'Flawfinder', '2.0.19'],
  ['oxlint.sarif', { rule: 14, finding: 26, coverage: 1, tool: 2 }, 'oxlint', '1.93.0'],
  ['biome.sarif', { rule: 6, finding: 8, coverage: 1, tool: 2 }, 'Biome'],
  ['ast-grep.sarif', { finding: 2, tool: 2 }, 'ast-grep'],
  ['secretlint.sarif', { rule: 1, finding: 1, coverage: 1, tool: 2 }, 'secretlint', '1.0.0'],
  ['ruff.sarif', { rule: 7, finding: 7, coverage: 1, tool: 2 }, 'ruff', '0.16.9'],
];

for (const [name, counts, tool, version] of RECORDED) {
  test(`${name} is read completely, with paths relative to the repository`, async () => {
    const items = await parseFixture(name);
    assert.deepEqual(countsByKind(items), counts);
    const last = itemsOfKind(items, 'tool').at(-1);
    assert.deepEqual([last?.name, last?.version], [tool, version]);
    const paths = new Set(itemsOfKind(items, 'finding').map(({ path }) => path));
    assert.equal(paths.size, 1);
    assert.match([...paths][0] ?? '', /^(server\.js|main\.c|app\.py|sl-secrets\.txt)$/);
  });
}

test('flawfinder: CWEs from relationships, ids without a version, and lines without an end', async () => {
  const items = await parseFixture('flawfinder.sarif');
  assert.deepEqual(itemsOfKind(items, 'rule')[2]?.cwes, ['CWE-120', 'CWE-20']);
  const [first] = itemsOfKind(items, 'finding');
  assert.deepEqual(first?.region, { line: 6, column: 5, endLine: 6, endColumn: 18 });
  assert.deepEqual(Object.keys(first?.fingerprints ?? {}), ['contextHash/v1']);
});

test("the severity comes from the score, then from the result's level, then from the rule", async () => {
  const rules = [
    { id: 'scored', properties: { 'security-severity': '9.1' }, defaultConfiguration: { level: 'note' } },
    { id: 'plain', defaultConfiguration: { level: 'error' } },
  ];
  const results = [
    result({ ruleId: 'scored', level: 'warning' }),
    result({ ruleId: 'plain', level: 'note' }),
    result({ ruleId: 'plain' }),
    result({ ruleId: 'plain', properties: { 'security-severity': 4.2 } }),
    result({ ruleId: 'plain', level: 'none' }),
  ];
  for (const order of ['results first', 'rules first']) {
    const tool = { driver: { name: 't', rules } };
    const items = await parseReport(document(order === 'rules first' ? { tool, results } : { results, tool }));
    const severities = itemsOfKind(items, 'finding').map(({ severity }) => severity);
    assert.deepEqual(severities, ['critical', 'low', undefined, 'medium', 'info'], order);
    assert.deepEqual(
      itemsOfKind(items, 'rule').map(({ severity }) => severity),
      ['critical', 'high'],
    );
  }
});

test('a score is critical from 9, high from 7, medium from 4, otherwise low', async () => {
  const scores = [10, 9, 8.9, 7, 6.9, 4, 3.9, 0.1];
  const findings = await findingsOf(
    ...scores.map((score) => result({ properties: { 'security-severity': `${score}` } })),
  );
  const expected = ['critical', 'critical', 'high', 'high', 'medium', 'medium', 'low', 'low'];
  assert.deepEqual(
    findings.map(({ severity }) => severity),
    expected,
  );
});

test('suppressions become decisions if all are accepted and none is rejected', async () => {
  const suppressions: [Json[], string | undefined, string?][] = [
    [[], undefined],
    [[{ kind: 'inSource' }], 'in code'],
    [[{ kind: 'external', justification: 'known' }], 'ignored', 'known'],
    [[{ kind: 'external', status: 'accepted' }], 'ignored'],
    [[{ kind: 'external', status: 'underReview', justification: 'asked' }], 'reviewing', 'asked'],
    [[{ kind: 'inSource' }, { kind: 'external', status: 'underReview' }], 'reviewing'],
    [[{ kind: 'inSource', status: 'rejected' }], undefined],
    [[{ kind: 'external' }, { kind: 'external', status: 'rejected' }], undefined],
  ];
  for (const [given, expected, note] of suppressions) {
    const items = await parseReport(document(run([result({ suppressions: given })])));
    const at = items.findIndex(({ kind }) => kind === 'finding');
    const next = items[at + 1];
    const isInCode = itemsOfKind(items, 'finding')[0]?.isIgnoredInCode === true;
    assert.equal(isInCode ? 'in code' : next?.kind === 'decision' ? next.state : undefined, expected);
    if (next?.kind === 'decision') assert.equal(next.note, note);
  }
});

test('results that are absent or not a problem are not findings', async () => {
  const findings = await findingsOf(
    result({ baselineState: 'absent' }),
    result({ kind: 'pass' }),
    result({ kind: 'notApplicable' }),
    result({ baselineState: 'unchanged', kind: 'fail' }),
  );
  assert.equal(findings.length, 1);
});

test('several runs have separate tools, categories and rules', async () => {
  const first = run([result()], { automationDetails: { id: 'web/js/2026-01-02' } });
  const second = {
    tool: { driver: { name: 'other', version: '2', rules: [{ id: 'x' }] } },
    results: [result({ ruleIndex: 0, ruleId: undefined })],
  };
  const items = await parseReport(document(first, second, run([])));
  assert.deepEqual(itemsOfKind(items, 'tool').slice(1), [
    { kind: 'tool', name: 't', category: 'web/js', run: 0 },
    { kind: 'tool', name: 'other', version: '2', run: 1 },
    { kind: 'tool', name: 't', run: 2 },
  ]);
  assert.deepEqual(
    itemsOfKind(items, 'finding').map(({ rule, run: of }) => [rule, of]),
    [
      ['r', 0],
      ['x', 1],
    ],
  );
});

test('a failed invocation makes the scan incomplete, and failed rules and paths are listed', async () => {
  const invocation = {
    executionSuccessful: false,
    toolExecutionNotifications: [
      {
        level: 'error',
        associatedRule: { id: 'broken' },
        locations: [{ physicalLocation: { artifactLocation: { uri: './src/a%20b.js' } } }],
      },
      { level: 'note', associatedRule: { id: 'fine' } },
    ],
  };
  const items = await parseReport(
    document(run([], { invocations: [invocation], artifacts: [{ location: { uri: 'src/a.js' } }] })),
  );
  assert.deepEqual(itemsOfKind(items, 'coverage'), [
    {
      kind: 'coverage',
      pathsSearched: ['src/a.js'],
      rulesFailed: ['broken'],
      pathsFailed: ['src/a b.js'],
      isIncomplete: true,
      run: 0,
    },
  ]);
});

test('scope, context, trace, fix, fingerprints and weaknesses are read', async () => {
  const physicalLocation = {
    artifactLocation: { index: 0 },
    region: { startLine: 3, startColumn: 2, endLine: 4, endColumn: 9, snippet: { text: 'b()' } },
    contextRegion: { snippet: { text: 'a()\nb()\nc()' } },
  };
  const [finding] = itemsOfKind(
    await parseReport(
      document(
        run(
          [
            {
              ruleId: 'r',
              message: { text: 'calls {0}', arguments: ['b'] },
              locations: [{ physicalLocation, logicalLocations: [{ fullyQualifiedName: 'app.C.f' }] }],
              partialFingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0:12', own: 'x:1' },
              taxa: [{ id: '79', toolComponent: { name: 'CWE' } }],
              codeFlows: [
                { threadFlows: [{ locations: [{ location: { physicalLocation, message: { text: 'source' } } }] }] },
              ],
              fixes: [{ artifactChanges: [{ replacements: [{ insertedContent: { text: 'safe()' } }] }] }],
            },
          ],
          { artifacts: [{ location: { uri: 'file:///repo/src/a.js' } }] },
        ),
      ),
    ),
    'finding',
  );
  const region = { line: 3, column: 2, endLine: 4, endColumn: 9 };
  assert.deepEqual(finding, {
    kind: 'finding',
    product: 'sast',
    rule: 'r',
    path: 'src/a.js',
    region,
    message: 'calls b',
    cwes: ['CWE-79'],
    code: 'b()',
    context: 'a()\nb()\nc()',
    scope: 'app.C.f',
    fingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0', own: 'x:1' },
    fix: 'safe()',
    trace: [[{ path: 'src/a.js', region, message: 'source', code: 'b()' }]],
    run: 0,
  });
});

test("Semgrep's placeholder text is not a fingerprint", async () => {
  const [finding] = await findingsOf(result({ fingerprints: { 'matchBasedId/v1': 'requires login' } }));
  assert.deepEqual([finding?.fingerprints, finding?.matchBasedId], [{}, undefined]);
});

test('SEC-01: a secret leaves the adapter only as secret.value, even if its rule follows it', async () => {
  const secret = 'AKIAQYLPMN5HFIQR7XYA';
  const line = `const AWS_KEY = '${secret}';`;
  const results = [
    result({
      message: { text: `found ${secret} here` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'a.js' },
            region: { startLine: 6, startColumn: 17, endLine: 6, endColumn: 39, snippet: { text: line } },
            contextRegion: { snippet: { text: `// key\n${line}\n` } },
          },
        },
      ],
      fixes: [{ artifactChanges: [{ replacements: [{ insertedContent: { text: secret } }] }] }],
    }),
  ];
  const tool = { driver: { name: 't', rules: [{ id: 'r', properties: { tags: ['security', 'secret'] } }] } };
  const items = await parseReport(document({ results, tool }));
  const [finding] = itemsOfKind(items, 'finding');
  assert.deepEqual(finding?.secret, { type: 'r', value: secret });
  assert.equal(finding?.product, 'secrets');
  assert.equal(finding?.message, 'found AKIA********YA here');
  assert.equal(finding?.code, "const AWS_KEY = 'AKIA********YA';");
  const { secret: _secret, ...visible } = finding ?? {};
  assert.ok(!JSON.stringify([visible, ...items.filter((item) => item !== finding)]).includes(secret));
});

test('a result without a rule is kept, with a warning, and a report without runs is empty', async () => {
  const items = await parseReport(document(run([{ message: { text: 'm' } }, { message: { id: 'msg-1', text: 'n' } }])));
  assert.deepEqual(
    itemsOfKind(items, 'finding').map(({ rule, message }) => [rule, message]),
    [
      ['no-rule-id', 'm'],
      ['msg-1', 'n'],
    ],
  );
  assert.deepEqual(itemsOfKind(items, 'warning').length, 1);
  assert.deepEqual(await parseReport('{"version":"2.1.0","runs":[]}'), [
    { kind: 'tool', name: 'unknown', format: 'sarif' },
  ]);
});

test('web scanners: an address is an endpoint, and requests that differ in their query are one result', async () => {
  const at = (uri: string, more: Json = {}) =>
    result({
      locations: [
        { physicalLocation: { artifactLocation: { uri }, region: { startLine: 82, snippet: { text: 'e' } } } },
      ],
      webRequest: { method: 'post' },
      ...more,
    });
  const suppressed = { suppressions: [{ kind: 'external' }] };
  const items = await parseReport(
    document(run([result(), at('https://shop.test:8443/a?q=1'), at('https://shop.test:8443/a?q=2', suppressed)])),
  );
  const [code, endpoint, ...more] = itemsOfKind(items, 'finding');
  assert.deepEqual([code?.path, code?.place, more], ['a.js', undefined, []]);
  assert.deepEqual(endpoint, {
    kind: 'finding',
    product: 'sast',
    rule: 'r',
    path: 'https://shop.test:8443/a',
    place: 'endpoint',
    region: { line: 0, column: 0, endLine: 0, endColumn: 0 },
    message: 'm\n\nEvidence: e',
    scope: 'POST',
    fingerprints: { place: 'r|https://shop.test:8443/a|POST' },
    run: 0,
  });
  // It would be one on the result before.
  assert.deepEqual(itemsOfKind(items, 'decision'), []);
});
