import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redactToken } from './redact-token.ts';

async function* cut(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function blanked(value: unknown, size: number): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of redactToken(cut(JSON.stringify(value), size))) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString());
}

const isMember = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('only the top-level member `token` is masked, for any chunk boundaries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string({ minLength: 1 }),
      fc.integer({ min: 1, max: 40 }),
      async (rest, token, size) => {
        const given = { before: { token }, ...rest, token, after: [token] };
        const found = await blanked(given, size);
        assert.ok(isMember(found));
        assert.match(String(found['token']), /^\**$/);
        const expected = JSON.parse(JSON.stringify({ ...given, token: found['token'] }));
        assert.deepEqual(found, expected);
      },
    ),
  );
});

test('a token that is null stays null', async () => {
  assert.deepEqual(await blanked({ token: null, findings: [] }, 3), { token: null, findings: [] });
});
