import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { failureText } from './failure-text.ts';

test('a failure keeps its name, code and message', () => {
  const error = Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' });
  assert.equal(failureText(error), 'TypeError ECONNREFUSED: fetch failed');
  assert.equal(failureText('plain text'), 'Error: plain text');
  assert.equal(failureText(Object.create(null)), 'Error: ');
});

test('the text of a failure contains the target of a call, but not its credentials or query', () => {
  const text = failureText(new Error('GET https://user:pw@host.example/path?token=abc#frag answered 500'));
  assert.equal(text, 'Error: GET https://host.example/path answered 500');
});

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const canary = fc
  .string({ unit: fc.constantFrom(...alphabet), minLength: 20, maxLength: 80 })
  .map((text) => `canary7${text}`);
const disguise = fc.constantFrom(
  (secret: string) => `Bearer ${secret}`,
  (secret: string) => `authorization: Basic ${secret}`,
  (secret: string) => `password=${secret.slice(0, 9)}`,
  (secret: string) => `"clientSecret": "${secret.slice(0, 9)}"`,
  (secret: string) => `https://x:${secret.slice(0, 9)}@host/`,
  (secret: string) => `https://host/?key=${secret.slice(0, 9)}`,
  (secret: string) => secret,
);

test('AUD-05: every credential is removed from a message, wherever it is', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3000 }), disguise, canary, fc.string(), (before, disguised, secret, after) => {
      const text = failureText(new Error(`${before} ${disguised(secret)} ${after}`));
      assert.ok(!text.includes('canary7'), text);
    }),
    { numRuns: 1000 },
  );
});

test('AUD-06: the text of a failure is one line of at most 500 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (message) => {
      const text = failureText(new Error(message));
      assert.ok([...text].length <= 500);
      assert.doesNotMatch(text, /[\p{Cc}\p{Cs}]/u);
    }),
  );
});
