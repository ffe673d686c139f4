import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fixtureNames, inChunks, parseReport, readFixture } from '#test/support/reports/report-fixtures.ts';
import { reportedSchema } from '#test/support/reports/reported-schema.ts';
import { ReportError } from '../report-error.ts';
import type { ReportItem } from '../report-items.ts';
import { REPORT_FORMATS, type ReportFormat } from '../shape.ts';
import { readReport } from './read-report.ts';

const names = fixtureNames();

function assertShape(item: ReportItem): void {
  const { success, error } = reportedSchema.safeParse(item);
  assert.ok(success, `${JSON.stringify(item).slice(0, 300)}\n${error?.message}`);
}

test('every format but OpenVEX and mapped ones has a report that is recognized', async () => {
  const formats = new Set<string>();
  for (const name of names) {
    const [first] = await parseReport(readFixture(name));
    if (first?.kind === 'tool' && first.format) formats.add(first.format);
  }
  assert.deepEqual(
    REPORT_FORMATS.filter((format) => !formats.has(format)),
    ['openvex', 'mapped'],
  );
});

for (const name of names) {
  test(`${name}: every item has the right shape, and any chunking gives the same items`, async () => {
    const bytes = readFixture(name);
    const items = await parseReport(bytes);
    for (const item of items) assertShape(item);
    assert.ok(items.length > 1);
    for (const size of [17, 100_000]) {
      const again: ReportItem[] = [];
      for await (const item of readReport(inChunks(bytes, size))) again.push(item);
      assert.deepEqual(again, items);
    }
  });
}

test('the code in a report equals the scanned source at its lines', async () => {
  let checked = 0;
  for (const name of [
    'bandit.json',
    'eslint.json',
    'flawfinder.csv',
    'flawfinder.sarif',
    'ast-grep.json',
    'ast-grep.sarif',
  ]) {
    for (const item of await parseReport(readFixture(name))) {
      if (item.kind !== 'finding' || item.code === undefined) continue;
      const rows = readFixture(`sample/${item.path}`).toString().split('\n');
      const lines = rows.slice(item.region.line - 1, item.region.endLine).join('\n');
      assert.ok(lines.includes(item.code.trim()), `${name}: ${item.rule}`);
      checked++;
    }
  }
  assert.equal(checked, 31);
});

/** Reads to the end or to a ReportError; any other exception is a defect. */
async function outcome(bytes: Buffer, format: ReportFormat | 'auto'): Promise<void> {
  try {
    for await (const item of readReport(inChunks(bytes, 4096), { format, limits: { maxDepth: 60 } })) assertShape(item);
  } catch (error) {
    assert.ok(error instanceof ReportError, error instanceof Error ? error.stack : String(error));
  }
}

const FIXTURES = names.map((name) => ({ name, bytes: readFixture(name).subarray(0, 12_000) }));
const fragment = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  'null',
  '1e9',
  '-1',
  '""',
  '\\u0000',
  '<',
  '>',
  '&x;',
  '\0',
  '\n',
  '"a":[[]]',
);
const change = fc.tuple(fc.nat(), fc.nat({ max: 40 }), fc.oneof(fragment, fc.string({ maxLength: 4 })));

test('UPL-03: corrupted reports give valid items or a ReportError, never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (which, changes, isCut) => {
        const { bytes } = FIXTURES[which % FIXTURES.length] ?? { bytes: Buffer.alloc(0) };
        let changed = bytes;
        for (const [at, length, by] of changes) {
          const index = at % (changed.length + 1);
          changed = Buffer.concat([changed.subarray(0, index), Buffer.from(by), changed.subarray(index + length)]);
        }
        await outcome(
          isCut ? changed : Buffer.concat([changed, readFixture(names[which % names.length] ?? '').subarray(12_000)]),
          'auto',
        );
      },
    ),
    { numRuns: 400 },
  );
});

/** Replaces members with values of other types, which adapters must tolerate. */
function withStrangers(value: unknown, strange: () => unknown): unknown {
  const other = strange();
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((one) => withStrangers(one, strange));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withStrangers(one, strange)]));
}

test('members of unexpected types give valid items, for every format', async () => {
  const strangers = [
    null,
    0,
    -1,
    1e300,
    true,
    '',
    '\0',
    'x',
    [],
    [null],
    {},
    { __proto__: null, '': 1 },
    [[1]],
    { text: 1 },
  ];
  const documents = names
    .filter((name) => /\.(json|sarif)$/.test(name))
    .map((name) => ({
      name,
      format: undefined as ReportFormat | undefined,
      value: JSON.parse(readFixture(name).toString()) as unknown,
    }));
  for (const document of documents) {
    const [first] = await parseReport(readFixture(document.name));
    document.format = first?.kind === 'tool' ? first.format : undefined;
  }
  const text = (value: unknown) => Buffer.from(JSON.stringify(value).slice(0, 200_000));
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.infiniteStream(fc.nat({ max: 999 })), async (which, stream) => {
      const { value, format = 'auto' } = documents[which % documents.length] ?? {};
      const strange = () => {
        const [roll] = stream.take(1);
        return roll !== undefined && roll < 12 ? strangers[roll % strangers.length] : undefined;
      };
      const root = Array.isArray(value)
        ? value.map((one) => withStrangers(one, strange))
        : Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, withStrangers(one, strange)]));
      await outcome(text(root), format);
    }),
    { numRuns: 300 },
  );
});
