import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOfKind, parseReport } from '#test/support/reports/report-fixtures.ts';

/** As GitLab's analyzers write it, by the published schema of version 15. */
const REPORT = {
  version: '15.0.4',
  vulnerabilities: [
    {
      id: '9e0fe3e8-5e29-4c05-a18d-2d0c42b1d4b8',
      name: 'Prototype Pollution in lodash',
      description: 'Versions of lodash before 4.17.11 are vulnerable.',
      severity: 'High',
      solution: 'Upgrade to version 4.17.11 or above.',
      location: {
        file: 'web/yarn.lock',
        dependency: { iid: 3, direct: true, package: { name: 'lodash' }, version: '4.17.10' },
      },
      identifiers: [
        { type: 'gemnasium', name: 'Gemnasium-5fa8', value: '5fa8b1a0-1111-4222-8333-a1b2c3d4e5f6' },
        { type: 'cve', name: 'CVE-2018-16487', value: 'CVE-2018-16487' },
        { type: 'ghsa', name: 'GHSA-4xc9-xhrj-v574', value: 'GHSA-4xc9-xhrj-v574' },
        { type: 'cwe', name: 'CWE-400', value: '400' },
      ],
      links: [{ url: 'https://nvd.nist.gov/vuln/detail/CVE-2018-16487' }],
    },
    {
      id: 'f1b0f1c2-0000-4000-8000-000000000000',
      name: 'Regular expression',
      severity: 'Low',
      location: { file: 'go.sum', dependency: { package: { name: 'example.org/x/text' }, version: 'v0.3.0' } },
      identifiers: [{ type: 'gemnasium', name: 'Gemnasium-77', value: '77' }],
    },
  ],
  dependency_files: [
    {
      path: 'web/yarn.lock',
      package_manager: 'yarn',
      dependencies: [
        { package: { name: 'lodash' }, version: '4.17.10', direct: true },
        { package: { name: 'ms' }, version: '2.0.0' },
      ],
    },
  ],
  scan: {
    scanner: { id: 'gemnasium', name: 'Gemnasium', version: '5.3.0' },
    type: 'dependency_scanning',
    status: 'success',
  },
};

test('GitLab: vulnerable dependencies are findings of components, named by their advisory', async () => {
  const items = await parseReport(JSON.stringify(REPORT));
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
  const dependencies = itemsOfKind(await parseReport(JSON.stringify(REPORT)), 'dependency');
  const common = { kind: 'dependency', ecosystem: 'npm', path: 'web/yarn.lock' };
  assert.deepEqual(dependencies, [
    { ...common, package: 'lodash', version: '4.17.10', transitivity: 'direct' },
    { ...common, package: 'ms', version: '2.0.0', transitivity: 'unknown' },
  ]);
});
