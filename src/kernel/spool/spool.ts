import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { StorageFull } from '#kernel/contract/fault.ts';
import type { DiskSpace } from './disk-space.ts';
import type { ProcessFolder } from './process-folder.ts';

const READ_CHUNK_BYTES = 1024 * 1024;
const FASTEST_LEVEL = 1;
const CHECK_BYTES = 16 * 1024 * 1024;

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

export interface SpoolOptions {
  folder: ProcessFolder;
  diskSpace: Pick<DiskSpace, 'requireSpace'>;
  /** Replaced in tests of files that cannot be written. */
  createFile?: (path: string) => Writable;
}

const createPrivateFile = (path: string): Writable => createWriteStream(path, { mode: 0o600 });

const FULL_CODES = ['ENOSPC', 'EDQUOT'];

/** Without space for the folder or the file the sender is told so, as below the minimum. */
const asFailure = (error: unknown): unknown =>
  FULL_CODES.includes(String((error as NodeJS.ErrnoException).code))
    ? new StorageFull('the disk of the spool folder is full', error)
    : error;

/**
 * Stores large bodies on disk while they arrive, so that no database connection waits for a slow sender, and so that
 * an import can be retried after an outage of the database.
 */
export class Spool {
  readonly #folder: ProcessFolder;
  readonly #diskSpace: Pick<DiskSpace, 'requireSpace'>;
  readonly #createFile: (path: string) => Writable;

  constructor({ folder, diskSpace, createFile = createPrivateFile }: SpoolOptions) {
    this.#folder = folder;
    this.#diskSpace = diskSpace;
    this.#createFile = createFile;
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

  /** Refuses the body before its first byte is read, and at intervals, when a disk has too little space. */
  async receive(source: AsyncIterable<Buffer>): Promise<SpooledBody> {
    await this.#diskSpace.requireSpace();
    try {
      await this.open();
      return await this.#store(source);
    } catch (error) {
      throw asFailure(error);
    }
  }

  async #store(source: AsyncIterable<Buffer>): Promise<SpooledBody> {
    const diskSpace = this.#diskSpace;
    const path = join(this.folder, `${randomUUID()}.gz`);
    const hash = createHash('sha256');
    let receivedBytes = 0;
    let isCompressed: boolean | undefined;
    const measured = async function* () {
      for await (const chunk of source) {
        const isChecked =
          Math.floor(receivedBytes / CHECK_BYTES) < Math.floor((receivedBytes + chunk.length) / CHECK_BYTES);
        if (isChecked) await diskSpace.requireSpace();
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
      await pipeline(body, compression, this.#createFile(path));
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
