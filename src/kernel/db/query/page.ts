import { hash, type KeyObject } from 'node:crypto';
import { INVALID_CURSOR } from '#kernel/contract/common-faults.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';

const LIFETIME_MS = 24 * 3600 * 1000;
/** A cursor is bound to a filter by its text, and to a longer one by its digest. */
const LONG_FILTER = 200;

/** What a cursor is bound to: used anywhere else it is refused. */
export interface PageScope {
  operation: string;
  deployment: string;
  filter: unknown;
}

export interface PageWindow {
  /** The sort key of the last row of the page before, or null at the start. */
  after: string[] | null;
  limit: number;
  /** How many pages to pass over, in the offset style of v1; 0 in the cursor style. */
  offset: number;
}

export interface ClosedPage<Item> {
  items: Item[];
  cursor: string;
}

/** One page of a list in keyset order: where it starts, and the cursor of the next one. */
export class Page {
  readonly window: PageWindow;
  /** The cursor of the next page once the page is closed; empty at the end. */
  next = '';
  readonly #key: KeyObject;
  readonly #scope: PageScope;
  readonly #now: number;

  constructor(options: {
    scope: PageScope;
    key: KeyObject;
    cursor: string;
    limit: number;
    offset: number;
    now: number;
  }) {
    const { scope, key, cursor, limit, offset, now } = options;
    this.#key = key;
    this.#now = now;
    this.#scope = scope;
    this.window = { after: cursor === '' ? null : this.#open(cursor), limit, offset };
  }

  #purpose(): string {
    const { operation, deployment, filter } = this.#scope;
    const text = JSON.stringify(filter);
    const bound = text.length > LONG_FILTER ? hash('sha256', text, 'base64url') : text;
    return JSON.stringify(['cursor', operation, deployment, bound]);
  }

  #open(cursor: string): string[] {
    const payload = unseal(this.#key, this.#purpose(), cursor);
    if (!payload) throw INVALID_CURSOR();
    const { key, until } = JSON.parse(payload.toString('utf8')) as { key: string[]; until: number };
    if (until < this.#now) throw INVALID_CURSOR();
    return key;
  }

  /** Makes the cursor after the row with this sort key, when the store says that more rows follow. */
  end(hasMore: boolean, key: readonly string[]): string {
    const payload = JSON.stringify({ key, until: this.#now + LIFETIME_MS });
    this.next = hasMore ? seal(this.#key, this.#purpose(), payload) : '';
    return this.next;
  }

  /** Takes `limit + 1` rows from the store and gives the page and the cursor of the next one. */
  close<Item>(rows: Item[], keyOf: (row: Item) => string[]): ClosedPage<Item> {
    const items = rows.slice(0, this.window.limit);
    const last = items.at(-1);
    const hasMore = rows.length > this.window.limit && last !== undefined;
    return { items, cursor: this.end(hasMore, last === undefined ? [] : keyOf(last)) };
  }
}
