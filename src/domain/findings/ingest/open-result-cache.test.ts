import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ReadOptions, readReport } from '#domain/reports/formats/read-report.ts';
import { inChunks } from '#test/support/reports/report-fixtures.ts';
import { openResultCache, parserVersion, type ResultCacheState } from './open-result-cache.ts';
import { type ReportSummary, Stager, type StagerOptions } from './stager.ts';
import { STAGING_TABLES } from './staging-tables.ts';

const secrets = { key: createSecretKey(new Uint8Array(32)), deployment: '1' };

interface StagingOptions {
  reading?: ReadOptions;
  ignores?: StagerOptions['ignores'];
}

const linesOf = (text: Uint8Array) => Buffer.from(text).toString().split('\n').filter(Boolean);

/** The staged lines of a report, and the content digests of its results. */
async function staged(report: string, options: StagingOptions, cacheState: Omit<ResultCacheState, 'parserVersion'>) {
  const { reading = {}, ignores = [] } = options;
  const staging = { ignores, secrets };
  const cache = openResultCache({ parserVersion: 'this one', ...cacheState }, { reading, staging });
  const stager = new Stager(staging, cache);
  const enabled = cache.isEnabled ? cache : undefined;
  let cachedCount = 0;
  for await (const item of readReport(inChunks(report), reading, enabled)) {
    if (item.kind === 'cached') cachedCount++;
    stager.add(item);
  }
  const { resultCache: entries, ...summary }: ReportSummary = stager.end();
  const lines = stager.take().flatMap(({ stage, text }) => linesOf(text).map((line) => `${stage} ${line}`));
  const at = Object.keys(STAGING_TABLES.finding.columns).indexOf('content_digest');
  const found = lines.filter((line) => line.startsWith('finding '));
  const digests = found.map((line) => line.split('\t')[at] ?? '').filter((digest) => /^[\da-f]{32}$/.test(digest));
  return { summary, lines: lines.sort(), entries, digests, cachedCount };
}

const word = fc.constantFrom('a', 'b', 'c');
const location = fc.oneof(
  fc.record({ uri: fc.constantFrom('src/a.js', 'src/b.js', 'src/c.js', '../out.js', '/abs/a.js', 'vendor/a.js', '') }),
  fc.record({ index: fc.nat(2) }),
);
const result = fc.record(
  {
    ruleId: fc.constantFrom('eval', 'exec', 'gitleaks.key', 'eval/1'),
    ruleIndex: fc.nat(2),
    message: fc.record({ text: word }),
    level: fc.constantFrom('error', 'note'),
    suppressions: fc.constantFrom([], [{ kind: 'external' }], [{ kind: 'inSource' }]),
    locations: fc.tuple(
      fc.record({
        physicalLocation: fc.record({
          artifactLocation: location,
          region: fc.record({ startLine: fc.integer({ min: 1, max: 2 }), snippet: fc.record({ text: word }) }),
        }),
      }),
    ),
  },
  { requiredKeys: ['message', 'locations'] },
);
const rule = fc.record(
  {
    id: fc.constantFrom('eval', 'exec'),
    shortDescription: fc.record({ text: word }),
    properties: fc.record({
      tags: fc.constantFrom(['secret'], ['security']),
      'security-severity': fc.constantFrom('9', '2'),
    }),
  },
  { requiredKeys: ['id'] },
);
const run = fc.record({
  name: fc.constantFrom('checker', 'gitleaks'),
  rules: fc.uniqueArray(rule, { selector: ({ id }) => id }),
  artifacts: fc.array(fc.record({ location: fc.record({ uri: fc.constantFrom('src/x.js', 'src/y.js') }) }), {
    maxLength: 3,
  }),
  isToolFirst: fc.boolean(),
});
type Run = typeof run extends fc.Arbitrary<infer Made> ? Made : never;

const reportOf = (results: readonly unknown[], { name, rules, artifacts, isToolFirst }: Run) => {
  const tool = { driver: { name, rules } };
  const firstRun = isToolFirst ? { tool, artifacts, results } : { artifacts, results, tool };
  return JSON.stringify({ version: '2.1.0', runs: [firstRun, { results: results.slice(0, 1), tool }] });
};
const stagingOptions = fc.record({
  reading: fc.constantFrom<ReadOptions>({}, { root: '/abs' }, { secretRules: ['eval'] }),
  ignores: fc.constantFrom<StagerOptions['ignores']>([], [{ product: 'sast', patterns: ['vendor/'] }]),
});
const mostlyTrue = fc.constantFrom(true, true, true, false);
const twoRuns = fc.record({
  first: run,
  second: run,
  options: stagingOptions,
  secondOptions: stagingOptions,
  isSameRun: mostlyTrue,
  hasSameOptions: mostlyTrue,
});

test('cached results equal freshly read ones, whatever else changed', async () => {
  let cachedCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(result, { maxLength: 8 }),
      fc.array(result, { maxLength: 4 }),
      twoRuns,
      async (results, more, runs) => {
        const first = await staged(reportOf(results, runs.first), runs.options, { entries: new Uint8Array() });
        const previousDigests = Buffer.from(first.digests.join(''), 'hex');
        const next = reportOf([...more, ...results.toReversed()], runs.isSameRun ? runs.first : runs.second);
        const read = runs.hasSameOptions ? runs.options : runs.secondOptions;
        const fresh = await staged(next, read, { previousDigests });
        const cached = await staged(next, read, {
          previousDigests,
          entries: first.entries ?? new Uint8Array(),
        });
        cachedCount += cached.cachedCount;
        assert.equal(fresh.cachedCount, 0);
        // A rule that follows cached results cannot be detected as late; see the next test.
        assert.deepEqual({ ...cached.summary, lateSecretRules: [] }, { ...fresh.summary, lateSecretRules: [] });
        assert.deepEqual(cached.lines, fresh.lines);
      },
    ),
    { numRuns: 80 },
  );
  assert.ok(cachedCount > 10, `${cachedCount}`);
});

test('results cached by another parser version are not used', async () => {
  const report = reportOf(
    [
      {
        ruleId: 'eval',
        message: { text: 'm' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.js' }, region: { startLine: 1 } } }],
      },
    ],
    { name: 'checker', rules: [], artifacts: [], isToolFirst: true },
  );
  const { entries, digests } = await staged(report, {}, { entries: new Uint8Array() });
  assert.ok(entries);
  const previousDigests = Buffer.from(digests.join(''), 'hex');
  assert.equal((await staged(report, {}, { previousDigests, entries })).cachedCount, 2);
  const reading = {};
  const cache = openResultCache(
    { previousDigests, entries, parserVersion: 'a later one' },
    { reading, staging: { ignores: [], secrets } },
  );
  for await (const { kind } of readReport(inChunks(report), reading, cache)) assert.notEqual(kind, 'cached');
  assert.match(await parserVersion(), /^[\da-f]{64}$/);
});
