import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_TOO_LARGE, MALFORMED_REQUEST, REQUEST_TIMEOUT } from '#kernel/contract/common-faults.ts';

/** How long the edge waits for what a client sends. */
export interface BodyTimeouts {
  /** For the whole of a body that is read at once. */
  bodyMs: number;
  /** An upload may take long, but so much waiting for it must bring at least this many bytes. */
  uploadWindowMs: number;
  minUploadBytesPerWindow: number;
  /** For a client to read the answer, when it still sends what nobody wants. */
  lingerMs: number;
}

export const DEFAULT_BODY_TIMEOUTS: BodyTimeouts = {
  bodyMs: 30_000,
  uploadWindowMs: 30_000,
  minUploadBytesPerWindow: 64 * 1024,
  lingerMs: 2_000,
};

const LARGEST_UNREAD_BYTES = 64 * 1024;
const LATE = Symbol('late');
const NOTHING = Buffer.alloc(0);

const tooLarge = (limit: number) => BODY_TOO_LARGE({ limit });
const endedEarly = () => MALFORMED_REQUEST({ reason: 'the body ended early' });

/** The body of one request: read whole or as it arrives, never more of it or for longer than allowed. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #patience: BodyTimeouts;

  constructor(request: IncomingMessage, response: ServerResponse, patience: BodyTimeouts) {
    this.#request = request;
    this.#response = response;
    this.#patience = patience;
  }

  async read(limitBytes: number): Promise<Uint8Array> {
    this.#refuseAnnounced(limitBytes);
    const request = this.#request;
    if (request.destroyed) throw endedEarly();
    // Most bodies are here by the time that somebody wants them.
    if (request.complete && request.readableLength <= limitBytes) return (request.read() as Buffer | null) ?? NOTHING;
    this.#askFor();
    const chunks: Uint8Array[] = [];
    let size = 0;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(REQUEST_TIMEOUT()), this.#patience.bodyMs);
      let isOver = false;
      // What comes after the end, whichever it was, is dropped by whoever answers; a close comes after each.
      const end = (finish: () => void) => () => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        finish();
      };
      request.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
        if (size <= limitBytes) chunks.push(chunk);
        else end(() => reject(tooLarge(limitBytes)))();
      });
      request.once(
        'end',
        end(() => resolve(Buffer.concat(chunks))),
      );
      for (const event of ['error', 'close'])
        request.once(
          event,
          end(() => reject(endedEarly())),
        );
    });
  }

  /** The body as it arrives; what is announced as too large is refused at once. */
  stream(limitBytes: number): AsyncIterable<Buffer> {
    this.#refuseAnnounced(limitBytes);
    return this.#arriving(limitBytes);
  }

  async *#arriving(limitBytes: number): AsyncGenerator<Buffer> {
    const { uploadWindowMs, minUploadBytesPerWindow } = this.#patience;
    this.#askFor();
    // Ending the iteration must not end the connection, on which the answer is still to be sent.
    const chunks = this.#request.iterator({ destroyOnReturn: false });
    let [size, recentBytes, waitedMs] = [0, 0, 0];
    for (;;) {
      const start = performance.now();
      const chunk = await nextOf(chunks, uploadWindowMs - waitedMs);
      if (chunk === undefined) return;
      // Only the time that we wait for the client counts, not the time that it waits for us.
      waitedMs += performance.now() - start;
      recentBytes += chunk.length;
      if (recentBytes >= minUploadBytesPerWindow) [recentBytes, waitedMs] = [0, 0];
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      yield chunk;
    }
  }

  /** True when so much of the body was not read that its end is not waited for. */
  get hasLargeRemainder(): boolean {
    return !this.#request.complete && this.#announcedBytes > LARGEST_UNREAD_BYTES;
  }

  /**
   * Ends the answer. A client that still sends gets it whole at once, and then has some time to read it: a connection
   * that is closed on what it sends may take the answer away with it.
   */
  end(text: string): void {
    const [request, response] = [this.#request, this.#response];
    this.release();
    if (!this.hasLargeRemainder) return void response.end(text);
    response.flushHeaders();
    response.write(text);
    request.once('close', () => response.end()).resume();
  }

  /** From now on nobody wants the rest of the body, and it must end soon. */
  release(): void {
    const request = this.#request;
    if (request.complete || this.#announcedBytes === 0) return;
    const { bodyMs, lingerMs } = this.#patience;
    const timer = setTimeout(() => request.socket.destroy(), this.hasLargeRemainder ? lingerMs : bodyMs).unref();
    request.once('close', () => clearTimeout(timer));
  }

  get #announcedBytes(): number {
    const { headers } = this.#request;
    return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  }

  #refuseAnnounced(limitBytes: number): void {
    const announced = this.#request.headers['content-length'];
    if (announced !== undefined && Number(announced) > limitBytes) throw tooLarge(limitBytes);
  }

  #askFor(): void {
    if (this.#request.headers.expect?.toLowerCase() === '100-continue') this.#response.writeContinue();
  }
}

async function nextOf(chunks: NodeJS.AsyncIterator<Buffer>, leftMs: number): Promise<Buffer | undefined> {
  const arriving = chunks.next();
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), Math.max(0, leftMs));
  });
  const found = await Promise.race([arriving, lateness])
    .catch(() => {
      throw endedEarly();
    })
    .finally(() => clearTimeout(timer));
  if (found === LATE) {
    arriving.catch(() => undefined);
    throw REQUEST_TIMEOUT();
  }
  return found.done ? undefined : found.value;
}
