import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ProcessFolder } from './process-folder.ts';

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
  readonly #folder: ProcessFolder;

  constructor(folder: ProcessFolder) {
    this.#folder = folder;
  }

  /** The folder of this process. */
  get folder(): string {
    return this.#folder.path;
  }

  /** Removes what servers have left behind that no longer live. */
  open(): Promise<void> {
    return this.#folder.open();
  }

  close(): Promise<void> {
    return this.#folder.close();
  }

  async receive(source: AsyncIterable<Buffer>): Promise<SpooledBody> {
    await this.open();
    const path = join(this.folder, `${randomUUID()}.gz`);
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
}

async function* concat(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
