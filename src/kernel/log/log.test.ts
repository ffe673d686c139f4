import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const LOG = new URL('./log.ts', import.meta.url).href;

/** Runs a program with a log in a process of its own; returns the messages on its standard error. */
async function messagesOf(program: string): Promise<string[]> {
  const source = `import { makeLog } from ${JSON.stringify(LOG)}; const log = makeLog('info'); ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [written] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return written
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
}

const LINES = "for (const number of [1, 2, 3]) log.info('line ' + number);";
const EXPECTED = ['line 1', 'line 2', 'line 3'];

test('buffered lines are written when the program exits, normally or by an error', async () => {
  assert.deepEqual(await messagesOf(LINES), EXPECTED);
  assert.deepEqual(await messagesOf(`${LINES} process.exit(1);`), EXPECTED);
  assert.deepEqual(await messagesOf(`${LINES} setTimeout(() => { throw new Error('defect'); }, 1);`), EXPECTED);
});

test('lines are written while the program runs, even if there are few', async () => {
  const program = `${LINES} setInterval(() => undefined, 1000); process.on('SIGTERM', () => undefined);`;
  const source = `import { makeLog } from ${JSON.stringify(LOG)}; const log = makeLog('info'); ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [chunk] = (await once(child.stderr, 'data')) as [Buffer];
  child.kill('SIGKILL');
  assert.match(chunk.toString('utf8'), /line 3/);
});
