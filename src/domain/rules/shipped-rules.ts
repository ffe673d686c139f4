import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
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

function load(): ReadonlyMap<string, LibraryRule> {
  const rules = z.array(Rule).parse(JSON.parse(readFileSync(PACK, 'utf8')));
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

/** The rules of rulesets that were asked for; the pack does not change while the program runs. */
const selected = new Map<string, LibraryRule[]>();

/** The rules of a ruleset, or undefined if there is no such ruleset. */
export function rulesOfRuleset(name: string): LibraryRule[] | undefined {
  const belongs = selectionOf(name);
  if (!belongs) return undefined;
  const rules = selected.get(name) ?? [...shippedRules().values()].filter(({ rule }) => belongs(rule));
  selected.set(name, rules);
  return rules;
}
