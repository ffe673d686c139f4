import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const PIECE_BYTES = 1024 * 1024;
const QUICK = 1;

/** A body that was received whole: it waits on disk, compressed, until it is removed. */
export interface SpooledBody {
  /** SHA-256 of the bytes as they were sent. */
  digest: string;
  receivedBytes: number;
  storedBytes: number;
  /** From the start, as often as needed; what a client compressed stays as it was. */
  read(): AsyncIterable<Buffer>;
  remove(): Promise<void>;
}

/**
 * Takes large bodies in at the speed of their senders, so that no connection of the database waits for a slow one,
 * and so that the work can be tried again when the database was gone.
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
    const path = join(this.folder, `${randomUUID()}.gz`);
    const hash = createHash('sha256');
    let receivedBytes = 0;
    let isCompressed: boolean | undefined;
    const noted = async function* () {
      for await (const piece of source) {
        receivedBytes += piece.length;
        hash.update(piece);
        isCompressed ??= piece[0] === 0x1f && piece[1] === 0x8b;
        yield piece;
      }
    };
    const remove = () => rm(path, { force: true });
    try {
      const pieces = noted();
      const first = await pieces.next();
      const whole = Readable.from(first.done ? [] : joined(first.value, pieces));
      const packing = isCompressed === true ? new PassThrough() : createGzip({ level: QUICK });
      await pipeline(whole, packing, createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await remove();
      throw error;
    }
    const { size: storedBytes } = await stat(path);
    const read = () => createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
    return { digest: hash.digest('hex'), receivedBytes, storedBytes, read, remove };
  }

  /** What an earlier run left behind belongs to nobody. */
  async #prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const left = await readdir(this.folder);
    await Promise.all(left.filter((name) => name.endsWith('.gz')).map((name) => rm(join(this.folder, name))));
  }
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
