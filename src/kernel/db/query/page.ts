import { hash, type KeyObject } from 'node:crypto';
import { INVALID_CURSOR } from '#kernel/contract/common-faults.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';

const LIFETIME_MS = 24 * 3600 * 1000;
/** A cursor contains the text of a short filter, and the digest of a longer one. */
const MAX_FILTER_LENGTH = 200;

/** What a cursor is valid for. */
export interface PageScope {
  operation: string;
  deployment: string;
  filter: unknown;
}

export interface PageWindow {
  /** The sort key of the last row of the previous page; null for the first page. */
  after: string[] | null;
  limit: number;
  /** The number of pages to skip, in the offset style of v1; 0 in the cursor style. */
  offset: number;
}

export interface ClosedPage<Item> {
  items: Item[];
  cursor: string;
}

/** One page of a keyset-paginated list: where it starts, and the cursor of the next page. */
export class Page {
  readonly window: PageWindow;
  /** The cursor of the next page, after `close` or `end`; empty on the last page. */
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
    const bound = text.length > MAX_FILTER_LENGTH ? hash('sha256', text, 'base64url') : text;
    return JSON.stringify(['cursor', operation, deployment, bound]);
  }

  #open(cursor: string): string[] {
    const payload = unseal(this.#key, this.#purpose(), cursor);
    if (!payload) throw INVALID_CURSOR();
    const { key, until } = JSON.parse(payload.toString('utf8')) as { key: string[]; until: number };
    if (until < this.#now) throw INVALID_CURSOR();
    return key;
  }

  /** Creates the cursor after the row with this sort key, if more rows follow. */
  end(hasMore: boolean, key: readonly string[]): string {
    const payload = JSON.stringify({ key, until: this.#now + LIFETIME_MS });
    this.next = hasMore ? seal(this.#key, this.#purpose(), payload) : '';
    return this.next;
  }

  /** Takes `limit + 1` rows, and returns the items of the page and the cursor of the next one. */
  close<Item>(rows: Item[], keyOf: (row: Item) => string[]): ClosedPage<Item> {
    const items = rows.slice(0, this.window.limit);
    const last = items.at(-1);
    const hasMore = rows.length > this.window.limit && last !== undefined;
    return { items, cursor: this.end(hasMore, last === undefined ? [] : keyOf(last)) };
  }
}
