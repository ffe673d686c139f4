import { readReport } from '#domain/reports/formats/read-report.ts';
import { parseInWorker } from '#domain/reports/worker/parse-in-worker.ts';
import type { Bench } from '../figure.ts';
import { sarifStream } from '../sarif-stream.ts';

const BYTES = 2 ** 30;
const BASELINE_BYTES = 32 * 2 ** 20;
const GROWTH_MB = 200;
const SAMPLE_MS = 50;

/** The cost of reading a SARIF report of 1 GB: memory beyond that of the idle program, and CPU time. */
export const benchReportMemory: Bench = async ({ scale, log }) => {
  const bytes = BYTES * scale;
  const megabytes = bytes / 2 ** 20;
  const before = process.memoryUsage().rss;
  let peak = before;
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const start = performance.now();
  let findings = 0;
  const inWorker = await perCpuSecond(megabytes, async () => {
    for await (const batch of parseInWorker(sarifStream(bytes))) {
      for (const item of batch) if (item.kind === 'finding') findings++;
      sample();
    }
  });
  const seconds = (performance.now() - start) / 1000;
  clearInterval(timer);
  log(`${findings} findings, ${(megabytes / seconds).toFixed(1)} MB/s of wall-clock time`);
  const baseline = await parseAtOnce();
  const part = Math.min(bytes, 4 * BASELINE_BYTES);
  const alone = await perCpuSecond(part / 2 ** 20, async () => {
    for await (const _item of readReport(sarifStream(part)));
  });
  const against = { name: 'JSON.parse of 32 MB', value: baseline };
  const unit = 'MB per CPU second';
  return [
    {
      name: `memory for a report of ${Math.round(megabytes)} MB`,
      value: (peak - before) / 2 ** 20,
      unit: 'MB',
      target: { atMost: GROWTH_MB },
    },
    { name: 'reading it in a worker', value: inWorker, unit, baseline: against, ratio: inWorker / baseline },
    { name: 'reading in the same thread', value: alone, unit, baseline: against, ratio: alone / baseline },
  ];
};

/** CPU time and not wall-clock time, because the machine may have other work. */
async function perCpuSecond(megabytes: number, work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return megabytes / ((user + system) / 1e6);
}

async function parseAtOnce(): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of sarifStream(BASELINE_BYTES)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return perCpuSecond(BASELINE_BYTES / 2 ** 20, async () => void JSON.parse(text));
}
