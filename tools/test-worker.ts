import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { TestQueue } from './test-queue.ts';

/**
 * Runs test files of the queue one after another in this process. Each file is imported inside a suite of its name, so
 * that its hooks are its own and its worlds are stopped before the next file starts.
 */
const queue = new TestQueue(process.env['PARAPET_TEST_QUEUE'] ?? '');

let running = '';
process.on('exit', () => {
  if (running !== '') console.error(`The process ended while ${running} was running.`);
});

for (const item of queue.take()) {
  const start = performance.now();
  running = item;
  await new Promise<void>((resolve) => {
    describe(item, async () => {
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
