import type { RuleMetadata } from '#domain/policies/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ruleIdOf } from './rules.ts';
import type { LibraryRule } from './shape.ts';
import { rulesetsOf, shippedRules } from './shipped-rules.ts';
import * as store from './store.ts';

const SEVERITIES: Readonly<Record<string, RuleMetadata['severity']>> = {
  CRITICAL: 'SEVERITY_CRITICAL',
  ERROR: 'SEVERITY_HIGH',
  HIGH: 'SEVERITY_HIGH',
  WARNING: 'SEVERITY_MEDIUM',
  MEDIUM: 'SEVERITY_MEDIUM',
  INFO: 'SEVERITY_LOW',
  LOW: 'SEVERITY_LOW',
};

const CONFIDENCES: Readonly<Record<string, RuleMetadata['confidence']>> = {
  HIGH: 'CONFIDENCE_HIGH',
  MEDIUM: 'CONFIDENCE_MEDIUM',
  LOW: 'CONFIDENCE_LOW',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Authors write a list or a single text. */
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');

const wordOf = <Word>(list: Readonly<Record<string, Word>>, key: string): Word | undefined =>
  Object.hasOwn(list, key) ? list[key] : undefined;

function factsOf({ rule, source }: LibraryRule): RuleMetadata {
  const metadata = rule.metadata ?? {};
  return {
    path: rule.id,
    category: textOf(metadata['category']),
    confidence: wordOf(CONFIDENCES, textOf(metadata['confidence']).toUpperCase()) ?? 'CONFIDENCE_UNSPECIFIED',
    severity: wordOf(SEVERITIES, rule.severity) ?? 'SEVERITY_UNSPECIFIED',
    source: source === 'shipped' ? 'SOURCE_COMMUNITY' : 'SOURCE_CUSTOM',
    languages: [...rule.languages],
    technologies: textsOf(metadata['technology']),
    rulesets: source === 'shipped' ? rulesetsOf(rule) : [],
    cwe: textsOf(metadata['cwe']),
    owasp: textsOf(metadata['owasp']),
    vulnerabilityClass: textsOf(metadata['vulnerability_class']),
    secretType: textOf(metadata['secret_type']),
  };
}

/** What is known about a shipped rule, by its id or its path; undefined for what is not shipped. */
export function describeRule(path: string): RuleMetadata | undefined {
  const known = shippedRules().get(ruleIdOf(path));
  return known && factsOf(known);
}

/** What is known about rules that are shipped or published here, by the paths as they were asked for. */
export async function describeRules(
  tx: Tx,
  deployment: string,
  paths: readonly string[],
): Promise<Map<string, RuleMetadata>> {
  const unshipped = paths.map(ruleIdOf).filter((id) => !shippedRules().has(id));
  const published = unshipped.length > 0 ? await store.listByPaths(tx, deployment, unshipped) : [];
  const own = new Map(published.map((one) => [one.path, factsOf(store.libraryRuleOf(one))]));
  return new Map(
    paths.flatMap((path) => {
      const facts = describeRule(path) ?? own.get(ruleIdOf(path));
      return facts ? [[path, facts] as const] : [];
    }),
  );
}
