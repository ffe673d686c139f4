import { createHash } from 'node:crypto';
import type { Incoming } from './pipeline.ts';
import type { TextOutgoing } from './problem.ts';

/** Files for browsers, held in memory: they are few and small. */
export class Pages {
  readonly #pages = new Map<string, TextOutgoing>();

  add(path: string, page: { type: string; body: string; policy?: string }): void {
    const headers: Record<string, string> = {
      'content-type': `${page.type}; charset=utf-8`,
      'content-security-policy': page.policy ?? "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-cache',
      etag: `"${createHash('sha256').update(page.body).digest('base64url')}"`,
    };
    this.#pages.set(path, { status: 200, headers, body: page.body });
  }

  find(incoming: Incoming): TextOutgoing | undefined {
    const { method, pathname } = incoming;
    const page = method === 'GET' || method === 'HEAD' ? this.#pages.get(pathname) : undefined;
    // There may be several tags, and a proxy that compresses makes them weak.
    const isKnown = page !== undefined && incoming.header('if-none-match')?.includes(page.headers['etag'] ?? '');
    // The body stays, because it gives the length; Node sends none with a 304.
    return isKnown ? { ...page, status: 304 } : page;
  }
}
