import { appendFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the durations of the last runs are kept, so that the longest files start first. */
const DURATIONS = fileURLToPath(new URL('../node_modules/.cache/parapet-tests/durations.json', import.meta.url));
/** Without a recorded duration: what starts browsers and programs is slow, what walks all operations is slower. */
const GUESSES: [pattern: RegExp, ms: number][] = [
  [/^test\/browser\/every-route/, 100_000],
  [/^test\/(browser|contract|e2e)\//, 20_000],
  [/\/(demo|findings|embedded)/, 10_000],
];

type Durations = Record<string, number>;

function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8')) as Durations;
  } catch {
    return {};
  }
}

const guessOf = (item: string): number => GUESSES.find(([pattern]) => pattern.test(item))?.[1] ?? 1_000;

/** Test files that several processes share: each takes the next one that no other has taken. */
export class TestQueue {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  static create(items: readonly string[]): TestQueue {
    const durations = readDurations();
    const longestFirst = items.toSorted(
      (one, other) => (durations[other] ?? guessOf(other)) - (durations[one] ?? guessOf(one)),
    );
    const folder = mkdtempSync(join(tmpdir(), 'parapet-test-queue-'));
    writeFileSync(join(folder, 'items.json'), JSON.stringify(longestFirst));
    return new TestQueue(folder);
  }

  /** Takes items until none is left; creating a file of a name succeeds in one process only. */
  *take(): Generator<string> {
    const items = JSON.parse(readFileSync(join(this.folder, 'items.json'), 'utf8')) as string[];
    for (const [index, item] of items.entries()) {
      try {
        openSync(join(this.folder, `taken-${index}`), 'wx');
      } catch {
        continue;
      }
      yield item;
    }
  }

  recordDuration(item: string, ms: number): void {
    appendFileSync(join(this.folder, 'durations'), `${Math.round(ms)} ${item}\n`);
  }

  /** Keeps the durations for the next run and removes the queue. */
  close(): void {
    const durations = readDurations();
    try {
      for (const line of readFileSync(join(this.folder, 'durations'), 'utf8').trim().split('\n')) {
        const [ms, item] = line.split(' ');
        if (item !== undefined) durations[item] = Number(ms);
      }
      mkdirSync(dirname(DURATIONS), { recursive: true });
      writeFileSync(DURATIONS, JSON.stringify(durations, null, 1));
    } catch {
      // Without durations the next run only starts in a worse order.
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
