import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  changedMembers,
  entriesByIdentity,
  filePathSortKey,
  MAX_COLLECTED_VALUES,
  mergeEntries,
  type ReportedEntry,
} from './rules.ts';

const word = fc.constantFrom('a', 'b', 'c', 'd');
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const list = maybe(fc.array(word, { maxLength: 4 }));
const entry = fc.record({
  identity: word,
  title: word,
  description: maybe(word),
  reasoning: maybe(word),
  severity: maybe(fc.constantFrom('SEVERITY_LOW' as const, 'SEVERITY_CRITICAL' as const)),
  detectionState: maybe(
    fc.constantFrom('DETECTION_STATE_DETECTED' as const, 'DETECTION_STATE_VERIFIED_ABSENT' as const),
  ),
  refId: maybe(word),
  filePaths: list,
  dependencyPaths: list,
  directDependencies: list,
  domains: list,
  cwes: list,
  owasps: list,
  actions: list,
});
const run = fc.record({ workflowId: word, workflowJobId: maybe(word), triggerSource: maybe(word) });
const draft: fc.Arbitrary<ReportedEntry> = fc.record({ identity: word, entry, run });

test('applying the same report twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(draft), draft, (before, again) => {
      const once = mergeEntries(undefined, [...before, again]);
      assert.deepEqual(mergeEntries(once, [again]), once);
      assert.deepEqual(changedMembers(once, mergeEntries(once, [again])), []);
    }),
  );
});

test('absent members of a report keep their values', () => {
  fc.assert(
    fc.property(draft, draft, (first, second) => {
      const before = mergeEntries(undefined, [first]);
      const after = mergeEntries(before, [second]);
      if (second.entry.description === undefined) assert.equal(after.description, before.description);
      if (second.entry.severity === undefined) assert.equal(after.severity, before.severity);
      if (second.entry.filePaths === undefined) assert.deepEqual(after.filePaths, before.filePaths);
      for (const workflow of before.workflowIds) assert.ok(after.workflowIds.includes(workflow));
    }),
  );
});

test('the latest hundred job ids are kept', () => {
  const drafts = Array.from({ length: 150 }, (_, index): ReportedEntry => {
    const job = { workflowId: 'w', workflowJobId: `job-${index}` };
    return { identity: 'i', entry: { identity: 'i', title: 't' }, run: job };
  });
  const { workflowJobIds } = mergeEntries(undefined, drafts);
  assert.deepEqual([workflowJobIds.length, workflowJobIds.at(-1)], [MAX_COLLECTED_VALUES, 'job-149']);
});

test('entries are grouped by identity in order of first appearance', () => {
  fc.assert(
    fc.property(fc.array(entry), (issues) => {
      const drafts = entriesByIdentity({ workflowId: 'w', issues });
      assert.deepEqual([...drafts.keys()], [...new Set(issues.map(({ identity }) => identity))]);
      assert.equal([...drafts.values()].flat().length, issues.length);
    }),
  );
});

test('the file path sort key always fits into an index', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 2000 })), (paths) => {
      assert.ok(Buffer.byteLength(filePathSortKey(paths)) <= 1024);
    }),
  );
});
