import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

export interface ProcessFolderTimes {
  heartbeatMs: number;
  /** A folder without a heartbeat for this long is abandoned: its process no longer lives. */
  abandonedMs: number;
}

const DEFAULT_TIMES: ProcessFolderTimes = { heartbeatMs: 10_000, abandonedMs: 120_000 };
const HEARTBEAT = 'heartbeat';

/**
 * A folder that belongs to this process, below one that several servers can share. Its heartbeat, the time of a file,
 * tells the others that it is in use; each server removes the folders that are abandoned. Process ids would mean
 * nothing on another host or in another container.
 */
export class ProcessFolder {
  readonly path: string;
  readonly #parent: string;
  readonly #times: ProcessFolderTimes;
  #isOpen: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #renewed = Promise.resolve();
  #isClosed = false;

  constructor(parent: string, times: ProcessFolderTimes = DEFAULT_TIMES) {
    this.#parent = parent;
    this.path = join(parent, randomUUID());
    this.#times = times;
  }

  /** Creates the folder and removes abandoned ones, now and from time to time. */
  open(): Promise<void> {
    this.#isOpen ??= this.#start().catch((error: unknown) => {
      // A full disk may have space again at the next call.
      this.#isOpen = undefined;
      throw error;
    });
    return this.#isOpen;
  }

  async #start(): Promise<void> {
    await this.#renew();
    this.#timer = setInterval(() => {
      // A heartbeat that fails is written again at the next turn, long before the folder counts as abandoned.
      this.#renewed = this.#renewed.then(() => this.#renew()).catch(() => undefined);
    }, this.#times.heartbeatMs).unref();
  }

  async #renew(): Promise<void> {
    if (this.#isClosed) return;
    await this.#beat();
    await this.#sweep();
  }

  /** Overwrites the file, so that its time comes from the clock of the file system, and no space is needed. */
  async #beat(): Promise<void> {
    const file = join(this.path, HEARTBEAT);
    const text = `${hostname()} ${process.pid}\n`;
    try {
      await using handle = await open(file, 'r+');
      await handle.write(text, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(this.path, { recursive: true, mode: 0o700 });
      await writeFile(file, text, { mode: 0o600 });
    }
  }

  async #sweep(): Promise<void> {
    const now = await heartbeatOf(this.path);
    for (const name of await readdir(this.#parent)) {
      const folder = join(this.#parent, name);
      const seenAt = folder === this.path ? now : await heartbeatOf(folder);
      // Another server may remove it at the same time.
      if (now - seenAt > this.#times.abandonedMs)
        await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** Removes the folder. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#isOpen?.catch(() => undefined);
    clearInterval(this.#timer);
    await this.#renewed;
    await rm(this.path, { recursive: true, force: true });
  }
}

/** A new folder has no heartbeat for a moment; what another server has just removed counts as in use. */
async function heartbeatOf(folder: string): Promise<number> {
  for (const path of [join(folder, HEARTBEAT), folder]) {
    const found = await stat(path).catch(() => undefined);
    if (found) return found.mtimeMs;
  }
  return Infinity;
}
