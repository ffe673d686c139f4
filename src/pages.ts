import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FaultKind } from '#kernel/contract/fault.ts';
import { Pages } from '#kernel/http/pages.ts';
import { apiPage } from './api-page.ts';
import { errorsPage } from './errors-page.ts';
import { frame, Html } from './html.ts';
import { addWebApp } from './web-app.ts';

const FOLDER = new URL('../web/pages/', import.meta.url);

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** No inline script or style, and no request that leaves this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const read = (name: string) => readFile(new URL(name, FOLDER), 'utf8');

/** Reads and renders everything that browsers get, once: a page that is missing or broken stops the start. */
export async function loadPages(document: object, errors: readonly FaultKind[]): Promise<Pages> {
  const pages = new Pages();
  const addPage = (path: string, body: string) => pages.add(path, { type: 'text/html', body, policy: POLICY });
  const login = { title: 'Log in', path: '/login', main: new Html(await read('login.html')), scripts: ['login.js'] };
  const main = new Html(await read('invitation.html'));
  const invitation = { title: 'Invitation', path: '/invitation', main, scripts: ['invitation.js'] };
  addPage(invitation.path, frame(invitation));
  addPage(login.path, frame(login));
  addPage('/docs/api', apiPage(document));
  addPage('/docs/errors', errorsPage(errors));
  pages.add('/openapi.json', { type: 'application/json', body: JSON.stringify(document) });
  for (const name of await readdir(FOLDER)) {
    const type = TYPES[extname(name)];
    if (type !== undefined) pages.add(`/assets/${name}`, { type, body: await read(name) });
  }
  await addWebApp(pages);
  return pages;
}
