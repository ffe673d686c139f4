import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOfKind, parseFixture, parseReport } from '#test/support/reports/report-fixtures.ts';

const FIXTURE = 'dependencies/gitlab-dependency.json';

test('GitLab: vulnerable dependencies are findings of components, named by their advisory', async () => {
  const items = await parseFixture(FIXTURE);
  const [first, second] = itemsOfKind(items, 'finding');
  assert.deepEqual(first, {
    kind: 'finding',
    product: 'sca',
    rule: 'CVE-2018-16487',
    path: 'web/yarn.lock',
    region: { line: 0, column: 0, endLine: 0, endColumn: 0 },
    message: 'Versions of lodash before 4.17.11 are vulnerable.',
    title: 'Prototype Pollution in lodash',
    severity: 'high',
    cwes: ['CWE-400'],
    references: ['https://nvd.nist.gov/vuln/detail/CVE-2018-16487'],
    fingerprints: {},
    sca: {
      advisories: ['CVE-2018-16487', 'GHSA-4XC9-XHRJ-V574', 'gemnasium:5fa8b1a0-1111-4222-8333-a1b2c3d4e5f6'],
      package: 'lodash',
      version: '4.17.10',
      ecosystem: 'npm',
      transitivity: 'direct',
      fixVersions: ['4.17.11'],
    },
  });
  assert.deepEqual(
    [second?.product, second?.rule, second?.sca?.ecosystem, second?.sca?.transitivity],
    ['sca', 'gemnasium:77', 'gomod', 'unknown'],
  );
});

test('GitLab: the files that were read list their dependencies', async () => {
  const dependencies = itemsOfKind(await parseFixture(FIXTURE), 'dependency');
  const common = { kind: 'dependency', ecosystem: 'npm', path: 'web/yarn.lock' };
  assert.deepEqual(dependencies, [
    { ...common, package: 'lodash', version: '4.17.10', transitivity: 'direct' },
    { ...common, package: 'ms', version: '2.0.0', transitivity: 'unknown' },
  ]);
});

/** Before version 3 of the schema: without `scan`, and the scanner with each vulnerability. */
const oldReport = (...vulnerabilities: object[]) =>
  JSON.stringify({ version: '2.0', vulnerabilities, remediations: [], dependency_files: [] });
const scanner = { id: 'find_sec_bugs', name: 'Find Security Bugs' };
const identifiers = [
  { type: 'find_sec_bugs_type', name: 'Find Security Bugs-PREDICTABLE_RANDOM', value: 'PREDICTABLE_RANDOM' },
];

test('GitLab: reports before version 3 are recognized, with the scanner of their vulnerabilities', async () => {
  const place = { file: 'src/Main.java', start_line: 47, end_line: 47 };
  const common = { severity: 'Medium', scanner, identifiers, cve: 'a' };
  const kinds = [
    [{ ...common, category: 'sast', location: place }, 'gitlab-sast', 'sast'],
    [{ ...common, category: 'secret_detection', location: place }, 'gitlab-secrets', 'secrets'],
    [
      { ...common, category: 'dependency_scanning', location: { file: 'a', dependency: { package: { name: 'b' } } } },
      'gitlab-dependency',
      'sca',
    ],
  ] as const;
  for (const [vulnerability, format, product] of kinds) {
    const items = await parseReport(oldReport(vulnerability));
    const tools = itemsOfKind(items, 'tool');
    assert.deepEqual([tools[0]?.format, tools.at(-1)?.name], [format, 'Find Security Bugs']);
    assert.deepEqual(
      itemsOfKind(items, 'finding').map((finding) => finding.product),
      [product],
    );
  }
  assert.equal(itemsOfKind(await parseReport(oldReport()), 'tool')[0]?.format, 'gitlab-sast');
});
