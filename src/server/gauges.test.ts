import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { Outage } from '#kernel/contract/fault.ts';
import { measureDisks, measureJobs } from './gauges.ts';

test('the metrics have the free space of each disk, also while the database does not answer', async () => {
  const registry = new Registry();
  measureJobs(registry, { transaction: () => Promise.reject(new Outage('database', 'of this test')) });
  measureDisks(registry, {
    list: async () => [
      { name: 'spool', freeBytes: 1000, totalBytes: 9000 },
      { name: 'database', freeBytes: 2000, totalBytes: 9000 },
    ],
  });
  const text = await registry.metrics();
  assert.match(text, /^parapet_disk_free_bytes\{disk="spool"\} 1000$/m);
  assert.match(text, /^parapet_disk_free_bytes\{disk="database"\} 2000$/m);
  assert.match(text, /^parapet_jobs_ready (NaN|Nan)$/m);
});
