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

interface How {
  reading?: ReadOptions;
  ignores?: StagerOptions['ignores'];
}

const linesOf = (text: Uint8Array) => Buffer.from(text).toString().split('\n').filter(Boolean);

/** The staged lines of a report, and the content digests of its results. */
async function staged(report: string, how: How, remembering: Omit<ResultCacheState, 'parserVersion'>) {
  const { reading = {}, ignores = [] } = how;
  const staging = { ignores, secrets };
  const memory = openResultCache({ parserVersion: 'this one', ...remembering }, { reading, staging });
  const stager = new Stager(staging, memory);
  const kept = memory.isEnabled ? memory : undefined;
  let repeatedCount = 0;
  for await (const item of readReport(inChunks(report), reading, kept)) {
    if (item.kind === 'repeated') repeatedCount++;
    stager.add(item);
  }
  const { resultCache: entries, ...heard }: ReportSummary = stager.end();
  const lines = stager.take().flatMap(({ stage, text }) => linesOf(text).map((line) => `${stage} ${line}`));
  const at = Object.keys(STAGING_TABLES.finding.columns).indexOf('content_digest');
  const found = lines.filter((line) => line.startsWith('finding '));
  const said = found.map((line) => line.split('\t')[at] ?? '').filter((digest) => /^[\da-f]{32}$/.test(digest));
  return { heard, lines: lines.sort(), entries, said, repeatedCount };
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
  const one = isToolFirst ? { tool, artifacts, results } : { artifacts, results, tool };
  return JSON.stringify({ version: '2.1.0', runs: [one, { results: results.slice(0, 1), tool }] });
};
const how = fc.record({
  reading: fc.constantFrom<ReadOptions>({}, { root: '/abs' }, { secretRules: ['eval'] }),
  ignores: fc.constantFrom<StagerOptions['ignores']>([], [{ product: 'sast', patterns: ['vendor/'] }]),
});
const mostly = fc.constantFrom(true, true, true, false);
const twice = fc.record({ one: run, other: run, how, otherHow: how, isSame: mostly, isReadAlike: mostly });

test('cached results equal freshly read ones, whatever else changed', async () => {
  let repeatedCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(result, { maxLength: 8 }),
      fc.array(result, { maxLength: 4 }),
      twice,
      async (results, more, they) => {
        const first = await staged(reportOf(results, they.one), they.how, { entries: new Uint8Array() });
        const known = Buffer.from(first.said.join(''), 'hex');
        const next = reportOf([...more, ...results.toReversed()], they.isSame ? they.one : they.other);
        const read = they.isReadAlike ? they.how : they.otherHow;
        const plain = await staged(next, read, { previousDigests: known });
        const recalled = await staged(next, read, {
          previousDigests: known,
          entries: first.entries ?? new Uint8Array(),
        });
        repeatedCount += recalled.repeatedCount;
        assert.equal(plain.repeatedCount, 0);
        // A rule that follows cached results cannot be detected as late; see the next test.
        assert.deepEqual({ ...recalled.heard, lateSecretRules: [] }, { ...plain.heard, lateSecretRules: [] });
        assert.deepEqual(recalled.lines, plain.lines);
      },
    ),
    { numRuns: 80 },
  );
  assert.ok(repeatedCount > 10, `${repeatedCount}`);
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
  const { entries, said } = await staged(report, {}, { entries: new Uint8Array() });
  assert.ok(entries);
  const known = Buffer.from(said.join(''), 'hex');
  assert.equal((await staged(report, {}, { previousDigests: known, entries })).repeatedCount, 2);
  const reading = {};
  const memory = openResultCache(
    { previousDigests: known, entries, parserVersion: 'a later one' },
    { reading, staging: { ignores: [], secrets } },
  );
  for await (const { kind } of readReport(inChunks(report), reading, memory)) assert.notEqual(kind, 'repeated');
  assert.match(await parserVersion(), /^[\da-f]{64}$/);
});
