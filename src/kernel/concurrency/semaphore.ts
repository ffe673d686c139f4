/** Thrown when the queue of a semaphore is full. */
export class SemaphoreFull extends Error {
  override readonly name = 'SemaphoreFull';
}

export interface SemaphoreLimits {
  maxRunning: number;
  /** The longest queue of one group; without a limit every task is queued. */
  maxWaiting?: number;
}

export interface SemaphoreTask {
  /** Tasks with the same key run one after the other. */
  key?: string;
  /** Groups, such as deployments, share the slots. A group without a running task may use a reserved slot too. */
  group?: string;
  /** Removes the task from the queue; a running task is not affected. */
  signal?: AbortSignal | undefined;
}

/** Slots beyond `maxRunning`, so that a group that uses all of them does not stop the others. */
const RESERVED_SLOTS = 1;

interface Waiter {
  key: string | undefined;
  group: Group;
  start: () => void;
}

/** The tasks of one group; forgotten when it has none. */
class Group {
  readonly name: string;
  running = 0;
  waiting = 0;
  /** Numbered starts: the group that started longest ago is next. */
  lastStart = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Runs at most `maxRunning` tasks at once. Groups take turns: the next task is one of the group with the fewest running
 * tasks, then of the one that waited longest, then the first to arrive.
 */
export class Semaphore {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiters = new Set<Waiter>();
  readonly #runningKeys = new Set<string>();
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #starts = 0;

  constructor({ maxRunning, maxWaiting = Number.POSITIVE_INFINITY }: SemaphoreLimits) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  async run<Result>(task: () => Promise<Result>, { key, group: name, signal }: SemaphoreTask = {}): Promise<Result> {
    signal?.throwIfAborted();
    const group = this.#groupOf(name ?? '');
    if (this.#canStart(key, group)) this.#acquire(key, group);
    else await this.#wait(key, group, signal);
    try {
      return await task();
    } finally {
      this.#release(key, group);
    }
  }

  #groupOf(name: string): Group {
    const group = this.#groups.get(name) ?? new Group(name);
    this.#groups.set(name, group);
    return group;
  }

  #canStart(key: string | undefined, group: Group): boolean {
    const hasReserve = group.name !== '' && group.running === 0;
    const max = this.#maxRunning + (hasReserve ? RESERVED_SLOTS : 0);
    return this.#running < max && (key === undefined || !this.#runningKeys.has(key));
  }

  #acquire(key: string | undefined, group: Group): void {
    this.#running += 1;
    group.running += 1;
    group.lastStart = ++this.#starts;
    if (key !== undefined) this.#runningKeys.add(key);
  }

  /** Resolves when the slot has been acquired on behalf of the waiter. */
  #wait(key: string | undefined, group: Group, signal: AbortSignal | undefined): Promise<void> {
    if (group.waiting >= this.#maxWaiting) throw new SemaphoreFull('Too many tasks are waiting.');
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#remove(waiter);
        this.#forget(group);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const waiter: Waiter = { key, group, start };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiters.add(waiter);
      group.waiting += 1;
    });
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    waiter.group.waiting -= 1;
  }

  #release(key: string | undefined, group: Group): void {
    this.#running -= 1;
    group.running -= 1;
    if (key !== undefined) this.#runningKeys.delete(key);
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#remove(next);
      this.#acquire(next.key, next.group);
      next.start();
    }
    this.#forget(group);
  }

  #next(): Waiter | undefined {
    let best: Waiter | undefined;
    for (const waiter of this.#waiters) {
      if (!this.#canStart(waiter.key, waiter.group)) continue;
      const order = best
        ? waiter.group.running - best.group.running || waiter.group.lastStart - best.group.lastStart
        : -1;
      if (order < 0) best = waiter;
    }
    return best;
  }

  #forget(group: Group): void {
    if (group.running === 0 && group.waiting === 0) this.#groups.delete(group.name);
  }
}
