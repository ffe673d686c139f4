import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EchoFilter } from './echo-filter.ts';

test('what was typed comes back late, and may be skipped, without being taken for the word of another', () => {
  const echoes = new EchoFilter();
  for (const text of ['a', 'ab', 'abc']) echoes.record(text);
  assert.equal(echoes.isEcho('a'), true);
  assert.equal(echoes.isEcho('abc'), true);
});

test('what was not typed, or had come back already, is the word of another', () => {
  const echoes = new EchoFilter();
  echoes.record('a');
  assert.equal(echoes.isEcho('a'), true);
  assert.equal(echoes.isEcho('a'), false);
  echoes.record('ab');
  assert.equal(echoes.isEcho(''), false);
  assert.equal(echoes.isEcho('ab'), false);
});
