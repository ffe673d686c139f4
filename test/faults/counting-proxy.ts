import { connect, createServer, type Socket } from 'node:net';

const HEAD_BYTES = 5;
/** Sync, simple query and copy done: each ends a database call. */
const CALL_ENDS = new Set(['S', 'Q', 'c']);

/** Splits the byte stream of one session into protocol messages. */
class Messages {
  #left = 0;
  #head: Buffer = Buffer.alloc(0);
  #isOpened = false;

  /** Calls `each` with the type of each message and its end offset in these bytes. */
  read(bytes: Buffer, each: (type: string, end: number) => void): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#left === 0) {
        const needed = (this.#isOpened ? HEAD_BYTES : HEAD_BYTES - 1) - this.#head.length;
        this.#head = Buffer.concat([this.#head, bytes.subarray(at, at + needed)]);
        at += needed;
        if (at > bytes.length) return;
        const length = this.#head.readInt32BE(this.#isOpened ? 1 : 0);
        this.#left = length - 4;
      }
      const part = Math.min(this.#left, bytes.length - at);
      at += part;
      this.#left -= part;
      if (this.#left > 0) return;
      if (this.#isOpened) each(String.fromCharCode(this.#head[0] ?? 0), at);
      this.#isOpened = true;
      this.#head = Buffer.alloc(0);
    }
  }
}

export interface CountingProxy {
  url: string;
  /** Database calls of imports since the proxy was armed. */
  readonly calls: number;
  /** Forwards this number of calls of an import, then runs an action. Nothing is forwarded after that. */
  arm(calls: number, then: () => void): void;
  close(): void;
}

/** A proxy to the database that counts the calls of imports, which it recognizes by their long transactions. */
export async function startCountingProxy(socketPath: string, user: string): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  let calls = 0;
  let limit = Number.POSITIVE_INFINITY;
  let then: () => void = () => undefined;
  const server = createServer((near) => {
    const far = connect(socketPath);
    const messages = new Messages();
    let isImport = false;
    let isCut = false;
    for (const socket of [near, far]) sockets.add(socket);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    far.pipe(near);
    near.on('data', (bytes: Buffer) => {
      if (isCut) return;
      isImport ||= bytes.includes("statement_timeout = '10min'");
      let end = bytes.length;
      messages.read(bytes, (type, at) => {
        if (!isImport || isCut || !CALL_ENDS.has(type)) return;
        calls += 1;
        if (calls < limit) return;
        isCut = true;
        end = at;
      });
      far.write(bytes.subarray(0, end));
      if (isCut) then();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `postgresql://${user}@127.0.0.1:${address.port}/postgres?sslmode=disable`,
    get calls() {
      return calls;
    },
    arm(most, act) {
      [calls, limit, then] = [0, most, act];
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
