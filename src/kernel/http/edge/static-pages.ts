import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingRequest, OutgoingResponse, TextResponse } from '../message.ts';

const STRICT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** A file whose name changes with its content, plain and compressed. */
export interface StaticFile {
  type: string;
  plain: Buffer;
  gzip: Buffer;
}

/** The page of the single-page application, rendered for each request. */
export interface AppPage {
  isAt: (pathname: string) => boolean;
  /** Renders the page with the nonce that its style elements carry. */
  render: (nonce: string) => { body: string; policy: string };
}

export interface PageContent {
  type: string;
  /** Text, or a function that renders it on first use. */
  body: string | (() => string);
  policy?: string;
}

/** The pages and files for browsers, held in memory because they are few and small. */
export class StaticPages {
  readonly #pages = new Map<string, () => TextResponse>();
  readonly #files = new Map<string, StaticFile>();
  #app: AppPage | undefined;

  add(path: string, { type, body, policy = STRICT_POLICY }: PageContent): void {
    let rendered: TextResponse | undefined;
    this.#pages.set(path, () => {
      rendered ??= textOf(typeof body === 'string' ? body : body(), { type, policy });
      return rendered;
    });
  }

  /** Renders the pages that have not been requested yet, so that the first request does not wait. */
  async renderAll(): Promise<void> {
    for (const render of this.#pages.values()) {
      await nextTurn();
      render();
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
    // The header may have several tags, and a compressing proxy makes them weak.
    const isCurrent = page !== undefined && header('if-none-match')?.includes(page.headers['etag'] ?? '');
    // The body is kept for its length; Node sends none with a 304.
    return isCurrent ? { ...page, status: 304 } : page;
  }

  #fileFor({ pathname, header }: IncomingRequest): OutgoingResponse | undefined {
    const file = this.#files.get(pathname);
    if (!file) return undefined;
    const isCompressed = /\bgzip\b/.test(header('accept-encoding') ?? '');
    const content = isCompressed ? file.gzip : file.plain;
    const headers = {
      'content-type': `${file.type}; charset=utf-8`,
      'content-security-policy': STRICT_POLICY,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(content.length),
      vary: 'accept-encoding',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    };
    return { status: 200, headers, body: once(content) };
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

async function* once(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
