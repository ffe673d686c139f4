import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fixtureNames,
  inChunks,
  itemsOfKind,
  parseReport,
  readFixture,
} from '#test/support/reports/report-fixtures.ts';
import { REPORT_FORMATS } from '../shape.ts';
import { readReport } from './read-report.ts';

/** These tools write an empty list if there are no findings. */
const EMPTY_LIST = new Set<string>([
  ...['eslint', 'secretlint', 'ruff', 'ast-grep', 'retire', 'pylint', 'psalm', 'progpilot', 'infer', 'hadolint'],
  ...['gitlab-code-quality', 'kube-bench', 'gitleaks', 'github-secret-scanning', 'github-code-scanning'],
  ...['github-dependabot', 'prowler', 'nuclei', 'trufflehog', 'staticcheck', 'yarn-npm-audit'],
]);

/** These write one object for each result, and nothing if there are no results. */
const EMPTY_FILE = new Set<string>([
  ...['gitleaks', 'github-secret-scanning', 'github-code-scanning', 'github-dependabot', 'prowler', 'nuclei'],
  ...['trufflehog', 'staticcheck', 'yarn-npm-audit'],
]);

test('an unrelated file is never accepted as a scan without findings', async () => {
  const others = [
    '{}',
    '[]',
    '{"a":1}',
    '<x/>',
    'a,b\n',
    '{"runs":null}',
    '{"results":{}}',
    '{"data":{}}',
    '{"bomFormat":1}',
    '',
  ];
  for (const format of REPORT_FORMATS) {
    for (const other of others) {
      const isEmptyReport = (other === '[]' && EMPTY_LIST.has(format)) || (other === '' && EMPTY_FILE.has(format));
      if (isEmptyReport) assert.equal((await parseReport(other, { format })).length, 1);
      else await assert.rejects(parseReport(other, { format }), { name: 'ReportProblem' }, `${format}: ${other}`);
    }
  }
});

test('a report with the wrong format is rejected or partly read, but never an empty scan', async () => {
  for (const name of fixtureNames().filter((one) => one.endsWith('.sarif'))) {
    for (const format of REPORT_FORMATS.filter((one) => one !== 'sarif')) {
      await assert.rejects(
        parseReport(readFixture(name), { format }),
        { name: 'ReportProblem' },
        `${name} as ${format}`,
      );
    }
  }
});

test('an oversized part gives a warning and makes the scan incomplete', async () => {
  const big = { ruleId: 'r', message: { text: 'x'.repeat(3000) } };
  const report = JSON.stringify({ runs: [{ results: [big, { ruleId: 'r' }] }] });
  const items = await parseReport(report, { limits: { maxValueBytes: 2000 } });
  assert.equal(itemsOfKind(items, 'finding').length, 1);
  assert.deepEqual(itemsOfKind(items, 'coverage'), [{ kind: 'coverage', isIncomplete: true }]);
  assert.match(
    itemsOfKind(items, 'warning')[0]?.message ?? '',
    /^One of runs\[\]\.results\[\] \(byte \d+, 3\d+ bytes\)/,
  );
});

test('equal warnings are merged with their number, and limited to a hundred', async () => {
  const nameless = await parseReport(JSON.stringify({ runs: [{ results: Array(1000).fill({ message: {} }) }] }));
  assert.deepEqual(
    itemsOfKind(nameless, 'warning').map(({ message }) => message),
    ['A result names no rule; its rule is no-rule-id. (1000 times)'],
  );
  const big = { ruleId: 'x'.repeat(100) };
  const many = await parseReport(JSON.stringify({ runs: [{ results: Array(150).fill(big) }] }), {
    limits: { maxValueBytes: 50 },
  });
  assert.equal(itemsOfKind(many, 'warning').length, 101);
  assert.equal(itemsOfKind(many, 'warning').at(-1)?.message, 'There are 50 more warnings.');
});

test('ending the iteration closes the source', async () => {
  let isClosed = false;
  async function* source() {
    try {
      yield* inChunks(readFixture('oxlint.sarif'), 100);
    } finally {
      isClosed = true;
    }
  }
  for await (const _item of readReport(source())) break;
  assert.ok(isClosed);
});

test('absolute paths give a warning unless the root is given', async () => {
  const report = JSON.stringify([
    { filePath: '/home/me/app/a.js', errorCount: 1, messages: [{ ruleId: 'r', message: 'm', severity: 2 }] },
  ]);
  const items = await parseReport(report);
  assert.equal(itemsOfKind(items, 'finding')[0]?.path, '/home/me/app/a.js');
  assert.match(itemsOfKind(items, 'warning')[0]?.message ?? '', /^All paths are absolute \(\/home\/me\/app\)/);
  const placed = await parseReport(report, { root: '/home/me/app' });
  assert.equal(itemsOfKind(placed, 'finding')[0]?.path, 'a.js');
  assert.deepEqual(itemsOfKind(placed, 'coverage')[0]?.pathsSearched, ['a.js']);
  assert.deepEqual(itemsOfKind(placed, 'warning'), []);
});

test('a secret without a rule is kept, and has a kind', async () => {
  const driver = { name: 'gitleaks', rules: [{ id: null }] };
  const run = { tool: { driver }, results: [{ ruleIndex: 0, message: { text: 'Found a token' } }] };
  const items = await parseReport(JSON.stringify({ version: '2.1.0', runs: [run] }));
  assert.deepEqual(
    itemsOfKind(items, 'finding').map(({ rule, secret }) => [rule, secret?.type]),
    [['unnamed', 'unnamed']],
  );
});
