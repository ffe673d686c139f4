import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workerEnvironment } from '#kernel/config/config.ts';
import { workerDelayMs } from './worker-process.ts';

test('the delay before a worker is started again doubles with each short run, up to a minute', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 100].map(workerDelayMs),
    [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000],
  );
});

test('a worker has the settings of its server, without its ports and the first password', () => {
  const env = workerEnvironment('https://parapet.example.com', {
    PATH: '/bin',
    PARAPET_MASTER_KEY: 'key',
    PARAPET_BASE_URL_FILE: '/run/base-url',
    PARAPET_METRICS_PORT: '9100',
    PARAPET_SETUP_ADMIN_PASSWORD: 'secret',
  });
  assert.deepEqual(env, {
    PATH: '/bin',
    PARAPET_MASTER_KEY: 'key',
    PARAPET_BASE_URL: 'https://parapet.example.com',
  });
});
