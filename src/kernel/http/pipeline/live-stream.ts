import { Readable } from 'node:stream';

export interface LiveLimits {
  /** Of the whole process. */
  maxStreams: number;
  maxStreamsPerReader: number;
  /** A stream ends after this time; the client reconnects. */
  lifetimeMs: number;
  /** How often a keep-alive text is sent, so that no proxy closes an idle connection. */
  keepAliveMs: number;
  /** How often the permission of the reader is checked again. */
  recheckMs: number;
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
  recheckMs: 60_000,
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
  #isEnded = false;

  constructor(limits: LiveLimits, { keepAliveText, isStillAllowed }: LiveStreamOptions) {
    super({ highWaterMark: limits.maxBufferBytes, read: () => undefined });
    this.#limits = limits;
    const recheck = () =>
      void isStillAllowed().then(
        (isAllowed) => isAllowed || this.end(),
        // When the check fails the stream ends as well; an authorized reader reconnects.
        () => this.end(),
      );
    this.#timers = [
      setInterval(() => this.send(keepAliveText), limits.keepAliveMs),
      setInterval(recheck, limits.recheckMs),
      setTimeout(() => this.end(), limits.lifetimeMs),
    ];
    for (const timer of this.#timers) timer.unref();
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
    return stream;
  }

  /** Ends all streams and opens no more, because the server is about to stop. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open.keys()) stream.end();
  }
}
