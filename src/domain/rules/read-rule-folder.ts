import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parse } from 'yaml';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { MAX_RULE_BYTES, parseDefinition } from './definition.ts';
import { ruleProductOf } from './rules.ts';
import type { Rule } from './shape.ts';

export const MAX_MIRRORED_RULES = 10_000;
const MAX_FILES = 50_000;
const MAX_ALIASES = 100;
/** Folders that hold no rules, whatever files are in them. */
const IGNORED = new Set(['node_modules', '.git', '.github']);

export interface RefusedRule {
  file: string;
  id: string;
  reason: string;
}

export interface RuleFolder {
  rules: Rule[];
  refused: RefusedRule[];
}

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Links are not followed, so that only what is in the folder is read. */
function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !IGNORED.has(entry.name)) yield* filesIn(path);
    else if (entry.isFile() && /\.(ya?ml|json)$/.test(entry.name) && !/\.test\.ya?ml$/.test(entry.name)) yield path;
  }
}

/** The rules of a file; undefined if it is none of rules, as the settings of other tools or a target. */
function rulesOfFile(file: string): unknown[] | undefined {
  const text = readFileSync(file, 'utf8');
  if (!/^\s*["']?rules["']?\s*:/m.test(text)) return undefined;
  const content: unknown = parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'error' });
  const rules = isObject(content) ? content['rules'] : undefined;
  return Array.isArray(rules) ? rules : undefined;
}

/** Names as registries have them: the path of the file and the id, unless the id is a whole name already. */
function nameOf(file: string, id: string): string {
  if (id.includes('.')) return id;
  const parts = file.replace(/\.[^.]+$/, '').split(sep);
  return [...parts, id].map((part) => part.replace(/[^A-Za-z0-9_-]/g, '-')).join('.');
}

/** Reads the rules of a folder, each checked as a published one is. */
export function readRuleFolder(folder: string): RuleFolder {
  const result: RuleFolder = { rules: [], refused: [] };
  const known = new Set<string>();
  let files = 0;
  for (const path of filesIn(folder)) {
    const file = relative(folder, path);
    files += 1;
    if (files > MAX_FILES) throw new OperatorError(`The folder has more than ${MAX_FILES} files.`);
    const refuse = (id: string, reason: string) => result.refused.push({ file, id, reason });
    if (statSync(path).size > MAX_RULE_BYTES) {
      refuse('', `is larger than ${MAX_RULE_BYTES} bytes`);
      continue;
    }
    let found: unknown[] | undefined;
    try {
      found = rulesOfFile(path);
    } catch (error) {
      refuse('', `cannot be read: ${(error as Error).message.split('\n', 1)[0]}`);
      continue;
    }
    for (const entry of found ?? []) {
      const id = isObject(entry) && typeof entry['id'] === 'string' ? entry['id'] : '';
      const name = nameOf(file, id);
      const { rule, errors } = parseDefinition({ rules: [isObject(entry) ? { ...entry, id: name } : entry] });
      if (errors) refuse(id, errors.map(({ detail }) => detail).join('; '));
      else if (ruleProductOf(rule) === 'sca')
        refuse(id, 'asks about dependencies, which this server does by advisories');
      else if (known.has(name)) refuse(id, `has the same name as another rule: ${name}`);
      else {
        known.add(name);
        result.rules.push(rule);
      }
      if (known.size > MAX_MIRRORED_RULES)
        throw new OperatorError(`The folder has more than ${MAX_MIRRORED_RULES} rules.`);
    }
  }
  return result;
}
