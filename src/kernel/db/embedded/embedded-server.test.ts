import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { prepareCluster } from '#kernel/db/embedded/cluster.ts';
import { type EmbeddedServer, startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { choosePlacement, linkMovedCluster } from '#kernel/db/embedded/placement.ts';
import { copyProgram, createLibraryLinks, locateProgram } from '#kernel/db/embedded/postgres-program.ts';
import { waitUntil } from '#test/support/wait.ts';

const isRoot = process.getuid?.() === 0;
const needsRoot = isRoot ? false : 'only root has to become somebody else';
const needsProc = process.platform === 'linux' ? false : 'reads /proc';
const moduleUrl = import.meta.resolve('#kernel/db/embedded/embedded-server.ts');
const quickSettings = { fsync: 'off' };
const firstRow = `select value from kept where value = 'from the first start'`;

let testFolder: string;
let filled: string;
const running = new Set<EmbeddedServer>();
/** Folders to which the data moves on machines that allow no way into a closed folder. */
const movedFolders = new Set<string>();
const children = new Set<ChildProcess>();
const lines: string[] = [];

async function start(dataFolder: string, settings: Record<string, string> = quickSettings): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataFolder, settings, log: (line) => lines.push(line) });
  running.add(server);
  if (!server.dataFolder.startsWith(testFolder)) movedFolders.add(server.dataFolder);
  return server;
}

/** Renames the only data folder with a database for a test, because creating or copying one takes long. */
async function filledFolder(name: string, mode = 0o700): Promise<string> {
  const folder = join(testFolder, name);
  await rename(filled, folder);
  await chmod(folder, mode);
  filled = folder;
  return folder;
}

async function query(server: EmbeddedServer, text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...server.connection, ssl: false });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** Starts the server from a process of its own, which prints the server's pid and waits to be killed. */
function startElsewhere(dataFolder: string): ChildProcess {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(moduleUrl)});
    const options = { dataFolder: ${JSON.stringify(dataFolder)}, settings: ${JSON.stringify(quickSettings)} };
    const server = await startEmbedded({ ...options, log: () => {} });
    console.log(server.pid);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { TEST_SECRET: 'not-for-the-database' },
  });
  children.add(child);
  return child;
}

function whenEnded(child: ChildProcess): AbortSignal {
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  return ended.signal;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function startElsewhereAndKill(dataFolder: string): Promise<number> {
  const child = startElsewhere(dataFolder);
  assert.ok(child.stdout);
  const [printed] = await once(child.stdout, 'data', { signal: whenEnded(child) });
  await kill(child);
  return Number(String(printed));
}

function isOpenToOthers(path: string): boolean {
  const nobody = { uid: 65534, gid: 65534, cwd: '/' };
  return spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', path], nobody).status === 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const rejectsWith = (promise: Promise<unknown>, message: RegExp) =>
  assert.rejects(promise, (error) => error instanceof EmbeddedUnavailable && message.test(error.message));

before(async () => {
  testFolder = await realpath(await mkdtemp(join(tmpdir(), 'parapet-embedded-')));
  // Open to everyone, so that the mode of each test's folder decides.
  await chmod(testFolder, 0o755);
  filled = join(testFolder, 'first');
  const server = await start(filled, {});
  const shown = await query(
    server,
    `select current_setting(name) from unnest(array['listen_addresses', 'fsync', 'synchronous_commit', 'data_checksums',
      'server_encoding', 'jit', 'ssl']) name union all select datcollate from pg_database where datname = 'postgres'`,
  );
  assert.deepEqual(shown, ['', 'on', 'on', 'on', 'UTF8', 'off', 'off', 'C']);
  await query(server, 'create table kept (value text)');
  await query(server, `insert into kept values ('from the first start')`);
  await server.stop('fast');
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  for (const server of running) await server.stop('immediate');
  running.clear();
  lines.length = 0;
});

after(async () => {
  for (const folder of movedFolders) await rm(folder, { recursive: true, force: true });
  await rm(testFolder, { recursive: true, force: true });
});

describe('starting and stopping', () => {
  test('the data folder and the database folder are closed to other users', async () => {
    for (const folder of [filled, join(filled, 'postgres')]) {
      assert.equal((await lstat(folder)).mode & 0o777, 0o700);
    }
  });

  test('a later start finds the data of the first one', async () => {
    const server = await start(filled);
    assert.deepEqual(await query(server, firstRow), ['from the first start']);
    assert.equal(server.adopted, false);
    assert.equal(join(server.dataFolder, 'postgres'), await realpath(join(filled, 'postgres')));
    assert.ok((await readdir(server.binaryFolder)).includes('postgres'));
  });

  test('stopping ends the process in both modes, and stopping again does nothing', async () => {
    for (const mode of ['immediate', 'fast'] as const) {
      const server = await start(filled);
      await server.stop(mode);
      assert.equal(isAlive(server.pid), false);
      await server.stop('fast');
    }
    assert.match(await readFile(join(filled, 'postgres.log'), 'utf8'), /database system is shut down/);
  });

  test('settings of the caller override the defaults', async () => {
    const server = await start(filled, { fsync: 'off', work_mem: '5MB' });
    assert.deepEqual(await query(server, 'show work_mem'), ['5MB']);
  });

  test('a server that exits during its start reports the last lines of its log', async () => {
    await rejectsWith(start(filled, { work_mem: 'nonsense' }), /could not start .*invalid value for parameter/s);
  });

  test('a server that ends unexpectedly is logged', async () => {
    const server = await start(filled);
    process.kill(server.pid, 'SIGKILL');
    await waitUntil(() => lines.some((line) => line.includes('SIGKILL')));
    assert.match(lines.join('\n'), /PostgreSQL \(pid \d+\) ended with SIGKILL/);
  });

  test('the server has a session of its own, so that Ctrl-C does not reach it', { skip: needsProc }, async () => {
    const server = await start(filled);
    const sessionOf = async (pid: number) =>
      (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[3];
    assert.equal(await sessionOf(server.pid), String(server.pid));
  });
});

describe('paths', () => {
  test('a path with spaces, quotes and commas works', async () => {
    const server = await start(await filledFolder(`a "b", it's $c`));
    assert.deepEqual(await query(server, firstRow), ['from the first start']);
  });

  test('a path too long for a socket gets a short socket folder that only its owner can enter', async () => {
    const server = await start(await filledFolder('long'.repeat(30)));
    assert.ok(server.connection.host.length < 60);
    assert.equal((await lstat(server.connection.host)).mode & 0o777, 0o700);
    assert.deepEqual(await query(server, firstRow), ['from the first start']);
    await server.stop('fast');
    await assert.rejects(lstat(server.connection.host), { code: 'ENOENT' });
  });
});

describe('after a crash', () => {
  test('a server that outlived its killed process is taken over and can be stopped', async () => {
    const pid = await startElsewhereAndKill(filled);
    const server = await start(filled);
    assert.equal(server.adopted, true);
    assert.equal(server.pid, pid);
    assert.deepEqual(await query(server, firstRow), ['from the first start']);
    if (!needsProc) {
      assert.doesNotMatch(await readFile(`/proc/${pid}/environ`, 'utf8'), /TEST_SECRET/);
    }
    await server.stop('fast');
    const next = await start(filled);
    assert.equal(next.adopted, false);
  });

  test('after a crash the next start recovers, also if another process has the old pid', async () => {
    const dataFolder = await filledFolder('killed');
    const server = await start(dataFolder);
    await query(server, `insert into kept values ('before the crash')`);
    const pidFile = join(dataFolder, 'postgres', 'postmaster.pid');
    const socketLock = join(dataFolder, 'postgres', '.s.PGSQL.5432.lock');
    const claims = await Promise.all([pidFile, socketLock].map((path) => readFile(path, 'utf8')));
    await server.stop('immediate');
    // Any live process that PostgreSQL could mistake for its own.
    for (const [index, path] of [pidFile, socketLock].entries()) {
      await writeFile(path, String(claims[index]).replace(/^\d+/, String(process.ppid)), { mode: 0o600 });
    }
    await writeFile(join(dataFolder, 'postgres', '.s.PGSQL.5432'), '');
    const next = await start(dataFolder);
    assert.equal(next.adopted, false);
    assert.deepEqual(await query(next, `select count(*)::int from kept where value = 'before the crash'`), [1]);
  });

  test('an empty pid file of a crash does not block the start', async () => {
    await writeFile(join(filled, 'postgres', 'postmaster.pid'), '');
    assert.deepEqual(await query(await start(filled), 'select 1'), [1]);
  });

  test('a start that was killed while it created the database is repaired by the next one', async () => {
    const dataFolder = join(testFolder, 'interrupted');
    const leftover = join(dataFolder, 'postgres.partial-999999999-x');
    await mkdir(leftover, { recursive: true });
    await writeFile(join(leftover, 'PG_VERSION'), '18\n');
    const child = startElsewhere(dataFolder);
    const isUnderWay = async () => (await readdir(dataFolder)).some((name) => name.includes(`.partial-${child.pid}-`));
    const ended = whenEnded(child);
    while (!(await isUnderWay())) await sleep(5, undefined, { signal: ended });
    await kill(child);
    const server = await start(dataFolder);
    assert.deepEqual(await query(server, 'select 1'), [1]);
    await assert.rejects(lstat(leftover), { code: 'ENOENT' });
  });
});

test('two concurrent starts on an empty folder result in one server', async () => {
  const dataFolder = join(testFolder, 'twice');
  const servers = await Promise.all([start(dataFolder), start(dataFolder)]);
  const [first, second] = servers;
  assert.equal(first?.pid, second?.pid);
  assert.deepEqual(servers.map((server) => server.adopted).sort(), [false, true]);
});

describe('refusals', () => {
  test('a platform without a package is refused with an alternative', async () => {
    await rejectsWith(locateProgram('plan9-mips'), /plan9-mips.*PARAPET_DATABASE_URL/);
  });

  test('a database of another major version is refused and not changed', async () => {
    const dataFolder = join(testFolder, 'older');
    await mkdir(join(dataFolder, 'postgres'), { recursive: true });
    const versionFile = join(dataFolder, 'postgres', 'PG_VERSION');
    await writeFile(versionFile, '17\n');
    await rejectsWith(start(dataFolder), /created by PostgreSQL 17, and this Parapet contains PostgreSQL 18/);
    assert.equal(await readFile(versionFile, 'utf8'), '17\n');
  });

  test('a database folder with foreign files is refused', async () => {
    const dataFolder = join(testFolder, 'foreign');
    await mkdir(join(dataFolder, 'postgres'), { recursive: true });
    await writeFile(join(dataFolder, 'postgres', 'thesis.txt'), 'mine');
    await rejectsWith(start(dataFolder), /contains files but no database/);
  });

  test('a link to a missing database is refused instead of starting empty', async () => {
    const dataFolder = join(testFolder, 'dangling');
    await mkdir(dataFolder);
    await symlink(join(testFolder, 'nowhere', 'postgres'), join(dataFolder, 'postgres'));
    await rejectsWith(start(dataFolder), /links to a database folder that does not exist/);
  });

  test('a data folder of another user is refused', { skip: isRoot && 'root may enter every folder' }, async () => {
    await rejectsWith(start('/parapet-of-somebody-else'), /cannot be used/);
  });
});

describe('root', { skip: needsRoot }, () => {
  const isCloneClosed = !isOpenToOthers(fileURLToPath(moduleUrl)) && 'other users cannot enter this clone';

  test('if other users can enter the folder, the server runs as another user', {
    skip: needsProc || isCloneClosed,
  }, async () => {
    const dataFolder = await filledFolder('open', 0o755);
    const server = await start(dataFolder);
    const { uid } = await lstat(join(dataFolder, 'postgres'));
    assert.notEqual(uid, 0);
    assert.match(await readFile(`/proc/${server.pid}/status`, 'utf8'), new RegExp(`^Uid:\\s${uid}\\s${uid}\\s`, 'm'));
    assert.deepEqual(await query(server, firstRow), ['from the first start']);
  });

  test('if no other way works, the data moves to an open folder, with a link to it', async () => {
    const dataFolder = join(testFolder, 'closed');
    await mkdir(dataFolder, { mode: 0o700 });
    const openFolder = join(testFolder, 'open-folder');
    await mkdir(openFolder, { mode: 0o755 });
    const program = await locateProgram();
    const log = (line: string) => lines.push(line);
    const home = await choosePlacement({ program, dataFolder, log }, { wrappers: [], openFolders: [openFolder] });
    assert.ok(home.clusterFolder.startsWith(openFolder));
    assert.ok(lines.some((line) => line.includes(openFolder)));
    await rename(join(filled, 'postgres'), home.clusterFolder);
    await prepareCluster(home, { isNew: false, isSynced: false });
    await linkMovedCluster(dataFolder, home.clusterFolder);
    filled = dataFolder;
    const server = await start(dataFolder);
    assert.equal(join(server.dataFolder, 'postgres'), home.clusterFolder);
    assert.deepEqual(await query(server, firstRow), ['from the first start']);
  });
});

describe('the program', () => {
  test('a program in a read-only folder is copied, with its links', {
    skip: isRoot && 'root writes anywhere',
  }, async () => {
    const program = await locateProgram();
    const folder = join(testFolder, 'package', 'native');
    await cp(program.folder, folder, { recursive: true, filter: (source) => !/\.(so|a)\b/.test(source) });
    await chmod(join(folder, 'lib'), 0o555);
    try {
      assert.equal(await createLibraryLinks(folder), false);
      const copied = await copyProgram({ ...program, folder }, testFolder, () => undefined);
      assert.ok((await readdir(join(copied.folder, 'lib'))).includes('libpq.so.5'));
    } finally {
      await chmod(join(folder, 'lib'), 0o755);
    }
  });
});
