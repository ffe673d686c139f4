import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { type FieldShape, operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import * as proto from '#kernel/contract/proto-fields.ts';
import { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { AuthorizedRequest, Transactions } from './authorized-request.ts';
import type { BoundOperation } from './group.ts';
import { openPage } from './open-page.ts';
import { parseBody, parseQueryOf } from './parse-input.ts';

const keys = new KeyRing(createSecretKey(randomBytes(32)));
let now = new Date('2026-01-01T00:00:00Z');
const transactions = { services: { keys }, clock: () => now } as unknown as Transactions;

/** The page of a request to a list with these members. */
function page(parts: {
  name?: string;
  deployment?: string;
  query?: FieldShape;
  body?: FieldShape;
  rawQuery?: string;
  json?: object;
}) {
  const declared = operation({
    route: 'POST /list',
    summary: 'A list',
    maturity: 'stable',
    allow: 'thing:read',
    path: {},
    ...(parts.query ? { query: parts.query } : {}),
    ...(parts.body ? { body: parts.body } : {}),
    reply: { cursor: z.string() },
  });
  const bound = { group: 'Things', name: parts.name ?? 'list', operation: declared } as unknown as BoundOperation;
  const request = {
    bound,
    caller: { ...anonymousCaller, deployment: parts.deployment ?? '1' },
    path: {},
    query: parseQueryOf(declared, parts.rawQuery ?? '', { isStrict: false }),
    body: parseBody(declared, Buffer.from(JSON.stringify(parts.json ?? {})), { path: {}, params: {}, isStrict: false }),
  } as unknown as AuthorizedRequest;
  return openPage(transactions, request);
}

const cursorStyle = { limit: proto.limit(), cursor: proto.cursor(), filter: z.string().optional() };
const next = () => page({ body: cursorStyle, json: { filter: 'a' } }).end(true, ['Zebra', '12']);

describe('the cursor style', () => {
  test('starts at the beginning with 100 items, and continues after the last key', () => {
    assert.deepEqual(page({ body: cursorStyle }).window, { after: null, limit: 100, offset: 0 });
    const opened = page({ body: cursorStyle, json: { filter: 'a', limit: 7, cursor: next() } });
    assert.deepEqual(opened.window, { after: ['Zebra', '12'], limit: 7, offset: 0 });
  });

  test('a cursor is valid only for its operation, deployment and filter, for a day (INP-06)', () => {
    const cursor = next();
    const json = { filter: 'a', cursor };
    for (const other of [
      { name: 'other', json },
      { deployment: '2', json },
      { json: { cursor } },
      { json: { ...json, filter: 'b' } },
    ])
      assert.throws(() => page({ body: cursorStyle, ...other }), /does not belong/);
    now = new Date(now.getTime() + 25 * 3_600_000);
    assert.throws(() => page({ body: cursorStyle, json }), /does not belong/);
  });

  test('a cursor is bound to all of a long filter, as to a short one', () => {
    const filter = 'a'.repeat(100_000);
    const cursor = page({ body: cursorStyle, json: { filter } }).end(true, ['Zebra', '12']);
    const { window } = page({ body: cursorStyle, json: { filter, cursor } });
    assert.deepEqual(window.after, ['Zebra', '12']);
    for (const other of [`${filter}a`, `${filter.slice(1)}b`, 'a'])
      assert.throws(() => page({ body: cursorStyle, json: { filter: other, cursor } }), /does not belong/);
  });

  test('the last page has an empty cursor', () => {
    const { items, cursor } = page({ body: cursorStyle }).close(['a', 'b'], (item) => [item]);
    assert.deepEqual([items, cursor], [['a', 'b'], '']);
  });
});

test('the offset style of v1 counts pages from 0', () => {
  const query = { page: plain.page(), page_size: plain.pageSize({ fallback: 100, min: 100, max: 3000 }) };
  assert.deepEqual(page({ query }).window, { after: null, limit: 100, offset: 0 });
  assert.deepEqual(page({ query, rawQuery: 'page=3&page_size=250' }).window, { after: null, limit: 250, offset: 3 });
  assert.throws(() => page({ query, rawQuery: 'page_size=99' }), /1 error/);
});

test('the mixed style takes page_size and the cursor of the previous response, in either spelling', () => {
  const body = { pageSize: plain.pageSize({ fallback: 5, min: 1, max: 100 }), cursor: proto.cursor() };
  const first = page({ body, json: { page_size: 20 } });
  assert.deepEqual(first.window, { after: null, limit: 20, offset: 0 });
  const cursor = first.end(true, ['9']);
  assert.deepEqual(page({ body, json: { pageSize: 30, cursor } }).window, { after: ['9'], limit: 30, offset: 0 });
});
