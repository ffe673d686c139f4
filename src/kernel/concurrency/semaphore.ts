/** Thrown when the queue of a semaphore is full. */
export class SemaphoreFull extends Error {
  override readonly name = 'SemaphoreFull';
}

export interface SemaphoreLimits {
  maxRunning: number;
  /** Without a limit every task is queued. */
  maxWaiting?: number;
}

export interface SemaphoreTask {
  /** Tasks with the same key run one after the other. */
  key?: string;
  /** Removes the task from the queue; a running task is not affected. */
  signal?: AbortSignal;
}

interface Waiter {
  key: string | undefined;
  start: () => void;
}

/** Runs at most `maxRunning` tasks at once; the others wait in the order of their arrival. */
export class Semaphore {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiters = new Set<Waiter>();
  readonly #runningKeys = new Set<string>();
  #running = 0;

  constructor({ maxRunning, maxWaiting = Number.POSITIVE_INFINITY }: SemaphoreLimits) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  async run<Result>(task: () => Promise<Result>, { key, signal }: SemaphoreTask = {}): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#canStart(key)) this.#acquire(key);
    else await this.#wait(key, signal);
    try {
      return await task();
    } finally {
      this.#release(key);
    }
  }

  #canStart(key: string | undefined): boolean {
    return this.#running < this.#maxRunning && (key === undefined || !this.#runningKeys.has(key));
  }

  #acquire(key: string | undefined): void {
    this.#running += 1;
    if (key !== undefined) this.#runningKeys.add(key);
  }

  /** Resolves when the slot has been acquired on behalf of the waiter. */
  #wait(key: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiters.size >= this.#maxWaiting) throw new SemaphoreFull('Too many tasks are waiting.');
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#waiters.delete(waiter);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const waiter: Waiter = { key, start };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiters.add(waiter);
    });
  }

  #release(key: string | undefined): void {
    this.#running -= 1;
    if (key !== undefined) this.#runningKeys.delete(key);
    for (const waiter of this.#waiters) {
      if (this.#running >= this.#maxRunning) return;
      if (!this.#canStart(waiter.key)) continue;
      this.#waiters.delete(waiter);
      this.#acquire(waiter.key);
      waiter.start();
    }
  }
}
