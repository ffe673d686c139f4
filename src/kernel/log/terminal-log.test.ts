import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLine } from './terminal-log.ts';

test('a line has the time of day, the message and the fields', () => {
  const line = JSON.stringify({
    level: 'info',
    time: '2026-11-15T02:52:51.665Z',
    status: 200,
    actor: '',
    msg: 'request',
  });
  assert.equal(formatLine(line), '02:52:51 info  request status=200');
});

test('control characters in logged text never reach the terminal (AUD-06)', () => {
  const line = JSON.stringify({ level: 'warn', time: '2026-11-15T02:52:51.665Z', path: '\u001b[2J', msg: 'a\nb' });
  assert.equal(formatLine(line), '02:52:51 warn  a b path= [2J');
});
