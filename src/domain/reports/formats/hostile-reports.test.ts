import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fixtureNames,
  inChunks,
  itemsOfKind,
  parseReport,
  readFixture,
} from '#test/support/reports/report-fixtures.ts';
import { ReportError } from '../report-error.ts';
import type { ReportFormat } from '../shape.ts';
import { readReport } from './read-report.ts';

const LONG = 10_000;
const many = (fragment: string) => fragment.repeat(Math.ceil(LONG / fragment.length));

/** Fragments that make a regular expression with overlapping alternatives slow. */
const FRAGMENTS = ['a', '/', ' ', '<', '../', '1.', 'CVE-1', 'http://a', '-', '>=', ': ', '\n1: ', '@:', '&#39;'];

/** The report with all of its texts replaced, except those that say what an object is. */
function withLongTexts(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => withLongTexts(one, text));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => {
    const isKind = /^(type|state|status|Status|severity|check_type|Class)$/.test(key) && typeof one === 'string';
    return [key, isKind ? one : withLongTexts(one, text)];
  });
  return Object.fromEntries(entries);
}

async function readToEnd(report: Buffer, format: ReportFormat): Promise<void> {
  try {
    for await (const _item of readReport(inChunks(report, 65_536), { format }));
  } catch (error) {
    assert.ok(error instanceof ReportError, error instanceof Error ? error.stack : String(error));
  }
}

async function formatOf(name: string): Promise<ReportFormat> {
  const [first] = await parseReport(readFixture(name));
  assert.ok(first?.kind === 'tool' && first.format);
  return first.format;
}

const inFolders = fixtureNames().filter((name) => name.includes('/'));

test('UPL-03: very long texts in every member are read in linear time, for every format', async () => {
  for (const name of inFolders) {
    const format = await formatOf(name);
    for (const fragment of FRAGMENTS) {
      const report = readFixture(name).toString();
      if (name.endsWith('.json')) {
        const long = withLongTexts(JSON.parse(report), many(fragment));
        await readToEnd(Buffer.from(JSON.stringify(long)), format);
      } else if (name.endsWith('.jsonl')) {
        const lines = report.trim().split('\n');
        const long = lines.map((line) => JSON.stringify(withLongTexts(JSON.parse(line), many(fragment))));
        await readToEnd(Buffer.from(long.join('\n')), format);
      } else if (name.endsWith('.xml')) {
        const escaped = many(fragment).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        await readToEnd(Buffer.from(report.replace(/>[^<>\n]{3,}</g, () => `>${escaped}<`)), format);
      } else await readToEnd(Buffer.from(`${report}\n${many(fragment)}:1:2: warning: ${many(fragment)} [a]`), format);
    }
  }
});

/** Formats whose results are far apart in the document: start, one result, and end of a report. */
const STREAMED: [format: ReportFormat, start: string, result: (n: number) => object, end: string][] = [
  [
    'trivy',
    '{"ArtifactName":"a","Results":[{"Target":"go.mod","Type":"gomod","Vulnerabilities":[',
    (n) => ({ VulnerabilityID: `CVE-2024-${10_000 + n}`, PkgName: 'p', Description: 'd'.repeat(2000) }),
    ']}]}',
  ],
  [
    'zap',
    '{"@programName":"ZAP","site":[{"@name":"s","alerts":[',
    (n) => ({ pluginid: `${n}`, desc: 'd'.repeat(2000), instances: [{ uri: `https://example.test/${n}` }] }),
    ']}]}',
  ],
  ['nuclei', '', (n) => ({ 'template-id': `t${n}`, host: 'h', response: 'r'.repeat(2000) }), ''],
  ['gitleaks', '[', (n) => ({ RuleID: `r${n}`, File: 'f', Secret: `s${n}`, Message: 'm'.repeat(2000) }), ']'],
  [
    'sonarqube',
    '{"issues":[',
    (n) => ({ rule: `r${n}`, component: 'p:a.js', line: n + 1, message: 'm'.repeat(2000) }),
    ']}',
  ],
];

test('UPL-03: a report is read result by result, however large it is', async () => {
  const count = 2000;
  for (const [format, start, result, end] of STREAMED) {
    const rows = Array.from({ length: count }, (_, n) => JSON.stringify(result(n)));
    const report = start + rows.join(start === '' ? '\n' : ',') + end;
    const items = await parseReport(report, { format, limits: { maxValueBytes: 10_000 } });
    assert.equal(itemsOfKind(items, 'finding').length, count, format);
    assert.deepEqual(itemsOfKind(items, 'warning'), []);
  }
});

test('a damaged report is refused with the format that was tried and where it comes from', async () => {
  for (const name of inFolders.filter((one) => /\.(json|xml)$/.test(one))) {
    const format = await formatOf(name);
    const report = readFixture(name);
    await assert.rejects(
      parseReport(report.subarray(0, report.length - 4), { format }),
      (error: unknown) =>
        error instanceof ReportError &&
        error.code === 'NOT_VALID' &&
        error.message.includes(`It was read as ${format}, which is what is written by `),
      name,
    );
  }
});

test('results of one rule in one place are one, and names of services are kept as they are', async () => {
  const match = {
    'template-id': 't',
    'matched-at': 'https://Example.test:8443//a/../b?x=1#y',
    info: { severity: 'low' },
  };
  const items = await parseReport([match, match].map((one) => JSON.stringify(one)).join('\n'), { format: 'nuclei' });
  assert.deepEqual(
    itemsOfKind(items, 'finding').map(({ path, place }) => [path, place]),
    [['https://example.test:8443//b', 'endpoint']],
  );
});
