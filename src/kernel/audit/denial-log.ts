import type { KeyObject } from 'node:crypto';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Database } from '#kernel/db/database.ts';
import type { Log } from '#kernel/log/log.ts';
import { writeAuditRecord } from './audit-record.ts';

export interface Denial {
  caller: Caller;
  operation: string;
  /** The code of the rule that refused. */
  code: string;
  address: string;
  requestId: string;
  object?: string;
}

export interface DenialLogOptions {
  db: Database;
  key: KeyObject;
  log: Log;
  clock?: () => Date;
  /** Rows that may wait, and principals that are remembered: what a flood can take of our memory. */
  maxWaiting?: number;
}

const WINDOW_MS = 1000;
const FLUSH_MS = 200;
const WAITING_MAX = 5000;
/** One transaction's worth: a flood must not become a long transaction. */
const BATCH = 200;

/** Records refused requests after they were answered: a row per second for each principal and rule, never more. */
export class DenialLog {
  readonly #options: Required<DenialLogOptions>;
  readonly #noted = new Map<string, number>();
  #waiting: Denial[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(options: DenialLogOptions) {
    this.#options = { clock: () => new Date(), maxWaiting: WAITING_MAX, ...options };
  }

  /** Returns at once and never throws. */
  add(denial: Denial): void {
    const { maxWaiting } = this.#options;
    if (!this.#isFirstInWindow(denial)) return;
    if (this.#waiting.length >= maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(denial);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Resolves when everything noted so far is written, or could not be. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  #isFirstInWindow({ caller, operation, code, address }: Denial): boolean {
    const nowMs = this.#options.clock().getTime();
    const principal = caller.credential === '' ? address : caller.credential;
    const key = JSON.stringify([caller.deployment, principal, operation, code]);
    const notedMs = this.#noted.get(key);
    if (notedMs !== undefined && nowMs - notedMs < WINDOW_MS && nowMs >= notedMs) return false;
    this.#forget(nowMs);
    this.#noted.delete(key);
    this.#noted.set(key, nowMs);
    return true;
  }

  /** The map is in order of time, so what is over stands at its beginning. */
  #forget(nowMs: number): void {
    for (const [key, notedMs] of this.#noted) {
      const isOver = nowMs - notedMs >= WINDOW_MS || this.#noted.size >= this.#options.maxWaiting;
      if (!isOver) return;
      this.#noted.delete(key);
    }
  }

  async #write(): Promise<void> {
    const { log } = this.#options;
    const denials = this.#waiting;
    this.#waiting = [];
    for (const [deployment, group] of Map.groupBy(denials, ({ caller }) => caller.deployment))
      for (let start = 0; start < group.length; start += BATCH)
        await this.#insert(deployment, group.slice(start, start + BATCH)).catch(() => {
          this.#dropped += Math.min(BATCH, group.length - start);
        });
    if (this.#dropped > 0) log.error({ count: this.#dropped }, 'Refused requests are missing in the audit trail.');
    this.#dropped = 0;
  }

  async #insert(deployment: string, denials: readonly Denial[]): Promise<void> {
    const { db, key } = this.#options;
    const scope = deployment === '' ? ({ role: 'auth' } as const) : ({ role: 'app', deployment } as const);
    await db.transaction({ ...scope, isRead: false }, (tx) =>
      Promise.all(
        denials.map(({ code, object = '', ...facts }) => writeAuditRecord(tx, key, { ...facts, object, result: code })),
      ),
    );
  }
}
