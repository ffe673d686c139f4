import assert from 'node:assert/strict';
import { type Bench, type BenchOptions, type Figure, median } from './figure.ts';
import { ImportBench, type ImportCost } from './import-bench.ts';
import { startGenerator } from './load.ts';
import { sarifChunks, sarifStream } from './sarif-stream.ts';

const FINDINGS = 100_000;
const ROUNDS = 3;
const MIN_PER_SECOND = 5000;
const SHARE_OF_COPY = 0.25;
const LARGE_BYTES = 2 ** 30;
const GROWTH_MB = 200;
const IDLE_MS = 5000;
const MAX_MS = 3_600_000;
const SLOWER_READS = 3;

interface Round {
  first: ImportCost;
  copied: ImportCost;
  again: ImportCost;
  rewritten: ImportCost;
}

/** The cost of importing a report, from its upload until its findings can be listed. */
export const benchImports: Bench = async (options) => {
  const figures: Figure[] = [];
  const bench = await ImportBench.open();
  try {
    figures.push(...(await ratesOf(bench, options)), ...(await readsDuringImport(bench, options)));
  } finally {
    await bench.close();
  }
  return [...figures, ...(await memoryOf(options))];
};

async function ratesOf(bench: ImportBench, { scale, log }: BenchOptions): Promise<Figure[]> {
  const count = Math.round(FINDINGS * scale);
  const report = sarifChunks(count);
  const rounds: Round[] = [];
  await bench.send(sarifChunks(1000), { project: 'acme/warm-up', commit: 'aaaaaaa' });
  for (let number = 1; number <= ROUNDS; number++) {
    const round = await runRound(bench, { report, count, project: `acme/bench-${number}` });
    rounds.push(round);
    const parts = Object.entries(round).map(([name, spent]) => `${name} ${costText(spent)}`);
    log(`round ${number}: ${parts.join('; ')}; load ${round.again.load.toFixed(1)}`);
  }
  return figuresOf(rounds, count);
}

const costText = ({ seconds, nodeMs, databaseMs }: ImportCost) =>
  `${seconds.toFixed(1)} s (Node ${nodeMs} ms, PostgreSQL ${databaseMs} ms)`;

async function runRound(
  bench: ImportBench,
  { report, count, project }: { report: Buffer[]; count: number; project: string },
): Promise<Round> {
  await bench.clear();
  const first = await bench.timed(async () => {
    const { opened } = await bench.send(report, { project, commit: 'aaaaaaa' });
    assert.equal(opened, count);
  });
  const restore = await bench.exportRows();
  await bench.clear();
  const copied = await bench.timed(restore);
  const again = await bench.timed(async () => {
    const { unchanged, ...changes } = await bench.send(report, { project, commit: 'bbbbbbb' });
    assert.equal(unchanged, count);
    assert.equal(changes.opened + changes.fixed + changes.moved, 0);
  });
  const rewritten = await bench.timed(async () => {
    const { unchanged } = await bench.send([...report, Buffer.from('\n')], { project, commit: 'ccccccc' });
    assert.equal(unchanged, count);
  });
  return { first, copied, again, rewritten };
}

/** Ratios are computed within a round, because the speed of the machine varies between rounds. */
function figuresOf(rounds: Round[], count: number): Figure[] {
  const middle = (pick: (round: Round) => number) => median(rounds.map(pick));
  const rate = (name: keyof Round) => middle((round) => count / round[name].seconds);
  const perFinding = (name: keyof Round, what: string): Figure[] => [
    {
      name: `CPU time in Node, ${what}`,
      value: middle((round) => round[name].nodeMs) * (1000 / count),
      unit: 'µs',
    },
    {
      name: `CPU time in PostgreSQL, ${what}`,
      value: middle((round) => round[name].databaseMs) * (1000 / count),
      unit: 'µs',
    },
  ];
  const cost = ({ nodeMs, databaseMs }: ImportCost) => nodeMs + databaseMs;
  return [
    {
      name: `first import of ${count} findings`,
      value: rate('first'),
      unit: '/s',
      baseline: { name: 'COPY of the same rows', value: rate('copied') },
      ratio: middle(({ first, copied }) => copied.seconds / first.seconds),
      target: { atLeast: SHARE_OF_COPY },
    },
    { name: 'first import, wall-clock time', value: rate('first'), unit: '/s', target: { atLeast: MIN_PER_SECOND } },
    {
      name: 'the same report again, wall-clock time',
      value: rate('again'),
      unit: '/s',
      baseline: { name: 'first import', value: rate('first') },
      ratio: middle(({ first, again }) => first.seconds / again.seconds),
      target: { atLeast: 3 },
    },
    {
      name: 'the same results in other bytes, wall-clock time',
      value: rate('rewritten'),
      unit: '/s',
      baseline: { name: 'first import', value: rate('first') },
      ratio: middle(({ first, rewritten }) => first.seconds / rewritten.seconds),
      target: { atLeast: 3 },
    },
    ...perFinding('first', 'first import'),
    ...perFinding('copied', 'COPY'),
    ...perFinding('again', 'same report again'),
    ...perFinding('rewritten', 'same results again'),
    {
      name: 'COPY against first import, CPU time',
      value: middle(({ first, copied }) => cost(copied) / cost(first)),
      unit: '',
    },
    {
      name: 'first import against the same again, CPU time',
      value: middle(({ first, again }) => cost(first) / cost(again)),
      unit: '',
    },
    { name: 'load of the machine', value: middle(({ again }) => again.load), unit: '' },
  ];
}

/** A list request while the server is idle and while a report is imported. */
async function readsDuringImport(bench: ImportBench, { scale, log }: BenchOptions): Promise<Figure[]> {
  const report = sarifChunks(Math.round(FINDINGS * scale));
  const generator = startGenerator();
  const ask = (durationMs: number) => generator.run({ ...bench.listRequest(), connections: 2, durationMs });
  try {
    await bench.clear();
    await ask(IDLE_MS / 5);
    const idle = await ask(IDLE_MS);
    const asking = ask(MAX_MS);
    await bench.send(report, { project: 'acme/meanwhile', commit: 'aaaaaaa' });
    generator.endJob();
    const busy = await asking;
    assert.equal(idle.failures + busy.failures, 0);
    log(`reads: idle p50 ${idle.p50Ms.toFixed(1)} ms, during the import p50 ${busy.p50Ms.toFixed(1)} ms`);
    return [
      {
        name: 'p99 of reads during an import',
        value: busy.p99Ms,
        unit: 'ms',
        baseline: { name: 'idle', value: idle.p99Ms },
        ratio: busy.p99Ms / idle.p99Ms,
        target: { atMost: SLOWER_READS },
      },
    ];
  } finally {
    generator.stop();
  }
}

/** A newly started program imports a large report. */
async function memoryOf({ scale, log }: BenchOptions): Promise<Figure[]> {
  const bytes = LARGE_BYTES * scale;
  const bench = await ImportBench.open();
  try {
    await bench.settleMemory();
    const idle = bench.memoryMb().now;
    const { opened } = await bench.send(sarifStream(bytes), { project: 'acme/large', commit: 'aaaaaaa' });
    const { most } = bench.memoryMb();
    log(`${opened} findings; idle ${idle.toFixed(0)} MB, at most ${most.toFixed(0)} MB`);
    return [
      {
        name: `memory of the server for an import of ${Math.round(bytes / 2 ** 20)} MB, beyond idle`,
        value: most - idle,
        unit: 'MB',
        target: { atMost: GROWTH_MB },
      },
    ];
  } finally {
    await bench.close();
  }
}
