import { availableParallelism } from 'node:os';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown, isOutside, skipOutside } from '../test/support/world/postgres-server.ts';
import { changedTests } from './changed-tests.ts';
import { ALONE, allTests, needsEmbedded, testsNamed, withShards } from './test-files.ts';
import { TestQueue } from './test-queue.ts';

/** Runs every test, those in the files that the arguments name, or those that the changes of the checkout can reach. */
const { values, positionals } = parseArgs({ options: { changed: { type: 'boolean' } }, allowPositionals: true });
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const named = positionals.length > 0 ? positionals.flatMap(testsNamed) : allTests();
const selected = values.changed ? changedTests(named) : named.flatMap(withShards);
const skipped = isOutside ? selected.filter(needsEmbedded) : [];
for (const file of skipped) console.log(`﹣ ${file} # SKIP ${skipOutside}`);
const items = selected.filter((item) => !skipped.includes(item));
const alone = items.filter((item) => ALONE.includes(item));
const queued = items.filter((item) => !alone.includes(item));
const queue = TestQueue.create(queued);
process.env['PARAPET_TEST_QUEUE'] = queue.folder;
process.env['NODE_COMPILE_CACHE'] ??= `${root}node_modules/.cache/parapet`;

await globalSetup();
// The server does not end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void globalTeardown().finally(() => process.exit(1)));
// One more than cores, because tests wait for half of their time: for a browser, a program or a statement.
const atOnce = Math.max(2, availableParallelism()) + 1;
const workers = Math.min(queued.length, atOnce);
const output = run({
  files: [...alone, ...Array.from({ length: workers }, () => `${root}tools/test-worker.ts`)],
  concurrency: atOnce,
})
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(new spec());
output.pipe(process.stdout);
await finished(output);
await globalTeardown();
queue.close();
