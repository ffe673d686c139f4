import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { rooms } from '#app';
import { version } from '#kernel/config/version.ts';
import type { IncomingRequest } from '#kernel/http/message.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';
import { allFaults } from '#kernel/http/pipeline/fault-catalogue.ts';
import { shapes } from '../shapes.ts';
import { loadPages } from './load-pages.ts';
import { isWebAppBuilt } from './web-app.ts';

const document = openapiOf({ rooms, shapes, version });
const faults = allFaults(rooms.flatMap(({ group }) => group.operations));
const pages = await loadPages({ openapi: () => document, faults: () => faults });

const request = (pathname: string, ifNoneMatch?: string): IncomingRequest => ({
  method: 'GET',
  pathname,
  rawQuery: '',
  header: (name) => (name === 'if-none-match' ? ifNoneMatch : undefined),
  authorizations: [],
  address: '127.0.0.1',
  requestId: 'test',
  disconnected: new AbortController().signal,
  streamBody: async function* () {},
  readBody: () => Promise.resolve(new Uint8Array()),
});

function read(pathname: string): { body: string; headers: Record<string, string> } {
  const page = pages.find(request(pathname));
  assert.ok(page, `${pathname} is served`);
  const { body, headers } = page;
  return { body: typeof body === 'string' ? body : '', headers };
}

const HTML = ['/invitation', '/login', '/reset-password', '/docs/api', '/docs/errors'];
const APP = ['/', '/setup', '/sign-in', '/i/ISS-12', '/o/acme', '/o/acme/findings', '/o/acme/findings/12'];

/** All URLs that a page or its modules load or link to. */
function* referencesOf(path: string): Generator<string> {
  const { body } = read(path);
  for (const [, target] of body.matchAll(/(?:href|src)="([^"]*)"/g)) yield target ?? '';
  for (const [, name] of body.matchAll(/from '\.\/([\w.-]+)'/g)) yield `/assets/${name}`;
}

test('WEB-01 pages forbid inline scripts, inline styles and external requests, and contain none', () => {
  for (const path of HTML) {
    const { body, headers } = read(path);
    const policy = headers['content-security-policy'] ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.doesNotMatch(body, /<style|<script(?![^>]* src="\/assets\/)|<[^>]* style=|<[^>]* on\w+="/i, path);
  }
});

test('WEB-01 the application gets a new nonce with each response, and loads only our own script files', () => {
  const seen = new Set<string>();
  for (const path of APP) {
    const { body, headers } = read(path);
    const policy = headers['content-security-policy'] ?? '';
    const nonce = /style-src 'self' 'nonce-([^']+)';/.exec(policy)?.[1] ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.doesNotMatch(body, /<style|<script(?![^>]* src="\/(?:assets|ui)\/)|<[^>]* style=|<[^>]* on\w+="/i, path);
    assert.ok(!body.includes('%NONCE%'));
    assert.ok(!isWebAppBuilt() || body.includes(`nonce="${nonce}"`));
    seen.add(nonce);
    for (const [, target = ''] of body.matchAll(/(?:href|src)="([^"]*)"/g)) read(target);
  }
  assert.equal(seen.size, APP.length);
});

test('built files are compressed for clients that accept it, and are immutable', {
  skip: !isWebAppBuilt(),
}, () => {
  const { body } = read('/');
  const [, script = ''] = /src="(\/ui\/[^"]+\.js)"/.exec(body) ?? [];
  const plain = pages.find(request(script));
  const packed = pages.find({
    ...request(script),
    header: (name) => (name === 'accept-encoding' ? 'br, gzip' : undefined),
  });
  assert.equal(plain?.headers['content-encoding'], undefined);
  assert.equal(packed?.headers['content-encoding'], 'gzip');
  assert.ok(Number(packed?.headers['content-length']) < Number(plain?.headers['content-length']));
  assert.match(packed?.headers['cache-control'] ?? '', /immutable/);
});

test('all references of a page exist, on this server', () => {
  const seen = new Set(HTML);
  for (const path of seen)
    for (const reference of referencesOf(path)) {
      assert.match(reference, /^[/#](?!\/)/, `${path} refers to ${reference}`);
      const [target = ''] = reference.split('#');
      if (target !== '' && read(target).headers['content-type']?.match(/html|javascript/)) seen.add(target);
    }
  assert.ok(seen.has('/assets/dom.js'));
});

test('each fault has a row on the page of errors', () => {
  const { body } = read('/docs/errors');
  for (const { code } of faults) assert.ok(body.includes(`<tr id="${code}"`), code);
});

test('openapi.json is the document that the page is rendered from', () => {
  const { body, headers } = read('/openapi.json');
  assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(document)));
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
});

test('the description is served as YAML for each version of the API', () => {
  const paths = (address: string) => {
    const { body, headers } = read(address);
    assert.equal(headers['content-type'], 'application/yaml; charset=utf-8');
    const described = parse(body) as { openapi: string; paths: Record<string, unknown> };
    assert.equal(described.openapi, '3.1.0');
    return Object.keys(described.paths);
  };
  const [old, current] = [paths('/api/v1/public_v1.openapi.yaml'), paths('/api/v2/openapi.yaml')];
  assert.ok(old.every((path) => path.startsWith('/api/v1/')) && old.length > 20);
  assert.deepEqual([...old, ...current].sort(), Object.keys((document as { paths: object }).paths).sort());
});

test('API pages are rendered once, on first use or in the background', async () => {
  let written = 0;
  const openapi = () => {
    written++;
    return document;
  };
  const later = await loadPages({ openapi, faults: () => faults });
  assert.ok(later.find(request('/login')));
  assert.equal(written, 0);
  assert.deepEqual(later.find(request('/openapi.json')), pages.find(request('/openapi.json')));
  await later.renderAll();
  assert.deepEqual(later.find(request('/docs/api')), pages.find(request('/docs/api')));
  assert.equal(written, 1);
});

test('a browser with a current copy of a page gets a 304', () => {
  const { etag = '' } = read('/docs/api').headers;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`])
    assert.equal(pages.find(request('/docs/api', known))?.status, 304, known);
  assert.equal(pages.find(request('/docs/api', '"other"'))?.status, 200);
});

test('only pages are served, and only for GET and HEAD', () => {
  for (const path of [
    '/assets/',
    '/assets/login.html',
    '/assets/../pages.ts',
    '/ui/',
    '/setup/',
    '/docs',
    '/o',
    '/orgs/',
    '/manage',
  ])
    assert.equal(pages.find(request(path)), undefined, path);
  assert.equal(pages.find({ ...request('/'), method: 'POST' }), undefined);
});
