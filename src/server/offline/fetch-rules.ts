import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '#kernel/errors/operator-error.ts';

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_MS = 5 * 60_000;
const LOOK_MS = 500;

/** Addresses that are fetched with git; anything else is a folder. Other ways of git, such as `ext::`, run commands. */
export const isGitAddress = (source: string): boolean =>
  /^(https|ssh):\/\/[^\s-][^\s]*$/.test(source) || /^[\w.-]+@[\w.-]+:[^\s-][^\s]*$/.test(source);

/** An address or a message without the user and password of an address, which are not to be kept or shown. */
export const withoutCredentials = (text: string): string => text.replace(/\/\/[^@/\s]*@/g, '//');

export interface FetchedFolder {
  folder: string;
  revision: string;
  remove(): Promise<void>;
}

/** The size of a folder; files that vanish while it is read count as empty. */
function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}

/** Stops the process when the folder becomes too large or time is over; the reason, or undefined. */
function guard(child: ChildProcess, folder: string): () => string | undefined {
  const until = performance.now() + MAX_MS;
  let reason: string | undefined;
  const timer = setInterval(() => {
    if (performance.now() > until) reason = `it took longer than ${MAX_MS / 60_000} minutes`;
    else if (sizeOf(folder) > MAX_BYTES) reason = `it is larger than ${MAX_BYTES / 1024 / 1024} MiB`;
    if (reason !== undefined) child.kill('SIGKILL');
  }, LOOK_MS);
  child.once('close', () => clearInterval(timer));
  return () => reason;
}

/** No hooks, links, large files and questions, and only these two ways; the operator's keys and proxies are used. */
const SETTINGS = [
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.askPass=true',
  'filter.lfs.smudge=',
  'filter.lfs.required=false',
];

function git(args: readonly string[], folder: string): Promise<string> {
  return new Promise((done, reject) => {
    const child = spawn('git', [...SETTINGS.flatMap((one) => ['-c', one]), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const reasonOf = guard(child, folder);
    let [out, problem] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      out = (out + chunk.toString()).slice(0, 1000);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      problem = (problem + chunk.toString()).slice(-1000);
    });
    child.once('error', () => reject(new OperatorError('git cannot be started. Install it, or name a folder.')));
    child.once('close', (code) => {
      if (code === 0) done(out.trim());
      else
        reject(new OperatorError(`The rules cannot be fetched: ${reasonOf() ?? withoutCredentials(problem.trim())}`));
    });
  });
}

/** Fetches the newest state of a repository into a new folder. */
export async function fetchRepository(address: string): Promise<FetchedFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-rules-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await git(['clone', '--quiet', '--depth=1', '--no-tags', '--single-branch', '--', address, `${folder}/it`], folder);
    return { folder: `${folder}/it`, revision: await git(['-C', `${folder}/it`, 'rev-parse', 'HEAD'], folder), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
