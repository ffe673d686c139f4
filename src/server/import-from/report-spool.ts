import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MovedDecision, MovedFinding, MoveSource } from './move-source.ts';

export interface SpooledReport {
  name: string;
  count: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A decision on the finding with this key. */
export interface KeyedDecision {
  key: string;
  decision: MovedDecision;
}

const FLUSH_BYTES = 1 << 20;

/** Lines that are written in large pieces. */
class SpoolFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #pending: string[] = [];
  #size = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<SpoolFile> {
    return new SpoolFile(path, await open(path, 'wx', 0o600));
  }

  async write(text: string): Promise<void> {
    this.#pending.push(text);
    this.#size += text.length;
    if (this.#size >= FLUSH_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#handle.appendFile(this.#pending.join(''));
    this.#pending = [];
    this.#size = 0;
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#handle.close();
  }

  /** Without writing the rest; harmless after `close`. */
  discard(): Promise<void> {
    return this.#handle.close();
  }
}

/**
 * The findings of one project on disk, as the reports to send: a project can have more findings than fit in memory, and
 * a source that makes us wait must not hold an upload open.
 */
export class ReportSpool {
  readonly #folder: string;
  readonly #source: MoveSource;
  readonly #reports = new Map<string, { file: SpoolFile; count: number }>();
  readonly #decisions: SpoolFile;
  decisionCount = 0;

  private constructor(folder: string, source: MoveSource, decisions: SpoolFile) {
    this.#folder = folder;
    this.#source = source;
    this.#decisions = decisions;
  }

  static async create(source: MoveSource): Promise<ReportSpool> {
    const folder = await mkdtemp(join(tmpdir(), 'parapet-import-'));
    return new ReportSpool(folder, source, await SpoolFile.create(join(folder, 'decisions.jsonl')));
  }

  async add({ report, record, key, decision }: MovedFinding): Promise<void> {
    const entry = await this.#reportOf(report);
    await entry.file.write(`${entry.count === 0 ? '' : ',\n'}${JSON.stringify(record)}`);
    entry.count++;
    if (!decision) return;
    this.decisionCount++;
    await this.#decisions.write(`${JSON.stringify({ key, decision } satisfies KeyedDecision)}\n`);
  }

  async #reportOf(name: string) {
    const known = this.#reports.get(name);
    if (known) return known;
    const file = await SpoolFile.create(join(this.#folder, `${this.#reports.size}.json`));
    await file.write(this.#source.frame(name)[0]);
    const entry = { file, count: 0 };
    this.#reports.set(name, entry);
    return entry;
  }

  /** Ends the reports; without findings there is one that is empty, which creates the project. */
  async finish(): Promise<SpooledReport[]> {
    if (this.#reports.size === 0) await this.#reportOf('');
    for (const [name, { file }] of this.#reports) {
      await file.write(this.#source.frame(name)[1]);
      await file.close();
    }
    await this.#decisions.close();
    return [...this.#reports].map(([name, { file, count }]) => ({
      name,
      count,
      read: () => createReadStream(file.path) as AsyncIterable<Uint8Array>,
    }));
  }

  async *decisions(): AsyncIterable<KeyedDecision> {
    for await (const line of createInterface({ input: createReadStream(this.#decisions.path) })) yield JSON.parse(line);
  }

  async remove(): Promise<void> {
    for (const file of [this.#decisions, ...[...this.#reports.values()].map((report) => report.file)])
      await file.discard();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
