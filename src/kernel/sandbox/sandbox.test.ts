import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ProcessFolder } from '#kernel/spool/process-folder.ts';
import { waitUntil } from '#test/support/wait.ts';
import { Sandbox, type SandboxLimits, type SandboxRun } from './sandbox.ts';

const LIMITS: SandboxLimits = {
  ...{ timeMs: 60_000, memoryBytes: 1024 ** 3, outputBytes: 65_536, processes: 64, fileBytes: 1024 ** 2 },
};

const parent = await mkdtemp(join(tmpdir(), 'parapet-sandbox-'));
const sandbox = new Sandbox({ folder: new ProcessFolder(join(parent, 'jobs')), minLevel: 'weak' });
const hasNamespaces = (await sandbox.requireLevel()) === 'good';

after(async () => {
  await sandbox.close();
  await rm(parent, { recursive: true });
});

const shell = (script: string, run: Partial<SandboxRun> = {}) =>
  sandbox.withFolder((folder) => folder.run({ command: ['/bin/sh', '-c', script], limits: LIMITS, ...run }));

describe('a program in the sandbox', () => {
  test('starts in its folder with the given files and environment, and nothing of the server', async () => {
    const outcome = await sandbox.withFolder(async (folder) => {
      await folder.write('input', 'hello');
      const script = 'cat input; echo " $GREETING"; env | grep -c PARAPET_; pwd >&2; echo x > output';
      return folder.run({ command: ['/bin/sh', '-c', script], env: { GREETING: 'world' }, limits: LIMITS });
    });
    assert.deepEqual([outcome.end, outcome.exitCode], ['exited', 0]);
    assert.equal(outcome.stdout.toString(), 'hello world\n0\n');
  });

  test('leaves nothing behind, whether it ends or its work fails', async () => {
    await shell('echo x > file; mkdir folder; touch folder/other');
    await assert.rejects(
      sandbox.withFolder(() => Promise.reject(new Error('no work'))),
      /no work/,
    );
    const [own = ''] = await readdir(join(parent, 'jobs'));
    assert.deepEqual(await readdir(join(parent, 'jobs', own)), ['heartbeat']);
  });

  test('is killed with its children when its time is over', async () => {
    const outcome = await shell('sleep 1000 & sleep 1000', { limits: { ...LIMITS, timeMs: 300 } });
    assert.deepEqual([outcome.end, outcome.exitCode], ['time', undefined]);
  });

  test('is killed when it writes too much', async () => {
    const outcome = await shell('yes');
    assert.equal(outcome.end, 'output');
    assert.ok(outcome.stdout.length <= LIMITS.outputBytes);
  });

  test('is killed when it uses too much memory', { skip: process.platform !== 'linux' }, async () => {
    const greedy = `exec awk 'BEGIN { text = "x"; while (1) text = text text }'`;
    const outcome = await shell(greedy, { limits: { ...LIMITS, memoryBytes: 64 * 1024 ** 2 } });
    assert.notEqual(outcome.exitCode, 0);
    assert.ok(outcome.end === 'memory' || outcome.stderr.length > 0, outcome.end);
  });

  test('is killed when the caller no longer wants the result', async () => {
    const caller = new AbortController();
    const outcome = await sandbox.withFolder(async (folder) => {
      const command = ['/bin/sh', '-c', 'echo x > started; sleep 1000'];
      const running = folder.run({ command, limits: LIMITS, signal: caller.signal });
      await waitUntil(async () => (await readdir(folder.path)).includes('started'));
      caller.abort();
      return running;
    });
    assert.equal(outcome.end, 'cancelled');
    assert.equal((await shell('sleep 1000', { signal: caller.signal })).end, 'cancelled');
  });

  test('cannot write large files', async () => {
    const outcome = await shell('head -c 2000000 /dev/zero > large; wc -c < large');
    assert.ok(Number(outcome.stdout.toString().trim() || '0') <= LIMITS.fileBytes);
  });
});

describe('a program in namespaces', { skip: !hasNamespaces && 'this host allows no namespaces' }, () => {
  test('sees no files, processes and users of the server', async () => {
    const secret = join(parent, 'secret');
    await writeFile(secret, 'canary');
    const script = `cat ${secret} /etc/passwd /root/.profile; ls ${parent}; ls /home; ps ax | grep -c node; kill -9 1`;
    const outcome = await shell(script);
    assert.doesNotMatch(outcome.stdout.toString(), /canary|root:|jobs/);
    assert.match((await shell('ls -d /proc/[0-9]* | wc -l')).stdout.toString(), /^[1-5]\n$/);
  });

  test('cannot reach a server of this host', async () => {
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      const script = `const socket = require('node:net').connect(${port}, '127.0.0.1');
        socket.on('data', (text) => console.log(String(text))).on('error', ({ code }) => console.log(code));`;
      const outcome = await shell(`${process.execPath} -e "${script}"`, { readOnly: [process.execPath] });
      assert.match(outcome.stdout.toString(), /^E[A-Z]+\n$/, outcome.stderr.toString());
    } finally {
      server.close();
    }
  });

  test('has no privileges, and can write only to its folder', async () => {
    const outcome = await shell(
      'grep -h -e ^Cap -e NoNewPrivs /proc/self/status; echo x > /x; echo x > /usr/x; echo x > own; ' +
        'mount -t tmpfs x /proc; ls',
    );
    const text = outcome.stdout.toString();
    assert.equal(text.match(/^Cap\w+:\s+0{16}$/gm)?.length, 5, text);
    assert.match(text, /NoNewPrivs:\s+1/);
    assert.match(text, /\nown\n$/);
  });

  test('takes its whole family with it, even those that left its process group', async () => {
    const marker = `86${process.pid}`;
    await shell(`setsid sleep ${marker} & sleep 1000`, { limits: { ...LIMITS, timeMs: 500 } });
    await waitUntil(async () => {
      const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const commands = processes.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''));
      return !(await Promise.all(commands)).some((command) => command.includes(marker));
    });
  });

  test('cannot start more processes than it may', async () => {
    const script = 'i=0; while [ $i -lt 40 ]; do sleep 5 & i=$((i + 1)); done; jobs -p | wc -l';
    const outcome = await shell(script, { limits: { ...LIMITS, processes: 8 } });
    assert.match(outcome.stderr.toString(), /fork|resource/i);
  });
});

test('what a killed process has left behind is removed at the next start', async () => {
  const times = { heartbeatMs: 20, abandonedMs: 50 };
  const folder = join(parent, 'swept');
  const abandoned = new ProcessFolder(folder, { ...times, heartbeatMs: 1_000_000 });
  const dead = new Sandbox({ folder: abandoned, minLevel: 'weak' });
  const { promise: forever, resolve } = Promise.withResolvers<void>();
  const work = dead.withFolder(async (job) => {
    await job.write('code', 'secret source');
    await forever;
  });
  const next = new Sandbox({ folder: new ProcessFolder(folder, times), minLevel: 'weak' });
  await waitUntil(async () => {
    await next.open();
    return (await readdir(folder)).length === 1;
  });
  resolve();
  await work;
  await Promise.all([dead.close(), next.close()]);
});
