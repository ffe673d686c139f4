import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { Rule } from './shape.ts';

/** Rules of another registry that the operator added: a file for each pack, in a folder that all servers read. */
const MirroredPack = z.object({
  name: z.string(),
  /** The folder or address that the rules come from. */
  source: z.string(),
  /** The commit, if they come from git. */
  revision: z.string(),
  addedAt: z.string(),
  rules: z.array(Rule),
});
export type MirroredPack = z.output<typeof MirroredPack>;

/** Names of packs are also names of rulesets: `p/<name>`. */
export const isPackName = (name: string): boolean => /^[a-z0-9][a-z0-9-]{0,63}$/.test(name);

const fileOf = (folder: string, name: string): string => join(folder, `${name}.json`);

function readPack(file: string): MirroredPack {
  try {
    return MirroredPack.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new OperatorError(
      `${file} is not a pack of rules (${(error as Error).message.split('\n', 1)[0]}).\n` +
        'Remove the file, then add its rules again with "parapet rules add".',
    );
  }
}

/** The packs of the folder, by name; none if there is no folder. */
export function readPacks(folder: string): MirroredPack[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => isPackName(file.replace(/\.json$/, '')) && file.endsWith('.json'));
  return files.sort().map((file) => readPack(join(folder, file)));
}

/** Replaces the pack of this name as a whole: a reader sees the old one or the new one. */
export function writePack(folder: string, pack: MirroredPack): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${pack.name}.${process.pid}`);
  try {
    writeFileSync(draft, JSON.stringify(pack), { mode: 0o600, flush: true });
    renameSync(draft, fileOf(folder, pack.name));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a pack; false if there is none of this name. */
export function removePack(folder: string, name: string): boolean {
  const file = fileOf(folder, name);
  if (!isPackName(name) || !existsSync(file)) return false;
  rmSync(file);
  return true;
}
