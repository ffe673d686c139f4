import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { TestQueue } from './test-queue.ts';

/**
 * Runs test files of the queue one after another in this process. Each file is imported inside a suite of its name, so
 * that its hooks are its own and its worlds are stopped before the next file starts.
 */

/** No file takes as long, however busy the machine is: one that does hangs, and is reported by its name. */
const LIMIT_MS = 20 * 60_000;
const queue = new TestQueue(process.env['PARAPET_TEST_QUEUE'] ?? '');

let running = '';
process.on('exit', () => {
  if (running !== '') console.error(`The process ended while ${running} was running.`);
});

for (const item of queue.take()) {
  const start = performance.now();
  running = item;
  await new Promise<void>((resolve) => {
    // A suite that exceeds its limit does not run its hooks.
    setTimeout(resolve, LIMIT_MS + 1_000).unref();
    describe(item, { timeout: LIMIT_MS }, async () => {
      const [file = '', query = ''] = item.split('?');
      await import(pathToFileURL(file).href + (query === '' ? '' : `?${query}`)).catch((error: unknown) => {
        test('the file can be loaded', () => Promise.reject(error));
      });
      after(() => resolve());
    });
  });
  running = '';
  queue.recordDuration(item, performance.now() - start);
}
