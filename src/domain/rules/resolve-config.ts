import type { Tx } from '#kernel/db/tx.ts';
import type { Rule } from './shape.ts';
import { rulesOfRuleset, shippedRules } from './shipped-rules.ts';
import * as store from './store.ts';

/** Where published rules are looked up; without it only shipped ones are found. */
export interface PublishedRuleScope {
  tx: Tx;
  deployment: string;
}

/** The rules behind a name that `--config` takes: `auto`, `p/<ruleset>`, `r/<path>` or `s/<id>`; undefined for none. */
export async function resolveConfig(name: string, shelf?: PublishedRuleScope): Promise<readonly Rule[] | undefined> {
  const [, kind, rest = ''] = /^(?:(p|r|s)\/)?(.+)$/s.exec(name) ?? [];
  if (kind === undefined) return name === 'auto' ? plain(rulesOfRuleset('default')) : undefined;
  if (kind === 'p') return plain(rulesOfRuleset(rest));
  const shipped = shippedRules().get(rest);
  if (shipped) return [shipped.rule];
  const find = kind === 'r' ? store.findByPath : store.findById;
  const published = shelf && isStorable(rest) ? await find(shelf.tx, shelf.deployment, rest) : undefined;
  return published && [published.definition];
}

const plain = (rules: readonly { rule: Rule }[] | undefined): Rule[] | undefined => rules?.map(({ rule }) => rule);

const isStorable = (text: string): boolean => /^[!-~]{1,256}$/.test(text);
