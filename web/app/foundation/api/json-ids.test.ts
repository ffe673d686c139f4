import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson, wireId } from './json-ids.ts';

test('64-bit ids are parsed without rounding, and other numbers stay numbers', () => {
  assert.deepEqual(parseJson('{"id":9223372036854775807,"count":12,"share":0.5,"text":"1234567890123456789"}'), {
    id: '9223372036854775807',
    count: 12,
    share: 0.5,
    text: '1234567890123456789',
  });
});

test('64-bit ids are written as strings without rounding', () => {
  assert.equal(
    JSON.stringify({ repositoryId: [wireId('9223372036854775807')] }),
    '{"repositoryId":["9223372036854775807"]}',
  );
});
