import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson, wireId } from './json-ids.ts';

test('an id of 64 bits is read to its last digit, and other numbers stay numbers', () => {
  assert.deepEqual(parseJson('{"id":9223372036854775807,"count":12,"share":0.5,"text":"1234567890123456789"}'), {
    id: '9223372036854775807',
    count: 12,
    share: 0.5,
    text: '1234567890123456789',
  });
});

test('an id of 64 bits is written to its last digit, as text', () => {
  assert.equal(
    JSON.stringify({ repositoryId: [wireId('9223372036854775807')] }),
    '{"repositoryId":["9223372036854775807"]}',
  );
});
