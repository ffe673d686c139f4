import type { AuditFeed, RecordedChange } from '#kernel/audit/audit-feed.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type { LiveEvent } from './rules.ts';
import { eventsForCallers } from './store.ts';

export interface EventSubscriber {
  caller(): Caller;
  read: Call['read'];
  deliver(events: readonly LiveEvent[]): void;
  /** Something cannot be told: who comes again asks for it. */
  fail(): void;
}

/** Those who listen to one deployment: what was done is looked up once for all of them. */
class Channel {
  readonly listeners = new Set<EventSubscriber>();
  readonly #deployment: string;
  #telling = Promise.resolve();

  constructor(deployment: string) {
    this.#deployment = deployment;
  }

  hear(records: readonly RecordedChange[]): void {
    this.#telling = this.#telling
      .then(() => this.#tell(records))
      .catch(() => {
        for (const listener of this.listeners) listener.fail();
      });
  }

  async #tell(records: readonly RecordedChange[]): Promise<void> {
    const all = [...this.listeners];
    const [first] = all;
    if (!first) return;
    const audience = all.map((listener) => listener.caller());
    const eventsFor = await first.read((tx) => eventsForCallers(tx, this.#deployment, { records, audience }));
    for (const [index, listener] of all.entries()) {
      const caller = audience[index];
      if (caller) listener.deliver(eventsFor(caller));
    }
  }
}

/** Joins all listeners of a process to its one feed. */
class Hub {
  readonly #feed: AuditFeed;
  readonly #channels = new Map<string, { channel: Channel; unfollow: () => void }>();

  constructor(feed: AuditFeed) {
    this.#feed = feed;
  }

  join(deployment: string, after: string, listener: EventSubscriber): () => void {
    let joined = this.#channels.get(deployment);
    if (!joined) {
      const channel = new Channel(deployment);
      joined = { channel, unfollow: this.#feed.follow(deployment, after, (records) => channel.hear(records)) };
      this.#channels.set(deployment, joined);
    }
    const { channel, unfollow } = joined;
    channel.listeners.add(listener);
    return () => {
      channel.listeners.delete(listener);
      if (channel.listeners.size > 0 || this.#channels.get(deployment)?.channel !== channel) return;
      this.#channels.delete(deployment);
      unfollow();
    };
  }
}

const hubs = new WeakMap<AuditFeed, Hub>();

/** The hub of a process: there is one for its feed. */
export function hubOf(feed: AuditFeed): Hub {
  const hub = hubs.get(feed) ?? new Hub(feed);
  hubs.set(feed, hub);
  return hub;
}
