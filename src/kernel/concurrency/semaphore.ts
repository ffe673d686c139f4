/** Thrown when too many pieces of work wait already. */
export class SemaphoreFull extends Error {
  override readonly name = 'SlotsFull';
}

/** Lets a fixed number of pieces of work run at once; the rest wait in the order they came. */
export class Semaphore {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limits: { runningMax: number; waitingMax: number }) {
    this.#runningMax = limits.runningMax;
    this.#waitingMax = limits.waitingMax;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#running < this.#runningMax) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.size >= this.#waitingMax) throw new SemaphoreFull('Too much work is waiting already.');
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(start);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(start);
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
