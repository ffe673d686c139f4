import type { Tx } from '#kernel/db/tx.ts';
import type { Rule } from './shape.ts';
import { rulesOfRuleset, shippedRules } from './shipped-rules.ts';
import * as store from './store.ts';

/** Where published rules are looked up; without it only shipped rules are found. */
export interface PublishedRuleScope {
  tx: Tx;
  deployment: string;
}

/** Resolves a `--config` name: `auto`, `p/<ruleset>`, `r/<path>` or `s/<id>`; undefined if there are no such rules. */
export async function resolveConfig(name: string, scope?: PublishedRuleScope): Promise<readonly Rule[] | undefined> {
  const [, kind, rest = ''] = /^(?:(p|r|s)\/)?(.+)$/s.exec(name) ?? [];
  if (kind === undefined) return name === 'auto' ? definitionsOf(rulesOfRuleset('default')) : undefined;
  if (kind === 'p') return definitionsOf(rulesOfRuleset(rest));
  const shipped = shippedRules().get(rest);
  if (shipped) return [shipped.rule];
  const find = kind === 'r' ? store.findByPath : store.findById;
  const published = scope && isStorable(rest) ? await find(scope.tx, scope.deployment, rest) : undefined;
  return published && [published.definition];
}

const definitionsOf = (rules: readonly { rule: Rule }[] | undefined): Rule[] | undefined =>
  rules?.map(({ rule }) => rule);

const isStorable = (text: string): boolean => /^[!-~]{1,256}$/.test(text);
