import { Readable } from 'node:stream';

export interface LiveLimits {
  /** Of the whole process. */
  maxStreams: number;
  maxStreamsPerReader: number;
  /** A stream ends after this time; the client reconnects. */
  lifetimeMs: number;
  /** How often a keep-alive text is sent, so that no proxy closes an idle connection. */
  keepAliveMs: number;
  /** How often the permissions of all readers are checked again: twice as often as a revocation may take effect. */
  recheckMs: number;
  /** A stream ends when its reader could not be checked for so long, for example while the database is down. */
  maxUncheckedMs: number;
  /** A reader that falls further behind is disconnected. */
  maxBufferBytes: number;
  /** After its end a stream that is not read completely is closed after this time. */
  lingerMs: number;
}

export const DEFAULT_LIVE_LIMITS: LiveLimits = {
  maxStreams: 1000,
  maxStreamsPerReader: 10,
  lifetimeMs: 3_600_000,
  keepAliveMs: 15_000,
  recheckMs: 500,
  maxUncheckedMs: 10_000,
  maxBufferBytes: 1024 * 1024,
  lingerMs: 2_000,
};

export interface LiveStreamOptions {
  /** Identifies the reader: a user over all sessions, or a token. */
  reader: string;
  keepAliveText: string;
  isStillAllowed(): Promise<boolean>;
}

/** A response without an end of its own, such as an event stream: the body of a raw reply. */
export class LiveStream extends Readable {
  readonly #limits: LiveLimits;
  readonly #timers: NodeJS.Timeout[];
  readonly #isStillAllowed: () => Promise<boolean>;
  #checkedAtMs = performance.now();
  #isEnded = false;

  constructor(limits: LiveLimits, { keepAliveText, isStillAllowed }: LiveStreamOptions) {
    super({ highWaterMark: limits.maxBufferBytes, read: () => undefined });
    this.#limits = limits;
    this.#isStillAllowed = isStillAllowed;
    this.#timers = [
      setInterval(() => this.send(keepAliveText), limits.keepAliveMs),
      setTimeout(() => this.end(), limits.lifetimeMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Ends the stream if its reader may no longer read it. */
  async recheck(): Promise<void> {
    const startedAtMs = performance.now();
    try {
      if (await this.#isStillAllowed()) this.#checkedAtMs = startedAtMs;
      else this.end();
    } catch {
      // An authorized reader reconnects.
      if (startedAtMs - this.#checkedAtMs > this.#limits.maxUncheckedMs) this.end();
    }
  }

  /** Queues a text for the reader; a reader that falls too far behind is disconnected. */
  send(text: string): void {
    if (this.#isEnded || this.destroyed) return;
    const bytes = Buffer.from(text);
    if (this.readableLength + bytes.length > this.#limits.maxBufferBytes) this.destroy();
    else this.push(bytes);
  }

  /** Ends the stream after the reader has received what is queued. */
  end(): void {
    if (this.#isEnded || this.destroyed) return;
    this.#isEnded = true;
    this.push(null);
    this.#timers.push(setTimeout(() => this.destroy(), this.#limits.lingerMs).unref());
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    for (const timer of this.#timers) clearTimeout(timer);
    callback(error);
  }
}

/** All live streams of this process: limits their number, and ends them when the server stops. */
export class LiveStreams {
  readonly #limits: LiveLimits;
  readonly #open = new Map<LiveStream, string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(limits: Partial<LiveLimits> = {}) {
    this.#limits = { ...DEFAULT_LIVE_LIMITS, ...limits };
  }

  get count(): number {
    return this.#open.size;
  }

  /** Opens a stream, or returns whose limit is reached. */
  open(options: LiveStreamOptions): LiveStream | 'caller' | 'process' {
    const own = [...this.#open.values()].filter((reader) => reader === options.reader);
    if (own.length >= this.#limits.maxStreamsPerReader) return 'caller';
    if (this.#isClosed || this.#open.size >= this.#limits.maxStreams) return 'process';
    const stream = new LiveStream(this.#limits, options);
    this.#open.set(stream, options.reader);
    stream.once('close', () => this.#open.delete(stream));
    this.#scheduleRecheck();
    return stream;
  }

  /** All readers are checked at the same time, so that their checks share statements. */
  #scheduleRecheck(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#open.size === 0) return;
    const recheck = async () => {
      await Promise.all([...this.#open.keys()].map((stream) => stream.recheck()));
      this.#timer = undefined;
      this.#scheduleRecheck();
    };
    this.#timer = setTimeout(() => void recheck(), this.#limits.recheckMs).unref();
  }

  /** Ends all streams and opens no more, because the server is about to stop. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stream of this.#open.keys()) stream.end();
  }
}
