import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { StaticPages } from '#kernel/http/edge/static-pages.ts';

const DIST = new URL('../../web/dist/', import.meta.url);

const TYPES: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

/** Addresses that the application reads by itself; what is not among them is not found, as before. */
const ADDRESSES = /^\/(?:$|setup$|sign-in$|i\/[^/]+$|o\/[^/]+(?:\/.*)?$)/;

/** Scripts are files of this server; style elements carry the secret of the answer; nothing goes elsewhere. */
const policyFor = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Parapet</title>
<link rel="stylesheet" href="/assets/style.css"></head>
<body><main id="main"><h1>The web pages are not built</h1>
<p>The API works. Start with <code>npm start</code>, which builds them, or run <code>npm run web</code>.</p>
<p><a href="/docs/api">API</a></p></main></body></html>
`;

/** Whether `npm run web` has come to its end, where it leaves a stamp: programs that use only the API work without. */
export const isWebAppBuilt = (): boolean => existsSync(new URL('.complete-build-of', DIST));

const read = (name: string) => readFile(new URL(name, DIST));

/** Serves the application as it was built; it is read once, so a start has one version of it. */
export async function addWebApp(pages: StaticPages): Promise<void> {
  const isBuilt = isWebAppBuilt();
  const index = isBuilt ? (await read('index.html')).toString('utf8') : NOT_BUILT;
  pages.addApp({
    isAt: (pathname) => ADDRESSES.test(pathname),
    render: (nonce) => ({ body: index.replaceAll('%NONCE%', nonce), policy: policyFor(nonce) }),
  });
  if (!isBuilt) return;
  for (const name of await readdir(new URL('ui/', DIST))) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const [plain, gzip] = [await read(`ui/${name}`), await read(`ui/${name}.gz`)];
    pages.addFile(`/ui/${name}`, { type, plain, gzip });
  }
}
