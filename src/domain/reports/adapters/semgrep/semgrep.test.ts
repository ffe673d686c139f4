import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syntacticId } from '#domain/reports/identity/semgrep-ids.ts';
import {
  countsByKind,
  itemsOfKind,
  parseFixture,
  parseReport,
  readFixture,
} from '#test/support/reports/report-fixtures.ts';

const result = (extra: object, more: object = {}) => ({
  check_id: 'r',
  path: 'a.js',
  start: { line: 3, col: 9 },
  end: { line: 3, col: 31 },
  extra: { message: 'm', severity: 'WARNING', metadata: {}, ...extra },
  ...more,
});
const report = (...results: object[]) =>
  JSON.stringify({ version: '1.1', results, errors: [], paths: { scanned: ['a.js'] } });

test('a recorded semgrep --json report is read completely', async () => {
  const items = await parseFixture('semgrep-1.93.json');
  assert.deepEqual(countsByKind(items), { tool: 2, finding: 2, coverage: 1 });
  const id =
    '54c3fa146a0a42ff8e0e9215164fecf0f2a3ab8db6ffeeb70b24607df99afeec' +
    '3535df115b4ff2060e5598b0ff87ac7109a5a95133e85aaf581027ca38d54d00';
  assert.deepEqual(itemsOfKind(items, 'finding')[0], {
    kind: 'finding',
    product: 'sast',
    rule: 'demo.rule',
    path: 'app2.py',
    region: { line: 4, column: 5, endLine: 4, endColumn: 15 },
    message: 'os.system',
    severity: 'high',
    code: '    os.system(cmd)',
    fingerprints: { 'matchBasedId/v1': id },
    matchBasedId: `${id}_0`,
    syntacticId: syntacticId({ rule: 'demo.rule', path: 'app2.py', context: 'os.system(cmd)', index: 0 }),
  });
  assert.deepEqual(items.slice(-2), [
    { kind: 'tool', name: 'Semgrep', version: '1.93.0' },
    { kind: 'coverage', pathsSearched: ['app2.py', 'new.py'] },
  ]);
});

test('values that Semgrep withholds without a login are absent, and equal results get different ids', async () => {
  const hidden = result({ fingerprint: 'requires login', lines: 'requires login' });
  const shown = result({ lines: '  eval(x)', is_ignored: true });
  const findings = itemsOfKind(await parseReport(report(hidden, shown, shown)), 'finding');
  const [first, second, third] = findings;
  assert.deepEqual(
    [first?.code, first?.matchBasedId, first?.fingerprints, first?.syntacticId],
    [undefined, undefined, {}, undefined],
  );
  const match = { rule: 'r', path: 'a.js', context: 'eval(x)' };
  assert.equal(second?.syntacticId, syntacticId({ ...match, index: 0 }));
  assert.equal(third?.syntacticId, syntacticId({ ...match, index: 1 }));
  assert.equal(second?.isIgnoredInCode, true);
});

test('severities and rule metadata are read', async () => {
  const words = ['ERROR', 'WARNING', 'INFO', 'CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'EXPERIMENT', 'INVENTORY', 'x'];
  const findings = itemsOfKind(await parseReport(report(...words.map((severity) => result({ severity })))), 'finding');
  assert.deepEqual(
    findings.map(({ severity }) => severity),
    ['high', 'medium', 'low', 'critical', 'high', 'medium', 'low', 'info', 'info', undefined],
  );
  const metadata = {
    cwe: ["CWE-79: Improper Neutralization of Input ('XSS')", 'CWE-079'],
    owasp: 'A03:2021 - Injection',
    confidence: 'MEDIUM',
    category: 'security',
    references: ['https://example.test/x'],
  };
  const [finding] = itemsOfKind(
    await parseReport(report(result({ metadata, fix: 'y', dataflow_trace: { taint_source: 1 } }))),
    'finding',
  );
  assert.deepEqual(finding?.cwes, ['CWE-79']);
  assert.deepEqual(finding?.owasps, ['A03:2021 - Injection']);
  assert.deepEqual([finding?.confidence, finding?.category, finding?.fix], ['medium', 'security', 'y']);
  assert.deepEqual(finding?.metadata, metadata);
  assert.deepEqual(finding?.trace, { taint_source: 1 });
});

test('SEC-01: a secret in semgrep --json is masked in the code and the message', async () => {
  const secret = 'AKIAQYLPMN5HFIQR7XYA';
  const lines = `  key = '${secret}'`;
  const [finding] = itemsOfKind(
    await parseReport(
      report(
        result({
          lines,
          message: `leaks ${secret}`,
          metadata: { product: 'secrets', secret_type: 'AWS' },
          validation_state: 'CONFIRMED_VALID',
        }),
      ),
    ),
    'finding',
  );
  assert.deepEqual(finding?.secret, { type: 'AWS', value: secret, validation: 'confirmed_valid' });
  assert.deepEqual([finding?.code, finding?.message], ["  key = 'AKIA********YA'", 'leaks AKIA********YA']);
  assert.equal(finding?.syntacticId, undefined);
});

test('errors list the failed files and rules', async () => {
  const document = {
    version: '1',
    results: [],
    errors: [
      { level: 'error', path: './b.js', rule_id: 'r', message: 'x' },
      { level: 'warn', rule_id: 'slow' },
      { level: 'info', path: 'c.js' },
    ],
    paths: { scanned: [] },
  };
  const items = await parseReport(JSON.stringify(document));
  assert.deepEqual(items.at(-1), { kind: 'coverage', pathsFailed: ['b.js'], rulesFailed: ['slow'] });
});

test('a recorded upload of semgrep ci is read completely', async () => {
  const items = await parseFixture('semgrep-ci-block.json');
  assert.deepEqual(countsByKind(items), { tool: 1, finding: 5, dependency: 1, coverage: 1 });
  const [, , sca, blocking, ignored] = itemsOfKind(items, 'finding');
  assert.deepEqual(sca?.sca, {
    advisories: ['CVE-2021-23337'],
    package: 'lodash',
    version: '4.17.20',
    ecosystem: 'npm',
    transitivity: 'direct',
    reachability: 'always reachable',
  });
  assert.deepEqual([sca?.product, sca?.severity, sca?.path], ['sca', 'high', 'package-lock.json']);
  assert.deepEqual([blocking?.isBlocking, blocking?.isIgnoredInCode], [true, undefined]);
  assert.equal(blocking?.syntacticId, '47bff38a9e3fa86e7602243f915c3fc2');
  assert.equal(blocking?.codeDigest, '3983deb711f566537fe2c1c9aa678e6a646b7535bbadcaf4d01c4346b4de2f88');
  assert.match(ignored?.matchBasedId ?? '', /_1$/);
  assert.equal(ignored?.isIgnoredInCode, true);
  assert.deepEqual(itemsOfKind(items, 'dependency'), [
    {
      kind: 'dependency',
      package: 'lodash',
      version: '4.17.20',
      ecosystem: 'npm',
      transitivity: 'direct',
      path: 'package-lock.json',
      line: 15,
      resolvedUrl: 'https://registry.example.test/lodash/-/lodash-4.17.20.tgz',
    },
  ]);
  assert.deepEqual(items.at(-1), {
    kind: 'coverage',
    pathsSearched: ['app.py', 'package-lock.json'],
    rulesRun: ['py.no-os-system', 'py.no-eval', 'ssc-lodash'],
  });
});

test('uploads of every recorded version of the CLI give the same code findings', async () => {
  const idsOf = async (name: string) =>
    itemsOfKind(await parseFixture(name), 'finding')
      .filter(({ product }) => product === 'sast')
      .map(({ matchBasedId, syntacticId: id }) => `${matchBasedId} ${id}`)
      .sort();
  const newest = await idsOf('semgrep-ci-1.99.json');
  assert.equal(newest.length, 4);
  for (const name of ['semgrep-ci-1.40.0.json', 'semgrep-ci-opengrep-1.26.0.json', 'semgrep-ci-block.json']) {
    assert.deepEqual(await idsOf(name), newest, name);
  }
});

test('rules of the product secrets give findings about secrets', async () => {
  const items = await parseFixture('semgrep-ci-secrets.json');
  const secrets = itemsOfKind(items, 'finding').filter(({ product }) => product === 'secrets');
  assert.deepEqual(
    secrets.map(({ rule, secret, codeDigest }) => [rule, secret, codeDigest]),
    [
      ['py.no-os-system', { type: 'py.no-os-system', validation: 'no_validator' }, undefined],
      ['py.no-os-system', { type: 'py.no-os-system', validation: 'no_validator' }, undefined],
    ],
  );
});

test('the credential in an upload is never read; failed and renamed files are reported', async () => {
  const upload = JSON.parse(readFixture('semgrep-ci-block.json').toString()) as object;
  const more = { ...upload, token: 'ghs_verysecrettoken', skipped_paths: ['slow.py'], renamed_paths: ['old.py'] };
  const items = await parseReport(JSON.stringify(more));
  assert.ok(!JSON.stringify(items).includes('ghs_'));
  const [coverage] = itemsOfKind(items, 'coverage');
  assert.deepEqual([coverage?.pathsFailed, coverage?.renamedFrom], [['slow.py'], ['old.py']]);
});

test('a minimal upload, as relays send it, is accepted', async () => {
  const finding = { check_id: 'r', path: 'a.py', line: 1, message: 'm', severity: 2, match_based_id: 'abc' };
  const items = await parseReport(JSON.stringify({ findings: [finding], ignores: [], searched_paths: [] }));
  assert.deepEqual(itemsOfKind(items, 'finding'), [
    {
      kind: 'finding',
      product: 'sast',
      rule: 'r',
      path: 'a.py',
      region: { line: 1, column: 0, endLine: 1, endColumn: 0 },
      message: 'm',
      severity: 'high',
      fingerprints: { 'matchBasedId/v1': 'abc' },
      matchBasedId: 'abc',
    },
  ]);
});
