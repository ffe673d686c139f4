import { execFileSync, spawnSync } from 'node:child_process';

/** Lines that a diff replaced: `oldCount` lines from `oldStart` became `newCount` lines from `newStart`. */
export interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

/** A file that differs between two commits. */
export interface FileDiff {
  oldPath: string;
  newPath: string;
  hunks: Hunk[];
}

/** Files of a commit that rules look at, by path. */
export type Snapshot = ReadonlyMap<string, readonly string[]>;

const MAX_OUTPUT = 2 ** 30;
const SOURCE = /^(src|test|web|tools)\/.*\.(ts|tsx|sql)$/;
const FULL_HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

const git = (...args: string[]) =>
  execFileSync('git', args, { maxBuffer: MAX_OUTPUT, stdio: ['ignore', 'pipe', 'ignore'] }).toString();

/** Commits of the checkout at equal distances, oldest first; none if its history is not there. */
export function commitsOf(count: number): string[] {
  const { status, stdout } = spawnSync('git', ['rev-list', '--first-parent', '--reverse', 'HEAD'], {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
  });
  const commits = status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
  const distance = Math.max(1, Math.floor(commits.length / count));
  return commits.filter((_, index) => index % distance === 0).slice(-count);
}

/** Reads files of commits; files with equal content are read once. */
export class GitHistory {
  readonly #linesByBlob = new Map<string, readonly string[]>();

  snapshotOf(commit: string): Snapshot {
    const entries = git('ls-tree', '-r', '-z', commit)
      .split('\0')
      .flatMap((entry) => {
        const [head = '', path = ''] = entry.split('\t');
        return SOURCE.test(path) ? [{ blob: head.split(' ')[2] ?? '', path }] : [];
      });
    this.#readBlobs(entries.map(({ blob }) => blob).filter((blob) => !this.#linesByBlob.has(blob)));
    return new Map(entries.map(({ blob, path }) => [path, this.#linesByBlob.get(blob) ?? []]));
  }

  #readBlobs(blobs: readonly string[]): void {
    const output = execFileSync('git', ['cat-file', '--batch'], {
      input: [...new Set(blobs)].map((blob) => `${blob}\n`).join(''),
      maxBuffer: MAX_OUTPUT,
    });
    for (let at = 0; at < output.length; ) {
      const headEnd = output.indexOf(0x0a, at);
      const [blob = '', , size] = output.toString('utf8', at, headEnd).split(' ');
      const end = headEnd + 1 + Number(size);
      this.#linesByBlob.set(blob, output.toString('utf8', headEnd + 1, end).split('\n'));
      at = end + 1;
    }
  }

  /** The files that differ, with renames as git detects them. */
  diffOf(before: string, after: string): FileDiff[] {
    const diffs: FileDiff[] = [];
    const lines = git('diff', '-M', '--unified=0', '--no-color', '--no-ext-diff', before, after).split('\n');
    for (const line of lines) {
      const paths = /^diff --git a\/(.*) b\/(.*)$/.exec(line);
      if (paths) diffs.push({ oldPath: paths[1] ?? '', newPath: paths[2] ?? '', hunks: [] });
      const hunk = FULL_HUNK.exec(line);
      if (hunk)
        diffs.at(-1)?.hunks.push({
          oldStart: Number(hunk[1]),
          oldCount: Number(hunk[2] ?? 1),
          newStart: Number(hunk[3]),
          newCount: Number(hunk[4] ?? 1),
        });
    }
    return diffs;
  }
}
