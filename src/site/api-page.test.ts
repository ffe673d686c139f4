import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { rooms } from '#app';
import { version } from '#kernel/config/version.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';
import { shapes } from '../shapes.ts';
import { apiPage } from './api-page.ts';

type Described = { operationId: string; summary: string; responses: Record<string, unknown> };

const document = openapiOf({ rooms, shapes, version });
const operations = Object.entries(document['paths'] as Record<string, Record<string, Described>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, described]) => ({ path, method, described })),
);

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** The visible text of a part of the page. */
const textOf = (markup: string) =>
  markup.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? '');

const sectionOf = (page: string, operationId: string) => {
  const start = page.indexOf(`<details class="operation" id="${operationId}"`);
  const end = page.indexOf('<details class="operation"', start + 1);
  return page.slice(start, end === -1 ? undefined : end);
};

/** The document with every text changed, including member names of schemas. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTexts(item, change)]));
}

/** A document of one operation with this text in every position. */
function documentWith(text: string, example: unknown = text): object {
  const schema = {
    type: 'object',
    description: text,
    properties: { [text]: { type: 'string', description: text, enum: [text], format: text } },
  };
  const described = {
    operationId: text,
    tags: [text],
    summary: text,
    description: text,
    'x-maturity': text,
    'x-permission': text,
    'x-codes': [text],
    security: [{ [text]: [] }],
    parameters: [{ name: text, in: 'query', description: text, schema: { type: 'string' }, example: text }],
    requestBody: { content: { 'application/json': { schema, example } } },
    responses: {
      200: {
        description: text,
        headers: { [text]: { description: text } },
        content: { 'application/json': { schema } },
      },
      400: { description: text },
      409: { description: text },
    },
  };
  return {
    info: { title: text, version: text, summary: text },
    tags: [{ name: text, description: text }],
    paths: { '/thing': { post: described } },
    components: {
      securitySchemes: { [text]: { description: text } },
      'x-codes': { [text]: { status: 409, sentence: text } },
    },
  };
}

test('every operation of the document is on the page, with its method, path, summary and statuses', () => {
  const page = apiPage(document);
  assert.ok(operations.length > 0);
  for (const { path, method, described } of operations) {
    const section = sectionOf(page, described.operationId);
    const text = textOf(section);
    assert.ok(page.includes(`href="#${described.operationId}"`), `${described.operationId} is in the contents`);
    for (const part of [method.toUpperCase(), path, described.summary, 'curl', ...Object.keys(described.responses)])
      assert.ok(text.includes(part), `${described.operationId} shows ${part}`);
  }
});

test('an operation takes at most 16 KiB of the page, so that all of them fit in one', () => {
  const bytesPerOperation = Buffer.byteLength(apiPage(document)) / operations.length;
  assert.ok(bytesPerOperation < 16 * 1024, `${bytesPerOperation} bytes for one operation`);
});

test('WEB-01 markup in the texts of a document stays text', () => {
  const hostile = `</code><script>alert(1)</script><img src=x onerror="alert(1)">`;
  const page = apiPage(withTexts(document, (text) => (text.includes(' ') ? `${text} ${hostile}` : text)) as object);
  assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
  assert.ok(!page.includes('<script>'));
  assert.ok(!page.includes('<img src=x'));
});

test('WEB-01 no text changes the markup around it, in any position', () => {
  const plain = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' });
  const sharp = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...`<>&"'= a/-!x;#`) });
  // These characters are markup in prose, and two line breaks start a paragraph.
  const word = fc.oneof(plain, sharp).map((text) => `x${text.replace(/[`{}\n]/g, ' ')}x`);
  const skeletonOf = (text: string) => apiPage(documentWith(text)).replace(/[^<>"']/g, '');
  const expected = skeletonOf('xx');
  fc.assert(fc.property(word, (text) => skeletonOf(text) === expected));
});

test('the curl sample sends the body of the example, whatever it contains', () => {
  const example = { name: `it's "$HOME" \`id\` \\ <b>`, list: ['a', "'"], long: 'x'.repeat(80) };
  const page = apiPage(documentWith('word', example));
  const [, sample = ''] =
    /<h4>Request<\/h4>\s*<pre data-copy class="wraps"><code>(.*?)<\/code><\/pre>/s.exec(page) ?? [];
  // The last argument is the body; a shell function replaces curl.
  const script = `curl() { for last; do :; done; printf %s "$last"; }\n${textOf(sample)}`;
  const { stdout, status } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), example);
});

test('recursive and nested schemas are shown, and end', () => {
  const tree = { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: {} } } };
  tree.properties.children.items = { $ref: '#/components/schemas/Tree' };
  const described = {
    operationId: 'GetTree',
    security: [],
    responses: {
      200: {
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Tree' },
                { properties: { root: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
              ],
            },
          },
        },
      },
    },
  };
  const text = textOf(
    apiPage({
      info: { title: 'Trees', version: '1' },
      paths: { '/tree': { get: described } },
      components: { schemas: { Tree: tree } },
    }),
  );
  assert.match(text, /children\s*list of object/);
  assert.match(text, /root\s*string or null/);
});
