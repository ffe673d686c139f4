import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isPackName, readPacks, removePack, writePack } from '#domain/rules/mirrored-rules.ts';
import { type RefusedRule, readRuleFolder } from '#domain/rules/read-rule-folder.ts';
import { selectionOf } from '#domain/rules/rulesets.ts';
import { readConfig } from '#kernel/config/config.ts';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { type FetchedFolder, fetchRepository, isGitAddress, withoutCredentials } from './fetch-rules.ts';

const SHOWN_REFUSALS = 50;
const USAGE = 'Usage: parapet rules add FOLDER|ADDRESS, parapet rules list, or parapet rules remove NAME.';

export interface RulesOptions {
  /** The name of the pack; otherwise the last part of its source. */
  name: string | undefined;
  /** Adds the rules that can be used although others cannot. */
  isPartial: boolean;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function fail(sentence: string, exitCode: number): void {
  process.stderr.write(`parapet rules: ${sentence}\n`);
  process.exitCode = exitCode;
}

/** `parapet rules`: mirrors the rules of other registries for all deployments. */
export async function rules(words: readonly string[], options: RulesOptions): Promise<void> {
  const [action, subject, ...rest] = words;
  const { rulesDir } = readConfig();
  try {
    if (action === 'list' && subject === undefined) list(rulesDir);
    else if (action === 'remove' && subject !== undefined && rest.length === 0) remove(rulesDir, subject);
    else if (action === 'add' && subject !== undefined && rest.length === 0) await add(rulesDir, subject, options);
    else fail(USAGE, 2);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    fail(error.message, error.exitCode);
  }
}

function list(rulesDir: string): void {
  const packs = readPacks(rulesDir);
  for (const { name, rules: all, source, revision, addedAt } of packs)
    print(`p/${name}  ${all.length} rules  ${source}${revision && ` at ${revision.slice(0, 12)}`}  ${addedAt}`);
  if (packs.length === 0) print(`There are no mirrored rules in ${rulesDir}.`);
}

function remove(rulesDir: string, name: string): void {
  const isRemoved = removePack(rulesDir, name.replace(/^p\//, ''));
  if (!isRemoved) fail(`there is no pack "${name}" in ${rulesDir}.`, 1);
  else print(`✓ removed ${name}. Running servers use it until they are restarted.`);
}

function nameOf(source: string, wanted: string | undefined): string | undefined {
  const last = basename(
    source
      .replace(/[/\\]+$/, '')
      .replace(/\.git$/, '')
      .replace(/^.*:(?!\/\/)/, ''),
  );
  const name =
    wanted ??
    last
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
  if (!isPackName(name)) fail(`"${name}" cannot be a name: use 1 to 64 small letters, digits and dashes.`, 2);
  else if (selectionOf(name)) fail(`p/${name} is a ruleset of this server: choose another name with --name.`, 2);
  else return name;
  return undefined;
}

function openFolder(source: string): FetchedFolder {
  const folder = resolve(source);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new OperatorError(`"${source}" is neither a folder nor an https or ssh address of a git repository.`);
  return { folder, revision: '', remove: async () => {} };
}

function printRefused(refused: readonly RefusedRule[]): void {
  for (const { file, id, reason } of refused.slice(0, SHOWN_REFUSALS))
    process.stderr.write(`  ${file}${id === '' ? '' : ` ${id}`}: ${reason}\n`);
  if (refused.length > SHOWN_REFUSALS) process.stderr.write(`  and ${refused.length - SHOWN_REFUSALS} more\n`);
}

async function add(rulesDir: string, source: string, { name: wanted, isPartial }: RulesOptions): Promise<void> {
  const name = nameOf(source, wanted);
  if (name === undefined) return;
  const shown = withoutCredentials(source);
  if (isGitAddress(source)) print(`fetching ${shown}`);
  const fetched = isGitAddress(source) ? await fetchRepository(source) : openFolder(source);
  try {
    print('reading the rules');
    const { rules: found, refused } = readRuleFolder(fetched.folder);
    const isTaken = new Map(
      readPacks(rulesDir).flatMap((pack) =>
        pack.name === name ? [] : pack.rules.map(({ id }) => [id, pack.name] as const),
      ),
    );
    const usable = found.filter(({ id }) => !isTaken.has(id));
    for (const { id } of found)
      if (isTaken.has(id)) refused.push({ file: '', id, reason: `is also in p/${isTaken.get(id)}` });
    if (refused.length > 0) process.stderr.write(`${refused.length} cannot be used:\n`);
    printRefused(refused);
    if (usable.length === 0) return fail(`${shown} has no rules that can be used; nothing was added.`, 1);
    if (refused.length > 0 && !isPartial)
      return fail('nothing was added. Correct them, or add the others with --partial.', 1);
    const { revision } = fetched;
    writePack(rulesDir, { name, source: shown, revision, addedAt: new Date().toISOString(), rules: usable });
    print(
      `✓ ${usable.length} rules are now p/${name}. Restart the servers, then put it on a ruleboard or scan with it.`,
    );
  } finally {
    await fetched.remove();
  }
}
