import type { KeyObject } from 'node:crypto';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Database } from '#kernel/db/database.ts';
import type { Log } from '#kernel/log/log.ts';
import { writeAuditRecord } from './audit-record.ts';

export interface Denial {
  caller: Caller;
  operation: string;
  /** The code of the fault. */
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
  /** Limits the waiting rows and the remembered principals, so that a flood cannot exhaust memory. */
  maxWaiting?: number;
}

const WINDOW_MS = 1000;
const FLUSH_MS = 200;
const MAX_WAITING = 5000;
/** Rows per transaction, so that a flood does not become a long transaction. */
const BATCH_SIZE = 200;

/** Records denied requests after they were answered: at most one row per second for each principal and fault. */
export class DenialLog {
  readonly #options: Required<DenialLogOptions>;
  readonly #recordedAtMs = new Map<string, number>();
  #waiting: Denial[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(options: DenialLogOptions) {
    this.#options = { clock: () => new Date(), maxWaiting: MAX_WAITING, ...options };
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

  /** Resolves when all denials added so far are written, or failed to be. */
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
    const recordedMs = this.#recordedAtMs.get(key);
    if (recordedMs !== undefined && nowMs - recordedMs < WINDOW_MS && nowMs >= recordedMs) return false;
    this.#removeExpired(nowMs);
    this.#recordedAtMs.delete(key);
    this.#recordedAtMs.set(key, nowMs);
    return true;
  }

  /** The map is ordered by time, so expired entries come first. */
  #removeExpired(nowMs: number): void {
    for (const [key, recordedMs] of this.#recordedAtMs) {
      const isExpired = nowMs - recordedMs >= WINDOW_MS || this.#recordedAtMs.size >= this.#options.maxWaiting;
      if (!isExpired) return;
      this.#recordedAtMs.delete(key);
    }
  }

  async #write(): Promise<void> {
    const { log } = this.#options;
    const denials = this.#waiting;
    this.#waiting = [];
    for (const [deployment, group] of Map.groupBy(denials, ({ caller }) => caller.deployment))
      for (let start = 0; start < group.length; start += BATCH_SIZE)
        await this.#insert(deployment, group.slice(start, start + BATCH_SIZE)).catch(() => {
          this.#dropped += Math.min(BATCH_SIZE, group.length - start);
        });
    if (this.#dropped > 0) log.error({ count: this.#dropped }, 'Denied requests are missing in the audit trail.');
    this.#dropped = 0;
  }

  async #insert(deployment: string, denials: readonly Denial[]): Promise<void> {
    const { db, key } = this.#options;
    const scope = deployment === '' ? ({ role: 'auth' } as const) : ({ role: 'app', deployment } as const);
    await db.transaction({ ...scope, isRead: false }, (tx) =>
      Promise.all(
        denials.map(({ code, object = '', ...entry }) => writeAuditRecord(tx, key, { ...entry, object, result: code })),
      ),
    );
  }
}
