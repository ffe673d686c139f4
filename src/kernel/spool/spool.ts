import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const READ_CHUNK_BYTES = 1024 * 1024;
const FASTEST_LEVEL = 1;

/** A completely received body: stored on disk, compressed, until it is removed. */
export interface SpooledBody {
  /** SHA-256 of the bytes as they were sent. */
  digest: string;
  receivedBytes: number;
  storedBytes: number;
  /** Reads from the start, as often as needed; a body that the client compressed is stored as it was sent. */
  read(): AsyncIterable<Buffer>;
  remove(): Promise<void>;
}

/**
 * Stores large bodies on disk while they arrive, so that no database connection waits for a slow sender, and so that
 * an import can be retried after an outage of the database.
 */
export class Spool {
  readonly folder: string;
  #isReady: Promise<void> | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  async receive(source: AsyncIterable<Buffer>): Promise<SpooledBody> {
    this.#isReady ??= this.#prepare();
    await this.#isReady;
    const path = join(this.folder, `${hostname()}-${process.pid}-${randomUUID()}.gz`);
    const hash = createHash('sha256');
    let receivedBytes = 0;
    let isCompressed: boolean | undefined;
    const measured = async function* () {
      for await (const chunk of source) {
        receivedBytes += chunk.length;
        hash.update(chunk);
        isCompressed ??= chunk[0] === 0x1f && chunk[1] === 0x8b;
        yield chunk;
      }
    };
    const remove = () => rm(path, { force: true });
    try {
      const chunks = measured();
      const first = await chunks.next();
      const body = Readable.from(first.done ? [] : concat(first.value, chunks));
      const compression = isCompressed === true ? new PassThrough() : createGzip({ level: FASTEST_LEVEL });
      await pipeline(body, compression, createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await remove();
      throw error;
    }
    const { size: storedBytes } = await stat(path);
    const read = () => createReadStream(path, { highWaterMark: READ_CHUNK_BYTES }) as AsyncIterable<Buffer>;
    return { digest: hash.digest('hex'), receivedBytes, storedBytes, read, remove };
  }

  /** Removes what ended processes left behind; other servers may use the same folder. */
  async #prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      if (await isLeftBehind(path, name)) await rm(path, { force: true });
    }
  }
}

/** The machine and the process that received a body. */
const NAME = /^(?<host>.+)-(?<pid>\d+)-[\da-f-]{36}\.gz$/;
/** Far longer than an import takes. */
const MAX_AGE_MS = 24 * 3_600_000;

async function isLeftBehind(path: string, name: string): Promise<boolean> {
  const { host, pid } = NAME.exec(name)?.groups ?? {};
  if (host === undefined) return false;
  const modifiedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
  const isOld = modifiedAt < Date.now() - MAX_AGE_MS;
  if (host !== hostname()) return isOld;
  // A container often has the same pid after a restart.
  const isOfEarlierProcess = Number(pid) === process.pid && modifiedAt < Date.now() - process.uptime() * 1000;
  return isOld || isOfEarlierProcess || !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function* concat(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
