import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throttle } from './throttle.ts';

test('several calls run once at the end of the interval, and later calls run again', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  const { call } = throttle(2000, () => runs++);
  for (let count = 0; count < 5; count++) call();
  mock.timers.tick(1999);
  assert.equal(runs, 0);
  mock.timers.tick(1);
  assert.equal(runs, 1);
  call();
  mock.timers.tick(2000);
  assert.equal(runs, 2);
});

test('nothing runs after stop', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { call, stop } = throttle(2000, () => assert.fail('It ran.'));
  call();
  stop();
  mock.timers.tick(5000);
});
