import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { StaticPages } from '#kernel/http/edge/static-pages.ts';

const DIST = new URL('../../web/dist/', import.meta.url);

const TYPES: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

/** The paths that the application handles; others are not found. */
const APP_PATHS = /^\/(?:$|setup$|sign-in$|sso\/\d+$|i\/[^/]+$|(?:o|orgs|manage)\/[^/]+(?:\/.*)?$)/;

/** Scripts come from this server, style elements carry the nonce, and no request goes elsewhere. */
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

/** True when the web application is built, which leaves a stamp file; clients of the API do not need it. */
export const isWebAppBuilt = (): boolean => existsSync(new URL('.complete-build-of', DIST));

const read = (name: string) => readFile(new URL(name, DIST));

/** Adds the built application; it is read once, so that a server has one version of it. */
export async function addWebApp(pages: StaticPages): Promise<void> {
  const isBuilt = isWebAppBuilt();
  const index = isBuilt ? (await read('index.html')).toString('utf8') : NOT_BUILT;
  pages.addApp({
    isAt: (pathname) => APP_PATHS.test(pathname),
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
