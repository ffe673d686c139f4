import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { ruleProductOf } from './rules.ts';
import { type LibraryRule, Rule } from './shape.ts';

const FOLDER = fileURLToPath(new URL('../../../rules', import.meta.url));
const RuleFile = z.object({ rules: z.array(Rule) });

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

const versionOf = (rule: Rule): string => createHash('sha256').update(JSON.stringify(rule)).digest('hex').slice(0, 16);

function load(): ReadonlyMap<string, LibraryRule> {
  const files = globSync('*/*.yaml', { cwd: FOLDER }).sort();
  const rules = files.flatMap((file) => RuleFile.parse(parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))).rules);
  return new Map(
    rules.map((rule) => [
      rule.id,
      deepFreeze({ rule, source: 'shipped' as const, ruleId: rule.id, versionId: versionOf(rule) }),
    ]),
  );
}

let loaded: ReadonlyMap<string, LibraryRule> | undefined;

/** The rules that are shipped with the program, by id; loaded on first use and frozen. */
export function shippedRules(): ReadonlyMap<string, LibraryRule> {
  loaded ??= load();
  return loaded;
}

const hasUsefulConfidence = (rule: Rule): boolean => rule.metadata?.['confidence'] !== 'LOW';
const hasLanguage = (language: string) => (rule: Rule) => rule.languages.includes(language);
const hasOwasp = (rule: Rule): boolean => z.array(z.string()).min(1).safeParse(rule.metadata?.['owasp']).success;

/** The rulesets by name. The rule that only requests dependency lists is in none, because it finds nothing. */
const RULESETS: Readonly<Record<string, (rule: Rule) => boolean>> = {
  parapet: () => true,
  default: hasUsefulConfidence,
  secrets: (rule) => ruleProductOf(rule) === 'secrets',
  'owasp-top-ten': hasOwasp,
  javascript: hasLanguage('javascript'),
  typescript: hasLanguage('typescript'),
  python: hasLanguage('python'),
  go: hasLanguage('go'),
  golang: hasLanguage('go'),
  java: hasLanguage('java'),
};

/** The rules of a ruleset, or undefined if there is no such ruleset. */
export function rulesOfRuleset(name: string): LibraryRule[] | undefined {
  const belongs = Object.hasOwn(RULESETS, name) ? RULESETS[name] : undefined;
  return belongs && [...shippedRules().values()].filter(({ rule }) => ruleProductOf(rule) !== 'sca' && belongs(rule));
}

/** The paths of the rulesets that contain a shipped rule. */
export function rulesetsOf(rule: Rule): string[] {
  if (ruleProductOf(rule) === 'sca') return [];
  return Object.entries(RULESETS)
    .filter(([name, belongs]) => name !== 'golang' && belongs(rule))
    .map(([name]) => `p/${name}`);
}
