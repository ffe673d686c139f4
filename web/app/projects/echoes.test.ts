import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Echoes } from './echoes.ts';

test('what was typed comes back late, and may be skipped, without being taken for the word of another', () => {
  const echoes = new Echoes();
  for (const text of ['a', 'ab', 'abc']) echoes.sent(text);
  assert.equal(echoes.isOwn('a'), true);
  assert.equal(echoes.isOwn('abc'), true);
});

test('what was not typed, or had come back already, is the word of another', () => {
  const echoes = new Echoes();
  echoes.sent('a');
  assert.equal(echoes.isOwn('a'), true);
  assert.equal(echoes.isOwn('a'), false);
  echoes.sent('ab');
  assert.equal(echoes.isOwn(''), false);
  assert.equal(echoes.isOwn('ab'), false);
});
