import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EchoFilter } from './echo-filter.ts';

test('recognizes typed text that arrives late or skips steps', () => {
  const echoes = new EchoFilter();
  for (const text of ['a', 'ab', 'abc']) echoes.record(text);
  assert.equal(echoes.isEcho('a'), true);
  assert.equal(echoes.isEcho('abc'), true);
});

test('does not recognize text that was not typed or has arrived before', () => {
  const echoes = new EchoFilter();
  echoes.record('a');
  assert.equal(echoes.isEcho('a'), true);
  assert.equal(echoes.isEcho('a'), false);
  echoes.record('ab');
  assert.equal(echoes.isEcho(''), false);
  assert.equal(echoes.isEcho('ab'), false);
});
