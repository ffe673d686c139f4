import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsByKind, itemsOfKind, parseFixture, parseReport } from '#test/support/reports/report-fixtures.ts';

const DIRECT = ['express', 'jquery', 'lodash', 'minimist'];

for (const name of [
  'npm-sbom.cyclonedx.json',
  'cyclonedx-npm.json',
  'cyclonedx-npm-lockonly.xml',
  'npm-sbom.spdx.json',
]) {
  test(`${name} gives all 53 packages, and marks the direct ones`, async () => {
    const items = await parseFixture(name, { reportName: 'sbom.json' });
    const dependencies = itemsOfKind(items, 'dependency');
    assert.deepEqual(countsByKind(items), { tool: 2, dependency: 53 });
    const direct = dependencies.filter(({ transitivity }) => transitivity === 'direct');
    assert.deepEqual(direct.map((one) => one.package).sort(), DIRECT);
    assert.ok(dependencies.every(({ transitivity }) => transitivity !== 'unknown'));
    const express = dependencies.find((one) => one.package === 'express');
    const { resolvedUrl: _resolvedUrl, ...rest } = express ?? {};
    assert.deepEqual(rest, {
      kind: 'dependency',
      ecosystem: 'npm',
      package: 'express',
      version: '4.17.1',
      transitivity: 'direct',
      path: 'sbom.json',
      licenses: ['MIT'],
      purl: 'pkg:npm/express@4.17.1',
    });
  });
}

test('all SBOMs of a project list the same packages', async () => {
  const packagesOf = async (name: string) =>
    itemsOfKind(await parseFixture(name), 'dependency')
      .map((one) => `${one.package}@${one.version}`)
      .sort();
  const expected = await packagesOf('npm-sbom.spdx.json');
  for (const name of ['npm-sbom.cyclonedx.json', 'cyclonedx-npm.json', 'cyclonedx-npm-lockonly.xml']) {
    assert.deepEqual(await packagesOf(name), expected, name);
  }
});

test('the tool of an SBOM is read from both formats', async () => {
  const toolOf = async (name: string) => {
    const tool = itemsOfKind(await parseFixture(name), 'tool').at(-1);
    return [tool?.name, tool?.version];
  };
  assert.deepEqual(await toolOf('npm-sbom.cyclonedx.json'), ['cli', '11.19.1']);
  assert.deepEqual(await toolOf('cyclonedx-npm-lockonly.xml'), ['cyclonedx-library', '10.3.0']);
  assert.deepEqual(await toolOf('npm-sbom.spdx.json'), ['npm/cli', '11.19.1']);
});

const JSON_BILL = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { 'bom-ref': 'app' } },
  vulnerabilities: [
    {
      id: 'GHSA-35jh-r3h4-6jhm',
      references: [{ id: 'CVE-2021-23337', source: {} }],
      ratings: [{ severity: 'medium' }, { score: 7.2 }],
      cwes: [77],
      description: 'Command injection',
      advisories: [{ url: 'https://example.test/a' }],
      analysis: { state: 'not_affected', justification: 'code_not_reachable', detail: 'never called' },
      affects: [{ ref: 'lodash', versions: [{ version: '4.17.21', status: 'unaffected' }] }],
    },
    { id: 'CVE-1999-0001', analysis: { state: 'in_triage' }, affects: [{ ref: 'urn:cdx:x/1#pkg:pypi/django@1' }] },
    { id: 'CVE-1999-0002', analysis: { state: 'exploitable', response: ['will_not_fix'] }, affects: [{ ref: 'x' }] },
    { id: 'CVE-1999-0003', analysis: { state: 'exploitable', response: ['update'] }, affects: [{ ref: 'x' }] },
    { id: 'CVE-1999-0004', analysis: { state: 'exploitable' }, affects: [{ ref: 'x' }] },
  ],
  components: [
    {
      type: 'application',
      name: 'web',
      components: [
        {
          type: 'library',
          'bom-ref': 'lodash',
          name: 'lodash',
          version: '4.17.15',
          purl: 'pkg:npm/lodash@4.17.15',
          properties: [{ name: 'SrcFile', value: '/web/package-lock.json' }],
        },
      ],
    },
    { type: 'file', name: 'not-a-package' },
  ],
  dependencies: [{ ref: 'app', dependsOn: ['lodash'] }],
};

const XML_BILL = `<?xml version="1.0"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.5"><metadata><component type="application" bom-ref="app"><name>app</name></component></metadata>
<components><component type="application"><name>web</name><components><component type="library" bom-ref="lodash">
<name>lodash</name><version>4.17.15</version><purl>pkg:npm/lodash@4.17.15</purl>
<properties><property name="SrcFile">/web/package-lock.json</property></properties>
</component></components></component></components>
<dependencies><dependency ref="app"><dependency ref="lodash"/></dependency></dependencies>
<vulnerabilities><vulnerability><id>GHSA-35jh-r3h4-6jhm</id>
<references><reference><id>CVE-2021-23337</id></reference></references>
<ratings><rating><severity>medium</severity></rating><rating><score>7.2</score></rating></ratings>
<cwes><cwe>77</cwe></cwes>
<description>Command injection</description><advisories><advisory><url>https://example.test/a</url></advisory></advisories>
<analysis><state>not_affected</state><justification>code_not_reachable</justification>
<detail>never called</detail></analysis>
<affects><target><ref>lodash</ref>
<versions><version><version>4.17.21</version><status>unaffected</status></version></versions></target></affects>
</vulnerability></vulnerabilities></bom>`;

test('vulnerabilities of an SBOM are findings, and their analysis a decision; JSON and XML are equal', async () => {
  const fromJson = (await parseReport(JSON.stringify(JSON_BILL))).slice(1);
  const [finding] = itemsOfKind(fromJson, 'finding');
  assert.deepEqual(finding, {
    kind: 'finding',
    product: 'sca',
    rule: 'CVE-2021-23337',
    path: 'web/package-lock.json',
    region: { line: 0, column: 0, endLine: 0, endColumn: 0 },
    message: 'Command injection',
    severity: 'high',
    cwes: ['CWE-77'],
    references: ['https://example.test/a'],
    fingerprints: {},
    sca: {
      advisories: ['CVE-2021-23337', 'GHSA-35jh-r3h4-6jhm'],
      package: 'lodash',
      version: '4.17.15',
      ecosystem: 'npm',
      transitivity: 'direct',
      fixVersions: ['4.17.21'],
    },
  });
  const decisions = itemsOfKind(fromJson, 'decision');
  assert.deepEqual(decisions, [
    {
      kind: 'decision',
      source: 'vex',
      note: 'not_affected: code_not_reachable: never called',
      state: 'ignored',
      reason: 'false_positive',
      advisory: 'CVE-2021-23337',
      package: 'lodash',
      ecosystem: 'npm',
    },
    {
      kind: 'decision',
      source: 'vex',
      note: 'in_triage',
      state: 'reviewing',
      advisory: 'CVE-1999-0001',
      package: 'django',
      ecosystem: 'pypi',
    },
    {
      kind: 'decision',
      source: 'vex',
      note: 'exploitable',
      state: 'ignored',
      reason: 'acceptable_risk',
      advisory: 'CVE-1999-0002',
    },
    { kind: 'decision', source: 'vex', note: 'exploitable', state: 'fixing', advisory: 'CVE-1999-0003' },
  ]);
  const fromXml = (await parseReport(XML_BILL)).slice(1);
  assert.deepEqual(
    fromXml,
    fromJson.filter(
      (item) => item.kind !== 'warning' && (item.kind !== 'decision' || item.advisory === 'CVE-2021-23337'),
    ),
  );
});

test('a vulnerability of an unlisted component is read by its package URL, or gives a warning', async () => {
  const report = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    vulnerabilities: [
      { id: 'CVE-2020-8203', affects: [{ ref: 'pkg:npm/lodash@4.17.15' }] },
      { id: 'CVE-2020-1', affects: [{ ref: 'a-component-of-another-document' }] },
      { id: 'CVE-2020-2' },
      { affects: [{ ref: 'pkg:npm/lodash@4.17.15' }] },
      { id: 'CVE-2020-3', affects: [{ ref: 'urn:cdx:1/1#pkg:npm/a@1' }], analysis: { state: 'not_affected' } },
    ],
  };
  const items = await parseReport(JSON.stringify(report));
  assert.deepEqual(
    itemsOfKind(items, 'finding').map(({ rule, sca }) => [rule, sca?.package, sca?.version, sca?.ecosystem]),
    [['CVE-2020-8203', 'lodash', '4.17.15', 'npm']],
  );
  assert.deepEqual(
    itemsOfKind(items, 'warning').map(({ message }) => message),
    [
      'CVE-2020-1 affects a-component-of-another-document, which is not in the report.',
      'CVE-2020-2 names no affected component; it was left out.',
      'A vulnerability has no id; it was left out.',
    ],
  );
  assert.equal(itemsOfKind(items, 'decision').length, 1);
});

test('OpenVEX statements are decisions about advisories in packages', async () => {
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    tooling: 'vexctl',
    statements: [
      {
        vulnerability: { name: 'CVE-2014-123456' },
        products: [{ '@id': 'pkg:npm/app@1', subcomponents: [{ '@id': 'pkg:npm/lodash@4' }] }],
        status: 'not_affected',
        justification: 'component_not_present',
      },
      { vulnerability: 'GHSA-35jh-r3h4-6jhm', products: ['pkg:maven/org.x/y@1'], status: 'under_investigation' },
      {
        vulnerability: { name: 'x', aliases: ['CVE-2020-0001'] },
        products: [{ identifiers: { purl: 'pkg:golang/a.b/c@v1' } }],
        status: 'affected',
        action_statement: 'Upgrade.',
      },
      { vulnerability: { name: 'CVE-2020-0002' }, status: 'fixed' },
      { vulnerability: { name: 'CVE-2020-0003' }, products: ['pkg:npm/z'], status: 'affected' },
    ],
  };
  const decisions = itemsOfKind(await parseReport(JSON.stringify(document)), 'decision');
  assert.deepEqual(
    decisions.map((one) => [one.advisory, one.package, one.ecosystem, one.state, one.reason, one.note]),
    [
      ['CVE-2014-123456', 'lodash', 'npm', 'ignored', 'false_positive', 'component_not_present'],
      ['GHSA-35jh-r3h4-6jhm', 'org.x:y', 'maven', 'reviewing', undefined, undefined],
      ['CVE-2020-0001', 'a.b/c', 'gomod', 'fixing', undefined, 'Upgrade.'],
      ['CVE-2020-0002', undefined, undefined, 'ignored', undefined, undefined],
    ],
  );
});

test('Retire.js: libraries in files with their vulnerabilities; both formats are equal', async () => {
  const items = await parseFixture('retire.json');
  assert.deepEqual(countsByKind(items), { tool: 2, dependency: 3, finding: 16 });
  const [finding] = itemsOfKind(items, 'finding');
  assert.equal(finding?.rule, 'CVE-2020-8203');
  assert.equal(finding?.path, 'node_modules/lodash/lodash.js');
  assert.deepEqual(
    [finding?.severity, finding?.cwes, finding?.title],
    ['high', ['CWE-1321', 'CWE-770'], 'Prototype Pollution in lodash'],
  );
  assert.deepEqual(finding?.sca, {
    advisories: ['CVE-2020-8203', 'GHSA-p6mc-m468-83gw'],
    package: 'lodash',
    version: '4.17.15',
    ecosystem: 'npm',
    transitivity: 'unknown',
    fixVersions: ['4.17.19'],
  });
  const simple = await parseFixture('retire-simple.json');
  assert.deepEqual(itemsOfKind(simple, 'finding'), itemsOfKind(items, 'finding'));
});

test('a Retire.js report with errors covers nothing', async () => {
  const items = await parseFixture('retire-failed.json');
  assert.deepEqual(itemsOfKind(items, 'coverage'), [{ kind: 'coverage', isIncomplete: true }]);
  assert.equal(itemsOfKind(items, 'warning').length, 1);
});
