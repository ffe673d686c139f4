import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inChunks, itemsOfKind, parseReport, readFixture } from '#test/support/reports/report-fixtures.ts';
import type { ReportItem } from '../report-items.ts';
import { type ParseOptions, parseInWorker } from './parse-in-worker.ts';

async function parsed(source: AsyncIterable<Buffer>, options?: ParseOptions): Promise<ReportItem[][]> {
  const batches: ReportItem[][] = [];
  for await (const batch of parseInWorker(source, options)) batches.push(batch);
  return batches;
}

const RESULT = JSON.stringify({
  ruleId: 'r',
  message: { text: 'm'.repeat(200) },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 1 } } }],
});

/** A SARIF report with a number of results; counts the chunks that were read. */
function sarifOf(results: number, chunkResults = 100) {
  const counter = { chunks: 0, isEnded: false };
  async function* source() {
    try {
      yield Buffer.from(`{"runs":[{"tool":{"driver":{"name":"t"}},"results":[${RESULT}`);
      const chunk = Buffer.from(`,${RESULT}`.repeat(chunkResults));
      for (let count = 1; count < results; count += chunkResults) {
        counter.chunks++;
        yield chunk;
      }
      yield Buffer.from(']}]}');
    } finally {
      counter.isEnded = true;
    }
  }
  return { source: source(), counter };
}

test('a worker gives the same items, in batches of at maxChunks 500', async () => {
  for (const name of ['oxlint.sarif', 'cyclonedx-npm-lockonly.xml', 'flawfinder.csv']) {
    const batches = await parsed(inChunks(readFixture(name)), { reportName: 'x' });
    assert.deepEqual(batches.flat(), await parseReport(readFixture(name), { reportName: 'x' }), name);
  }
  const batches = await parsed(sarifOf(1701).source);
  assert.equal(itemsOfKind(batches.flat(), 'finding').length, 1701);
  assert.ok(batches.every(({ length }) => length <= 500));
  assert.equal(batches.length, 4);
});

test('an error is passed on with its code, sentence and offset', async () => {
  await assert.rejects(parsed(inChunks('{"runs":[{"results":[{"a"}]}]}')), {
    name: 'ReportProblem',
    code: 'NOT_VALID',
    offset: 21,
    message: /^A value of runs\[\]\.results\[\] is not valid JSON\. It was read as sarif, .* \(byte 21\)$/,
  });
  await assert.rejects(parsed(inChunks('hello')), { code: 'UNKNOWN_FORMAT' });
});

test('UPL-03: exceeding the heap limit is an error, and the server continues', async () => {
  async function* endless() {
    yield Buffer.from('{"bomFormat":"CycloneDX","components":[{"type":"library","name":"a"}');
    const name = 'x'.repeat(50_000);
    for (let index = 0; ; index++) yield Buffer.from(`,{"type":"library","name":"${name}${index}"}`);
  }
  await assert.rejects(parsed(endless(), { heapMb: 20 }), { name: 'ReportProblem', code: 'TOO_MUCH_MEMORY' });
  assert.equal((await parsed(inChunks(readFixture('bandit.json')))).flat().length, 10);
});

test('UPL-03: exceeding the CPU limit is an error', async () => {
  await assert.rejects(parsed(sarifOf(Number.POSITIVE_INFINITY).source, { cpuMs: 50 }), {
    name: 'ReportProblem',
    code: 'TOO_SLOW',
  });
});

test('aborting ends the worker, even while it waits for a source that never responds', async () => {
  const controller = new AbortController();
  async function* silent(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"runs":[');
    controller.abort();
    await new Promise(() => undefined);
  }
  await assert.rejects(parsed(silent(), { signal: controller.signal }), { name: 'ReportProblem', code: 'STOPPED' });
  const { source } = sarifOf(10);
  await assert.rejects(parsed(source, { signal: AbortSignal.abort() }), { code: 'STOPPED' });
});

test('ending the iteration ends the worker and the source', async () => {
  const { source, counter } = sarifOf(1_000_000);
  for await (const _batch of parseInWorker(source)) break;
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(counter.isEnded);
});

test('a source is read no faster than its items are consumed', async () => {
  const { source, counter } = sarifOf(200_000);
  let maxChunks = 0;
  let batches = 0;
  for await (const _batch of parseInWorker(source)) {
    // Up to four megabytes of results may be buffered before the first batch.
    if (batches++ === 0) maxChunks = counter.chunks;
    const before = counter.chunks;
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(counter.chunks - before <= 2, `${counter.chunks - before} chunks were read ahead`);
    if (batches > 20) break;
  }
  assert.ok(maxChunks < 300, `${maxChunks} chunks before the first batch`);
});

test('an error of the source is passed on', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"runs":[');
    throw new Error('disk gone');
  }
  await assert.rejects(parsed(failing()), /disk gone/);
});
