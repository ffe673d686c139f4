import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOfKind, parseReport } from '#test/support/reports/report-fixtures.ts';

const LONG = 300_000;
const many = (fragment: string) => fragment.repeat(Math.ceil(LONG / fragment.length));

/** Texts that a regular expression with nested quantifiers would need hours for. */
const REPORTS: [name: string, report: unknown][] = [
  ['ids of rules', { runs: [{ results: [{ ruleId: many('detected-') }, { ruleId: many('secrets.a') }] }] }],
  [
    'fingerprints and paths',
    {
      runs: [
        {
          results: ['/', './', '../', 'a/', '\\', '%'].map((fragment) => ({
            ruleId: 'r',
            fingerprints: { a: many('_1'), b: `${many('a')}_${many('1')}x` },
            locations: [{ physicalLocation: { artifactLocation: { uri: `${many(fragment)}x` } } }],
          })),
        },
      ],
    },
  ],
  [
    'lines of code',
    {
      results: ['#', '# nosem', '# nosem: a,', ' \t', '\n'].map((fragment) => ({
        check_id: 'r',
        path: 'a',
        extra: { lines: `${many(fragment)}x`, message: 'm' },
      })),
      paths: { scanned: [] },
    },
  ],
  [
    'secrets',
    {
      results: [many('ab12\n'), many('-----BEGIN\n'), many("'"), many('a')].map((lines) => ({
        check_id: 'r',
        path: 'a',
        start: { line: 1, col: 1 },
        end: { line: 2, col: 3 },
        extra: { lines, message: lines, metadata: { product: 'secrets' } },
      })),
      paths: { scanned: [] },
    },
  ],
  [
    'package URLs and tools',
    {
      spdxVersion: 'SPDX-2.3',
      creationInfo: { creators: [`Tool: ${many('-1')}!`] },
      packages: ['/', '@', '%', '?', '#', '&', 'a='].map((fragment) => ({
        SPDXID: fragment,
        name: 'n',
        externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:npm/${many(fragment)}x` }],
      })),
    },
  ],
  [
    'weaknesses',
    {
      runs: [
        { tool: { driver: { rules: [{ id: 'r', properties: { tags: [many('cwe-'), many('A1'), many('CWE 0')] } }] } } },
      ],
    },
  ],
  [
    'very many members',
    {
      bomFormat: 'CycloneDX',
      dependencies: [
        { ref: 'a', dependsOn: Array(LONG).fill('b') },
        { ref: 'a', dependsOn: Array(LONG).fill('c') },
      ],
    },
  ],
];

for (const [name, report] of REPORTS) {
  test(`UPL-03: very long ${name} are read in linear time`, async () => {
    const items = await parseReport(JSON.stringify(report), { limits: { maxValueBytes: 50_000_000 } });
    assert.deepEqual(
      itemsOfKind(items, 'warning').filter(({ message }) => message.includes('left out')),
      [],
    );
  });
}
