import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type MirroredPack, readPacks } from './mirrored-rules.ts';
import { selectionOf } from './rulesets.ts';
import { type LibraryRule, Rule } from './shape.ts';

/** Derived from the YAML files of the pack, which take too long to parse when a server starts. */
const PACK = new URL('../../../rules/pack.json', import.meta.url);

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

const versionOf = (rule: Rule): string => createHash('sha256').update(JSON.stringify(rule)).digest('hex').slice(0, 16);

const libraryRuleOf = (rule: Rule, pack?: string): [string, LibraryRule] => [
  rule.id,
  deepFreeze({
    rule,
    source: 'shipped' as const,
    ruleId: rule.id,
    versionId: versionOf(rule),
    ...(pack === undefined ? {} : { pack }),
  }),
];

let mirrored: readonly MirroredPack[] = [];
let loaded: ReadonlyMap<string, LibraryRule> | undefined;
/** The rules of rulesets that were asked for. */
const selected = new Map<string, LibraryRule[]>();

/** Reads the packs of other registries in the folder; they are used from then on. */
export function loadMirroredRules(folder: string): void {
  mirrored = readPacks(folder);
  loaded = undefined;
  selected.clear();
}

function load(): ReadonlyMap<string, LibraryRule> {
  const own = z.array(Rule).parse(JSON.parse(readFileSync(PACK, 'utf8')));
  return new Map([
    ...mirrored.flatMap(({ name, rules }) => rules.map((rule) => libraryRuleOf(rule, name))),
    ...own.map((rule) => libraryRuleOf(rule)),
  ]);
}

/** The rules that every deployment has, by id: our own and those of mirrored packs; loaded on first use and frozen. */
export function shippedRules(): ReadonlyMap<string, LibraryRule> {
  loaded ??= load();
  return loaded;
}

function selectRules(name: string): LibraryRule[] | undefined {
  const rules = [...shippedRules().values()];
  const belongs = selectionOf(name);
  if (belongs) return rules.filter(({ rule, pack }) => pack === undefined && belongs(rule));
  return mirrored.some((pack) => pack.name === name) ? rules.filter(({ pack }) => pack === name) : undefined;
}

/** The rules of a ruleset or of a mirrored pack, or undefined if there is none of this name. */
export function rulesOfRuleset(name: string): LibraryRule[] | undefined {
  const rules = selected.get(name) ?? selectRules(name);
  if (rules) selected.set(name, rules);
  return rules;
}
