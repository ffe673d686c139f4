import assert from 'node:assert/strict';
import { readReport } from '#domain/reports/formats/read-report.ts';
import { type GrownReport, grownReports } from '#test/support/reports/grown-reports.ts';
import { LARGE_REPORTS, type LargeReport, largeReport } from '#test/support/reports/large-reports.ts';
import { inChunks } from '#test/support/reports/report-fixtures.ts';
import type { Bench, Figure } from '../figure.ts';

const SIZES = [1000, 10_000, 100_000];
const MAX_GROWTH = 1.5;
/** Small reports are read several times, so that the time can be measured. */
const MIN_RESULTS = 20_000;
const ROUNDS = 3;
const GROWN_SIZES = [1000, 10_000] as const;
const CHUNK_BYTES = 65_536;

/**
 * The CPU time to read a result: for the worst report of the established formats at ten and a hundred times the size,
 * and for each list of each format's fixture at ten times.
 */
export const benchReportFormats: Bench = async ({ scale, log }) => [
  ...(await worstOfEstablished(scale, log)),
  ...(await grownLists(log)),
];

/** Lists of any format, from 1,000 to 10,000 entries. */
async function grownLists(log: (line: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const report of await grownReports()) {
    const { format, list } = report;
    await microsPerEntry(report, GROWN_SIZES[0]);
    const [small, large] = [await microsPerEntry(report, GROWN_SIZES[0]), await microsPerEntry(report, GROWN_SIZES[1])];
    figures.push({
      name: `${format}: ${GROWN_SIZES[1]} entries of ${list}`,
      value: large,
      unit: 'µs each',
      baseline: { name: `of ${GROWN_SIZES[0]}`, value: small },
      ratio: large / small,
      target: { atMost: MAX_GROWTH },
    });
    log(`${format} ${list}: ${small.toFixed(1)} µs, ${large.toFixed(1)} µs`);
  }
  return figures;
}

async function microsPerEntry(report: GrownReport, count: number): Promise<number> {
  const bytes = Buffer.from(report.write(count));
  const repeats = Math.max(1, Math.ceil(GROWN_SIZES[1] / count));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let repeat = 0; repeat < repeats; repeat++)
      for await (const _item of readReport(inChunks(bytes, CHUNK_BYTES), { format: report.format }));
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / (count * repeats));
  }
  return least;
}

async function worstOfEstablished(scale: number, log: (line: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, report] of Object.entries(LARGE_REPORTS)) {
    // A report whose results are in one value is limited by the size of a value.
    const largest = Math.min(report.most ?? Number.POSITIVE_INFINITY, Math.round((SIZES.at(-1) ?? 0) * scale));
    const sizes = [largest / 100, largest / 10, largest].map(Math.round);
    await microsPerResult(report, sizes[1] ?? 0);
    let before: { size: number; value: number } | undefined;
    for (const size of sizes) {
      const value = await microsPerResult(report, size);
      if (before)
        figures.push({
          name: `${name}: ${size} results`,
          value,
          unit: 'µs each',
          baseline: { name: `of ${before.size}`, value: before.value },
          ratio: value / before.value,
          target: { atMost: MAX_GROWTH },
        });
      before = { size, value };
    }
    log(name);
  }
  return figures;
}

/** The least of some rounds, because the machine may have other work. */
async function microsPerResult(report: LargeReport, count: number): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of largeReport(report, count)) chunks.push(chunk);
  const repeats = Math.max(1, Math.ceil(MIN_RESULTS / count));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let repeat = 0; repeat < repeats; repeat++) await read(report, chunks, count);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / (count * repeats));
  }
  return least;
}

async function read(report: LargeReport, chunks: readonly Buffer[], count: number): Promise<void> {
  async function* source() {
    yield* chunks;
  }
  let found = 0;
  for await (const { kind } of readReport(source(), { format: report.format }))
    if (kind === (report.kind ?? 'finding')) found++;
  assert.equal(found, count);
}
