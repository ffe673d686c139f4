import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import type { FolderOwner } from '#kernel/db/embedded/folders.ts';

export type ProcessCommand = readonly [string, ...string[]];

/** A user that PostgreSQL accepts, and how to become it: PostgreSQL refuses root and users without a passwd entry. */
export interface ProcessIdentity {
  /** The owner of PostgreSQL's files on disk. */
  owner: FolderOwner;
  /** The uid and gid of the child process; empty to keep ours. */
  become: Partial<FolderOwner>;
  wrap: (command: ProcessCommand) => ProcessCommand;
}

export type IdentityWrapper = (account: FolderOwner) => ProcessIdentity;

// Our own environment is not passed on: it contains secrets, and its PG* variables would change PostgreSQL's behaviour.
const CHILD_ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const execFileAsync = promisify(execFile);

/** Runs in a user namespace: an ordinary user inside, still root outside, so it can enter root's closed folders. */
const inUserNamespace: IdentityWrapper = (account) => ({
  owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
  become: {},
  wrap: (command) => ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`, '--', ...command],
});

/** Runs as another user with the capability to enter closed folders: for containers that forbid namespaces. */
const withOneCapability: IdentityWrapper = (account) => ({
  owner: account,
  become: {},
  wrap: (command) => [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--securebits=+no_setuid_fixup',
    ...['--bounding-set', '--inh-caps', '--ambient-caps'].map((set) => `${set}=-all,+dac_override`),
    '--',
    ...command,
  ],
});

export const inPlaceWrappers: readonly IdentityWrapper[] = [inUserNamespace, withOneCapability];

/** The identities to try for a database folder, the best first. */
export async function identitiesFor(
  clusterFolder: string,
  wrappers: readonly IdentityWrapper[],
): Promise<ProcessIdentity[]> {
  const accounts = await readAccounts();
  const named = ['postgres', 'nobody'].flatMap((name) => accounts.get(name) ?? []);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasAccount()) {
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    return [{ owner, become: {}, wrap: (command) => command }];
  }
  const wrapped = wrappers.flatMap((wrapper) => named.slice(-1).map(wrapper));
  if (!isRoot) return wrapped;
  const ownerUid = await stat(clusterFolder).then(
    (found) => found.uid,
    () => undefined,
  );
  const present = [...accounts.values()].filter((account) => account.uid === ownerUid);
  const switched = [...present, ...named].map((owner) => ({
    owner,
    become: owner,
    wrap: (command: ProcessCommand) => command,
  }));
  return [...switched, ...wrapped];
}

function hasAccount(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function readAccounts(): Promise<Map<string, FolderOwner>> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const accounts = new Map<string, FolderOwner>();
  for (const line of text.split('\n')) {
    const [name = '', , uid, gid] = line.split(':');
    if (Number(uid) > 0 && Number(gid) >= 0) accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

/** Starts a command under an identity, in its own session, so that Ctrl-C does not reach it. */
export function spawnUnder(
  identity: ProcessIdentity,
  command: ProcessCommand,
  { stdio, environment }: { stdio: StdioOptions; environment: Record<string, string> },
): ChildProcess {
  const [file, ...rest] = identity.wrap(command);
  const env = { ...CHILD_ENVIRONMENT, ...environment };
  const child = spawn(file, rest, { ...identity.become, cwd: '/', env, detached: true, stdio });
  // A command that cannot be started has no pid, which callers check.
  child.on('error', () => undefined);
  return child;
}

/** Runs a command under an identity to its end; returns undefined on success, otherwise the line with the error. */
export async function runUnder(identity: ProcessIdentity, command: ProcessCommand): Promise<string | undefined> {
  const [file, ...rest] = identity.wrap(command);
  try {
    await execFileAsync(file, rest, { ...identity.become, cwd: '/', env: CHILD_ENVIRONMENT });
    return undefined;
  } catch (error) {
    const output = String(Object(error).stderr ?? '').trim() || String(error);
    const lines = output.split('\n');
    return lines.find((line) => /error|fatal|could not|denied/i.test(line)) ?? lines.join(' ');
  }
}
