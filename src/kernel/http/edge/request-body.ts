import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_TOO_LARGE, MALFORMED_REQUEST, REQUEST_TIMEOUT } from '#kernel/contract/common-faults.ts';
import type { Fault } from '#kernel/contract/fault.ts';

/** How long the server waits for a client. */
export interface BodyTimeouts {
  /** For a whole body that is read at once. */
  bodyMs: number;
  /** An upload may take long, but in each window of waiting at least this many bytes must arrive. */
  uploadWindowMs: number;
  minUploadBytesPerWindow: number;
  /** For a client to read the response while it still sends a body that is not read. */
  lingerMs: number;
  /** For a client to read any part of a response that waits for it. */
  responseMs: number;
}

export const DEFAULT_BODY_TIMEOUTS: BodyTimeouts = {
  bodyMs: 30_000,
  uploadWindowMs: 30_000,
  minUploadBytesPerWindow: 64 * 1024,
  lingerMs: 2_000,
  responseMs: 60_000,
};

const MAX_UNREAD_BYTES = 64 * 1024;
const TIMED_OUT: unique symbol = Symbol('timed out');
const EMPTY = Buffer.alloc(0);

const tooLarge = (limit: number) => BODY_TOO_LARGE({ limit });
const endedEarly = () => MALFORMED_REQUEST({ reason: 'the body ended early' });

/** The body of one request: read whole or as a stream, within limits of size and time. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #timeouts: BodyTimeouts;
  #isTimedOut = false;

  constructor(request: IncomingMessage, response: ServerResponse, timeouts: BodyTimeouts) {
    this.#request = request;
    this.#response = response;
    this.#timeouts = timeouts;
  }

  async read(limitBytes: number): Promise<Uint8Array> {
    this.#checkAnnouncedLength(limitBytes);
    const request = this.#request;
    if (request.destroyed) throw endedEarly();
    // Most bodies have arrived completely by the time they are read.
    if (request.complete && request.readableLength <= limitBytes) return (request.read() as Buffer | null) ?? EMPTY;
    this.#sendContinue();
    const chunks: Uint8Array[] = [];
    let size = 0;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#timeOut()), this.#timeouts.bodyMs);
      let isSettled = false;
      // Only the first outcome counts: `close` follows each of the others.
      const settle = (finish: () => void) => () => {
        if (isSettled) return;
        isSettled = true;
        clearTimeout(timer);
        finish();
      };
      request.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
        if (size <= limitBytes) chunks.push(chunk);
        else settle(() => reject(tooLarge(limitBytes)))();
      });
      request.once(
        'end',
        settle(() => resolve(Buffer.concat(chunks))),
      );
      for (const event of ['error', 'close'])
        request.once(
          event,
          settle(() => reject(endedEarly())),
        );
    });
  }

  /** The body as it arrives; one whose announced length is too large is refused at once. */
  stream(limitBytes: number): AsyncIterable<Buffer> {
    this.#checkAnnouncedLength(limitBytes);
    return this.#chunks(limitBytes);
  }

  async *#chunks(limitBytes: number): AsyncGenerator<Buffer> {
    const { uploadWindowMs, minUploadBytesPerWindow } = this.#timeouts;
    this.#sendContinue();
    // Ending the iteration must not close the connection, because the response is still to be sent.
    const chunks = this.#request.iterator({ destroyOnReturn: false });
    let [size, recentBytes, waitedMs] = [0, 0, 0];
    for (;;) {
      const start = performance.now();
      const chunk = await nextOf(chunks, uploadWindowMs - waitedMs);
      if (chunk === TIMED_OUT) throw this.#timeOut();
      if (chunk === undefined) return;
      // Only the time that the server waits for the client counts.
      waitedMs += performance.now() - start;
      recentBytes += chunk.length;
      if (recentBytes >= minUploadBytesPerWindow) [recentBytes, waitedMs] = [0, 0];
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      yield chunk;
    }
  }

  /** True when the end of the body is not waited for: too much of it is unread, or it was too slow. */
  get closesConnection(): boolean {
    return !this.#request.complete && (this.#isTimedOut || this.#announcedBytes > MAX_UNREAD_BYTES);
  }

  /**
   * Ends the response. A client that is still sending receives it at once and gets some time to read it: closing the
   * connection with unread data could discard the response.
   */
  end(text: string): void {
    const [request, response] = [this.#request, this.#response];
    this.release();
    if (!this.closesConnection) return void response.end(text);
    response.flushHeaders();
    response.write(text);
    request.once('close', () => response.end()).resume();
  }

  /** Discards the rest of the body, which must end soon. */
  release(): void {
    const request = this.#request;
    if (request.complete || this.#announcedBytes === 0) return;
    const { bodyMs, lingerMs } = this.#timeouts;
    const timer = setTimeout(() => request.socket.destroy(), this.closesConnection ? lingerMs : bodyMs).unref();
    request.once('close', () => clearTimeout(timer));
  }

  #timeOut(): Fault {
    this.#isTimedOut = true;
    return REQUEST_TIMEOUT();
  }

  get #announcedBytes(): number {
    const { headers } = this.#request;
    return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  }

  #checkAnnouncedLength(limitBytes: number): void {
    const announced = this.#request.headers['content-length'];
    if (announced !== undefined && Number(announced) > limitBytes) throw tooLarge(limitBytes);
  }

  #sendContinue(): void {
    if (this.#request.headers.expect?.toLowerCase() === '100-continue') this.#response.writeContinue();
  }
}

async function nextOf(
  chunks: NodeJS.AsyncIterator<Buffer>,
  leftMs: number,
): Promise<Buffer | typeof TIMED_OUT | undefined> {
  const next = chunks.next();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(() => resolve(TIMED_OUT), Math.max(0, leftMs));
  });
  const result = await Promise.race([next, timeout])
    .catch(() => {
      throw endedEarly();
    })
    .finally(() => clearTimeout(timer));
  if (result !== TIMED_OUT) return result.done ? undefined : result.value;
  next.catch(() => undefined);
  return TIMED_OUT;
}
