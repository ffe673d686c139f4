import { Readable } from 'node:stream';

export interface LiveLimits {
  /** Streams of the whole process, and of one caller. */
  maxStreams: number;
  maxStreamsPerReader: number;
  /** No stream is older than this; who wants to hear more comes again. */
  lifetimeMs: number;
  /** After so long a silence a sign of life is sent, so that nobody between takes the connection for dead. */
  keepAliveMs: number;
  /** How often it is asked whether the caller still may. */
  recheckMs: number;
  /** A reader for whom more than this waits is dropped. */
  maxBufferBytes: number;
  /** What is ended and not read to its end is cut after this. */
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
  /** Who reads: a person over all sessions, or a token. */
  reader: string;
  keepAliveText: string;
  isStillAllowed(): Promise<boolean>;
}

/** An answer that goes on while something happens: the body of a raw reply. */
export class LiveStream extends Readable {
  readonly #limits: LiveLimits;
  readonly #timers: NodeJS.Timeout[];
  #isOver = false;

  constructor(limits: LiveLimits, { keepAliveText, isStillAllowed }: LiveStreamOptions) {
    super({ highWaterMark: limits.maxBufferBytes, read: () => undefined });
    this.#limits = limits;
    const recheck = () =>
      void isStillAllowed().then(
        (isAllowed) => isAllowed || this.end(),
        // Who cannot be asked for is not believed either; a reader that may comes again.
        () => this.end(),
      );
    this.#timers = [
      setInterval(() => this.send(keepAliveText), limits.keepAliveMs),
      setInterval(recheck, limits.recheckMs),
      setTimeout(() => this.end(), limits.lifetimeMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Sends a text as soon as the reader takes it; a reader that does not is dropped. */
  send(text: string): void {
    if (this.#isOver || this.destroyed) return;
    const bytes = Buffer.from(text);
    if (this.readableLength + bytes.length > this.#limits.maxBufferBytes) this.destroy();
    else this.push(bytes);
  }

  /** Lets the reader have what was said, and closes. */
  end(): void {
    if (this.#isOver || this.destroyed) return;
    this.#isOver = true;
    this.push(null);
    this.#timers.push(setTimeout(() => this.destroy(), this.#limits.lingerMs).unref());
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    for (const timer of this.#timers) clearTimeout(timer);
    callback(error);
  }
}

/** All answers of this process that have no end of their own: how many there may be, and when they end. */
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

  /** Opens one, or says whose limit is reached. */
  open(wish: LiveStreamOptions): LiveStream | 'caller' | 'process' {
    const own = [...this.#open.values()].filter((reader) => reader === wish.reader);
    if (own.length >= this.#limits.maxStreamsPerReader) return 'caller';
    if (this.#isClosed || this.#open.size >= this.#limits.maxStreams) return 'process';
    const stream = new LiveStream(this.#limits, wish);
    this.#open.set(stream, wish.reader);
    stream.once('close', () => this.#open.delete(stream));
    return stream;
  }

  /** Ends all of them and opens no more: the server is about to stop. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open.keys()) stream.end();
  }
}
