import { randomInt, randomUUID } from 'node:crypto';
import { chown, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessFolder } from '#kernel/spool/process-folder.ts';
import { type ProcessLimits, type ProcessOutcome, runLimited } from './limited-process.ts';
import { limitCommand, namespaceCommand, SETUP_FAILED } from './namespace-command.ts';

/**
 * How far a program is separated from the server. `good`: namespaces without network, with a file system, processes and
 * privileges of its own. `weak`: a process group with limits, which can read what the server can read.
 */
export const SANDBOX_LEVELS = ['weak', 'good'] as const;
export type SandboxLevel = (typeof SANDBOX_LEVELS)[number];

export interface SandboxLimits extends ProcessLimits {
  processes: number;
  fileBytes: number;
}

export interface SandboxRun {
  command: readonly string[];
  /** Folders and files outside of the job folder that the program needs, such as those of the program itself. */
  readOnly?: readonly string[];
  env?: Readonly<Record<string, string>>;
  limits: SandboxLimits;
  signal?: AbortSignal | undefined;
}

/** The folder of one job. Paths are relative to it; a program starts in it. */
export interface JobFolder {
  readonly path: string;
  write(name: string, content: string): Promise<void>;
  link(name: string, target: string): Promise<void>;
  run(run: SandboxRun): Promise<ProcessOutcome>;
}

/** This host cannot separate programs as far as the operator demands. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
}

export interface SandboxOptions {
  folder: ProcessFolder;
  /** The lowest level that the operator allows. */
  minLevel: SandboxLevel;
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** User ids that no system assigns; each job gets its own, so that jobs cannot touch each other. */
const MIN_UID = 1_900_000_000;
const MAX_UID = 2_000_000_000;
const PROBE_LIMITS: SandboxLimits = {
  ...{ timeMs: 10_000, memoryBytes: 256 * 1024 ** 2, outputBytes: 16_384, processes: 16, fileBytes: 1024 },
};

/** Runs programs that are not trusted, or that read what is not trusted, each job in a folder that is removed. */
export class Sandbox {
  readonly #options: SandboxOptions;
  #probe: Promise<{ level: SandboxLevel; reason: string }> | undefined;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** Removes what processes have left behind that no longer live. */
  open(): Promise<void> {
    return this.#options.folder.open();
  }

  close(): Promise<void> {
    return this.#options.folder.close();
  }

  /** The level of this host; throws SandboxUnavailable if the operator demands more. */
  async requireLevel(): Promise<SandboxLevel> {
    this.#probe ??= this.#probeLevel();
    const { level, reason } = await this.#probe;
    if (SANDBOX_LEVELS.indexOf(level) >= SANDBOX_LEVELS.indexOf(this.#options.minLevel)) return level;
    throw new SandboxUnavailable(reason);
  }

  /** Gives the work a folder that exists only as long as the work lasts. */
  async withFolder<Result>(work: (folder: JobFolder) => Promise<Result>): Promise<Result> {
    const level = await this.requireLevel();
    return this.#provideFolder(level, work);
  }

  async #provideFolder<Result>(level: SandboxLevel, work: (folder: JobFolder) => Promise<Result>): Promise<Result> {
    await this.open();
    const path = join(this.#options.folder.path, randomUUID());
    const job = new Job(path, level);
    try {
      await job.create();
      return await work(job);
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  }

  async #probeLevel(): Promise<{ level: SandboxLevel; reason: string }> {
    if (process.platform !== 'linux') return { level: 'weak', reason: 'only Linux has namespaces' };
    try {
      const { stderr, exitCode } = await this.#provideFolder('good', (folder) =>
        folder.run({ command: ['/bin/sh', '-c', 'exit 0'], limits: PROBE_LIMITS }),
      );
      if (exitCode === 0) return { level: 'good', reason: '' };
      return { level: 'weak', reason: firstLineOf(stderr) || 'the namespaces could not be created' };
    } catch (error) {
      return { level: 'weak', reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

const firstLineOf = (text: Buffer): string => text.toString('utf8').split('\n', 1)[0]?.trim().slice(0, 200) ?? '';

class Job implements JobFolder {
  readonly path: string;
  readonly #root: string;
  readonly #level: SandboxLevel;
  /** Only root can give each job its own user. */
  readonly #uid: number | undefined;

  constructor(path: string, level: SandboxLevel) {
    this.path = join(path, 'files');
    this.#root = join(path, 'root');
    this.#level = level;
    this.#uid = level === 'good' && process.getuid?.() === 0 ? randomInt(MIN_UID, MAX_UID) : undefined;
  }

  async create(): Promise<void> {
    for (const folder of [this.path, this.#root]) await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.#own(this.path);
  }

  async #own(path: string): Promise<void> {
    if (this.#uid !== undefined) await chown(path, this.#uid, this.#uid);
  }

  async write(name: string, content: string): Promise<void> {
    const path = join(this.path, name);
    await writeFile(path, content, { mode: 0o600, flag: 'wx' });
    await this.#own(path);
  }

  link(name: string, target: string): Promise<void> {
    return symlink(target, join(this.path, name));
  }

  async run({ command, readOnly = [], env = {}, limits, signal }: SandboxRun): Promise<ProcessOutcome> {
    const isGood = this.#level === 'good';
    const home = isGood ? '/job' : this.path;
    const outcome = await runLimited({
      command: isGood
        ? namespaceCommand(
            {
              ...{ root: this.#root, files: this.path, uid: this.#uid },
              readOnly: await Promise.all(readOnly.map((path) => realpath(path))),
              maxProcesses: limits.processes,
              maxFileBytes: limits.fileBytes,
            },
            command,
          )
        : limitCommand(limits.fileBytes, command),
      folder: this.path,
      env: { PATH: SYSTEM_PATH, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', ...env },
      ...{ limits, signal },
    });
    if (outcome.exitCode === SETUP_FAILED && outcome.stderr.includes('sandbox: '))
      throw new SandboxUnavailable(firstLineOf(outcome.stderr));
    return outcome;
  }
}
