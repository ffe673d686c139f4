import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { stringify } from 'yaml';
import type { FaultKind } from '#kernel/contract/fault.ts';
import { type PageContent, StaticPages } from '#kernel/http/edge/static-pages.ts';
import { apiPage } from './api-page.ts';
import { errorsPage } from './errors-page.ts';
import { Html, renderFrame } from './html.ts';
import { addWebApp } from './web-app.ts';

const FOLDER = new URL('../../web/pages/', import.meta.url);

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

/** Where existing clients look for the description of each version of the API, and the paths that it has. */
const YAML_DESCRIPTIONS: readonly [address: string, isIncluded: (path: string) => boolean][] = [
  ['/api/v1/public_v1.openapi.yaml', (path) => path.startsWith('/api/v1/')],
  ['/api/v2/openapi.yaml', (path) => !path.startsWith('/api/v1/')],
];

function describeAsYaml(document: object, isIncluded: (path: string) => boolean): string {
  const { paths = {}, ...rest } = document as { paths?: object };
  const included = Object.entries(paths).filter(([path]) => isIncluded(path));
  return stringify({ ...rest, paths: Object.fromEntries(included) }, { aliasDuplicateObjects: false });
}

/** Pages with a form, which work without the application. */
const FORMS = [
  ['invitation', 'Invitation'],
  ['login', 'Log in'],
  ['reset-password', 'New password'],
] as const;

/** The documents that the API pages are rendered from, on first use. */
export interface ApiDocuments {
  openapi: () => object;
  faults: () => readonly FaultKind[];
}

/**
 * Reads all files for browsers; a missing file stops the start. The API pages are rendered later, because that takes a
 * quarter of the start time.
 */
export async function loadPages({ openapi, faults }: ApiDocuments): Promise<StaticPages> {
  const pages = new StaticPages();
  let cached: object | undefined;
  const document = () => {
    cached ??= openapi();
    return cached;
  };
  const addPage = (path: string, body: PageContent['body']) =>
    pages.add(path, { type: 'text/html', body, policy: POLICY });
  for (const [name, title] of FORMS) {
    const main = new Html(await read(`${name}.html`));
    addPage(`/${name}`, renderFrame({ title, path: `/${name}`, main, scripts: [`${name}.js`] }));
  }
  addPage('/docs/api', () => apiPage(document()));
  addPage('/docs/errors', () => errorsPage(faults()));
  pages.add('/openapi.json', { type: 'application/json', body: () => JSON.stringify(document()) });
  for (const [path, isIncluded] of YAML_DESCRIPTIONS)
    pages.add(path, { type: 'application/yaml', body: () => describeAsYaml(document(), isIncluded) });
  for (const name of await readdir(FOLDER)) {
    const type = TYPES[extname(name)];
    if (type !== undefined) pages.add(`/assets/${name}`, { type, body: await read(name) });
  }
  await addWebApp(pages);
  return pages;
}
