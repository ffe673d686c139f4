import { hash } from 'node:crypto';

/** A row of a list that has page numbers, and the number of records before its own. */
export interface PageAnchor {
  before: number;
  /** The sort key of the row. */
  key: readonly string[];
}

/** The anchors of one list, in its order, as long as nothing has changed. */
interface AnchoredList {
  /** Changes are counted from here on; earlier than the first anchor, because a transaction commits later. */
  since: Date;
  version: string;
  until: number;
  anchors: PageAnchor[];
}

export interface AnchoredListRequest {
  deployment: string;
  /** Everything that decides what is in the list: the operation, the caller and the filter. */
  list: unknown;
  now: Date;
  /** A text that differs after every change of the list since the moment. */
  versionSince: (since: Date) => Promise<string>;
}

const LIFETIME_MS = 10 * 60_000;
/** Longer than any transaction takes from writing its audit record to its commit. */
const MAX_COMMIT_MS = 10 * 60_000;
const MAX_DEPLOYMENTS = 500;
const MAX_LISTS = 8;
const MAX_ANCHORS = 64;

/**
 * Where pages begin in lists that were read before, so that a page with a high number does not count the records of all
 * earlier ones. The anchors of a list are dropped when it may have changed, so a page has the same records with them as
 * without. Each server has its own.
 */
export class PageAnchors {
  readonly #lists = new Map<string, Map<string, AnchoredList>>();

  async open({ deployment, list, now, versionSince }: AnchoredListRequest): Promise<ListAnchors> {
    const lists = this.#lists.get(deployment) ?? new Map<string, AnchoredList>();
    const key = hash('sha256', JSON.stringify(list), 'base64url');
    const known = lists.get(key);
    const isRecent = known !== undefined && now.getTime() < known.until;
    const since = isRecent ? known.since : new Date(now.getTime() - MAX_COMMIT_MS);
    // Read before the page: a change in between drops the anchors at the next request.
    const version = await versionSince(since);
    const current =
      isRecent && known.version === version
        ? known
        : { since, version, until: now.getTime() + LIFETIME_MS, anchors: [] };
    putLast(lists, key, current, MAX_LISTS);
    putLast(this.#lists, deployment, lists, MAX_DEPLOYMENTS);
    return new ListAnchors(current.anchors);
  }
}

export class ListAnchors {
  readonly #anchors: PageAnchor[];

  constructor(anchors: PageAnchor[] = []) {
    this.#anchors = anchors;
  }

  /** The last anchor that is not after the first record of the page. */
  nearest(offset: number): PageAnchor | undefined {
    return this.#anchors.findLast(({ before }) => before <= offset);
  }

  add(added: readonly PageAnchor[]): void {
    for (const anchor of added) {
      const at = this.#anchors.findLastIndex(({ before }) => before <= anchor.before);
      if (this.#anchors[at]?.before !== anchor.before) this.#anchors.splice(at + 1, 0, anchor);
    }
    if (this.#anchors.length > MAX_ANCHORS) this.#thinOut();
  }

  /** Leaves anchors at even distances, and the last, because the next page begins there. */
  #thinOut(): void {
    const anchors = this.#anchors.splice(0);
    const end = anchors.at(-1)?.before ?? 0;
    let next = 0;
    for (const anchor of anchors) {
      if (anchor.before < next && anchor.before < end) continue;
      this.#anchors.push(anchor);
      next = anchor.before + (2 * end) / MAX_ANCHORS;
    }
  }
}

/** Puts an entry last, and removes the first ones if there are too many. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const first of map.keys()) {
    if (map.size <= limit) return;
    map.delete(first);
  }
}
