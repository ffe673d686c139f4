import type { Feed, Recorded } from '#kernel/audit/feed.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Call } from '#kernel/http/group.ts';
import type { LiveEvent } from './rules.ts';
import { tell } from './store.ts';

export interface Listener {
  caller(): Caller;
  consult: Call['consult'];
  hear(events: readonly LiveEvent[]): void;
  /** Something cannot be told: who comes again asks for it. */
  fail(): void;
}

/** Those who listen to one deployment: what was done is looked up once for all of them. */
class Channel {
  readonly listeners = new Set<Listener>();
  readonly #deployment: string;
  #telling = Promise.resolve();

  constructor(deployment: string) {
    this.#deployment = deployment;
  }

  hear(records: readonly Recorded[]): void {
    this.#telling = this.#telling
      .then(() => this.#tell(records))
      .catch(() => {
        for (const listener of this.listeners) listener.fail();
      });
  }

  async #tell(records: readonly Recorded[]): Promise<void> {
    const all = [...this.listeners];
    const [first] = all;
    if (!first) return;
    const audience = all.map((listener) => listener.caller());
    const eventsFor = await first.consult((tx) => tell(tx, this.#deployment, { records, audience }));
    for (const [index, listener] of all.entries()) {
      const caller = audience[index];
      if (caller) listener.hear(eventsFor(caller));
    }
  }
}

/** Joins all listeners of a process to its one feed. */
class Hub {
  readonly #feed: Feed;
  readonly #channels = new Map<string, { channel: Channel; unfollow: () => void }>();

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  join(deployment: string, after: string, listener: Listener): () => void {
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

const hubs = new WeakMap<Feed, Hub>();

/** The hub of a process: there is one for its feed. */
export function hubOf(feed: Feed): Hub {
  const hub = hubs.get(feed) ?? new Hub(feed);
  hubs.set(feed, hub);
  return hub;
}
