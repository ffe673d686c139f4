import type { AuditFeed, RecordedChange } from '#kernel/audit/audit-feed.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type { LiveEvent } from './rules.ts';
import { eventsForCallers } from './store.ts';

export interface EventSubscriber {
  caller(): Caller;
  read: Call['read'];
  deliver(events: readonly LiveEvent[]): void;
  /** Events could not be loaded: the stream ends, and the client resumes with its last event id. */
  fail(): void;
}

/** The subscribers of one deployment: events are loaded once for all of them. */
class Channel {
  readonly subscribers = new Set<EventSubscriber>();
  readonly #deployment: string;
  #pending = Promise.resolve();

  constructor(deployment: string) {
    this.#deployment = deployment;
  }

  publish(records: readonly RecordedChange[]): void {
    this.#pending = this.#pending
      .then(() => this.#deliver(records))
      .catch(() => {
        for (const subscriber of this.subscribers) subscriber.fail();
      });
  }

  async #deliver(records: readonly RecordedChange[]): Promise<void> {
    const all = [...this.subscribers];
    const [first] = all;
    if (!first) return;
    const callers = all.map((subscriber) => subscriber.caller());
    const eventsFor = await first.read((tx) => eventsForCallers(tx, this.#deployment, { records, callers }));
    for (const [index, subscriber] of all.entries()) {
      const caller = callers[index];
      if (caller) subscriber.deliver(eventsFor(caller));
    }
  }
}

/** Connects all subscribers of a process to its one audit feed. */
class Hub {
  readonly #feed: AuditFeed;
  readonly #channels = new Map<string, { channel: Channel; unfollow: () => void }>();

  constructor(feed: AuditFeed) {
    this.#feed = feed;
  }

  subscribe(deployment: string, after: string, subscriber: EventSubscriber): () => void {
    let entry = this.#channels.get(deployment);
    if (!entry) {
      const channel = new Channel(deployment);
      entry = { channel, unfollow: this.#feed.follow(deployment, after, (records) => channel.publish(records)) };
      this.#channels.set(deployment, entry);
    }
    const { channel, unfollow } = entry;
    channel.subscribers.add(subscriber);
    return () => {
      channel.subscribers.delete(subscriber);
      if (channel.subscribers.size > 0 || this.#channels.get(deployment)?.channel !== channel) return;
      this.#channels.delete(deployment);
      unfollow();
    };
  }
}

const hubs = new WeakMap<AuditFeed, Hub>();

/** The hub of a feed; a process has one. */
export function hubOf(feed: AuditFeed): Hub {
  const hub = hubs.get(feed) ?? new Hub(feed);
  hubs.set(feed, hub);
  return hub;
}
