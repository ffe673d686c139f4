import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingRequest, OutgoingResponse, TextResponse } from '../message.ts';

const LOCKED = "default-src 'none'; frame-ancestors 'none'";

/** A file whose name changes with its content, as it is and as most browsers take it. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  gzip: Buffer;
}

/** The page of an application that reads its own address: it is written anew for each request. */
export interface AppPage {
  isAt: (pathname: string) => boolean;
  /** The page for a secret that this one answer's own style elements carry. */
  render: (nonce: string) => { body: string; policy: string };
}

export interface PageContent {
  type: string;
  /** Text, or what writes it when it is wanted for the first time. */
  body: string | (() => string);
  policy?: string;
}

/** Files for browsers, held in memory: they are few and small. */
export class StaticPages {
  readonly #pages = new Map<string, () => TextResponse>();
  readonly #files = new Map<string, StaticFile>();
  #app: AppPage | undefined;

  add(path: string, { type, body, policy = LOCKED }: PageContent): void {
    let written: TextResponse | undefined;
    this.#pages.set(path, () => {
      written ??= textOf(typeof body === 'string' ? body : body(), { type, policy });
      return written;
    });
  }

  /** Writes what was not wanted yet, page by page, so that whoever wants it first does not wait for it. */
  async renderAll(): Promise<void> {
    for (const write of this.#pages.values()) {
      await nextTurn();
      write();
    }
  }

  addFile(path: string, file: StaticFile): void {
    this.#files.set(path, file);
  }

  addApp(app: AppPage): void {
    this.#app = app;
  }

  find(incoming: IncomingRequest): OutgoingResponse | undefined {
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return undefined;
    return this.#pageFor(incoming) ?? this.#fileFor(incoming) ?? this.#appFor(incoming);
  }

  #pageFor({ pathname, header }: IncomingRequest): TextResponse | undefined {
    const page = this.#pages.get(pathname)?.();
    // There may be several tags, and a proxy that compresses makes them weak.
    const isKnown = page !== undefined && header('if-none-match')?.includes(page.headers['etag'] ?? '');
    // The body stays, because it gives the length; Node sends none with a 304.
    return isKnown ? { ...page, status: 304 } : page;
  }

  #fileFor({ pathname, header }: IncomingRequest): OutgoingResponse | undefined {
    const file = this.#files.get(pathname);
    if (!file) return undefined;
    const isPacked = /\bgzip\b/.test(header('accept-encoding') ?? '');
    const content = isPacked ? file.gzip : file.plain;
    const headers = {
      'content-type': `${file.type}; charset=utf-8`,
      'content-security-policy': LOCKED,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(content.length),
      vary: 'accept-encoding',
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    };
    return { status: 200, headers, body: only(content) };
  }

  #appFor({ pathname }: IncomingRequest): TextResponse | undefined {
    if (!this.#app?.isAt(pathname)) return undefined;
    const { body, policy } = this.#app.render(randomBytes(18).toString('base64'));
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
      body,
    };
  }
}

function textOf(body: string, { type, policy }: { type: string; policy: string }): TextResponse {
  const headers: Record<string, string> = {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  };
  return { status: 200, headers, body };
}

async function* only(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
