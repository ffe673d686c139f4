import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LARGE_REPORTS, type LargeReport, largeReport } from '#test/support/reports/large-reports.ts';
import type { ReportItem } from '../report-items.ts';
import type { ReportFormat } from '../shape.ts';
import { ESTABLISHED_FORMATS } from './established-formats.ts';
import { readReport } from './read-report.ts';

const COUNT = 500;

async function itemsOf(report: LargeReport): Promise<ReportItem[]> {
  const items: ReportItem[] = [];
  for await (const item of readReport(largeReport(report, COUNT), { format: report.format })) items.push(item);
  return items;
}

test('there is a large report of every established format', () => {
  const formats = new Set(Object.values(LARGE_REPORTS).map(({ format }) => format));
  assert.deepEqual(
    Object.keys(ESTABLISHED_FORMATS).filter((format) => !formats.has(format as ReportFormat)),
    [],
  );
});

/** Far more than any result has, and far less than what all of them refer to. */
const MAX_BYTES_PER_RESULT = 60_000;

describe('every result of a large report is read, with texts of limited length', () => {
  for (const [name, report] of Object.entries(LARGE_REPORTS))
    test(name, async () => {
      const items = await itemsOf(report);
      assert.equal(items.filter(({ kind }) => kind === (report.kind ?? 'finding')).length, COUNT);
      assert.ok(JSON.stringify(items).length < COUNT * MAX_BYTES_PER_RESULT);
    });
});

test('a shortened text is told once', async () => {
  const report = LARGE_REPORTS['checkstyle, one long file name'] ?? assert.fail();
  const warnings = (await itemsOf(report)).flatMap((item) => (item.kind === 'warning' ? item.message : []));
  assert.deepEqual(
    warnings.filter((message) => message.includes('shortened')),
    [`A result, rule or dependency has very long texts; they were shortened. (${COUNT} times)`],
  );
});
