import type { RuleMetadata } from '#domain/policies/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ruleIdOf } from './rules.ts';
import { rulesetsOf } from './rulesets.ts';
import type { LibraryRule } from './shape.ts';
import { shippedRules } from './shipped-rules.ts';
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

/** Rule authors write a list or a single text. */
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string' && item !== '');

const lookUp = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

function rulesetPathsOf({ rule, source, pack }: LibraryRule): string[] {
  if (pack !== undefined) return [`p/${pack}`];
  return source === 'shipped' ? rulesetsOf(rule) : [];
}

function metadataOf(known: LibraryRule): RuleMetadata {
  const { rule, source } = known;
  const metadata = rule.metadata ?? {};
  return {
    path: rule.id,
    category: textOf(metadata['category']),
    confidence: lookUp(CONFIDENCES, textOf(metadata['confidence']).toUpperCase()) ?? 'CONFIDENCE_UNSPECIFIED',
    severity: lookUp(SEVERITIES, rule.severity) ?? 'SEVERITY_UNSPECIFIED',
    source: source === 'shipped' ? 'SOURCE_COMMUNITY' : 'SOURCE_CUSTOM',
    languages: [...rule.languages],
    technologies: textsOf(metadata['technology']),
    rulesets: rulesetPathsOf(known),
    cwe: textsOf(metadata['cwe']),
    owasp: textsOf(metadata['owasp']),
    vulnerabilityClass: textsOf(metadata['vulnerability_class']),
    secretType: textOf(metadata['secret_type']),
  };
}

/** The metadata of a shipped rule by its id or path; undefined if it is not shipped. */
export function describeRule(path: string): RuleMetadata | undefined {
  const shipped = shippedRules().get(ruleIdOf(path));
  return shipped && metadataOf(shipped);
}

/** The metadata of shipped and published rules, by the requested paths. */
export async function describeRules(
  tx: Tx,
  deployment: string,
  paths: readonly string[],
): Promise<Map<string, RuleMetadata>> {
  const unshipped = paths.map(ruleIdOf).filter((id) => !shippedRules().has(id));
  const published = unshipped.length > 0 ? await store.listByPaths(tx, deployment, unshipped) : [];
  const publishedByPath = new Map(published.map((rule) => [rule.path, metadataOf(store.libraryRuleOf(rule))]));
  return new Map(
    paths.flatMap((path) => {
      const found = describeRule(path) ?? publishedByPath.get(ruleIdOf(path));
      return found ? [[path, found] as const] : [];
    }),
  );
}
