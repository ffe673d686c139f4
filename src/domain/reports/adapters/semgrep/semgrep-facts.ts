import {
  type LooseObject,
  list,
  nonEmptyTexts,
  number,
  object,
  objects,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedFinding, ReportedScaMatch, ReportedSecret, Severity } from '../../report-items.ts';
import { confidenceOf, cwesIn, rankedAdvisories } from '../taxonomy.ts';

const BY_NAME: Record<string, Severity> = {
  CRITICAL: 'critical',
  ERROR: 'high',
  HIGH: 'high',
  WARNING: 'medium',
  MEDIUM: 'medium',
  INFO: 'low',
  LOW: 'low',
  EXPERIMENT: 'info',
  INVENTORY: 'info',
};
const BY_NUMBER: Severity[] = ['low', 'medium', 'high', 'critical', 'info'];

/** Semgrep's severity: a word in its JSON, a number in its uploads. */
export function semgrepSeverity(value: unknown): Severity | undefined {
  const word = text(value)?.toUpperCase() ?? '';
  if (Object.hasOwn(BY_NAME, word)) return BY_NAME[word];
  return BY_NUMBER[number(value) ?? -1];
}

/** Facts from the metadata of a Semgrep rule. */
export const semgrepRuleFacts = (metadata: LooseObject) =>
  withoutUndefined({
    title: text(metadata['shortDescription']),
    category: text(metadata['category']),
    confidence: confidenceOf(metadata['confidence']),
    cwes: cwesIn(texts(metadata['cwe'])),
    owasps: nonEmptyTexts(metadata['owasp']),
    references: nonEmptyTexts(metadata['references']),
  });

export function validationOf(value: unknown): ReportedSecret['validation'] {
  const name = text(value)?.toLowerCase();
  return name === 'confirmed_valid' ||
    name === 'confirmed_invalid' ||
    name === 'validation_error' ||
    name === 'no_validator'
    ? name
    : undefined;
}

export const transitivityOf = (value: unknown): ReportedScaMatch['transitivity'] =>
  value === 'direct' || value === 'transitive' ? value : 'unknown';

/** The match of a dependency rule: `sca_info`, and advisory ids from the rule's metadata. */
export function semgrepSca(info: LooseObject, metadata: LooseObject): ReportedScaMatch | undefined {
  const match = object(info['dependency_match']);
  const found = object(match['found_dependency']);
  const name = text(found['package']);
  if (name === undefined) return undefined;
  const advisories = [
    ...texts(metadata['sca-vuln-database-identifier']),
    ...texts(metadata['cve']),
    ...texts(metadata['ghsa']),
  ];
  return withoutUndefined({
    advisories: rankedAdvisories(advisories),
    package: name,
    version: text(found['version']) ?? '',
    ecosystem: text(found['ecosystem']) ?? text(object(match['dependency_pattern'])['ecosystem']) ?? '',
    transitivity: transitivityOf(found['transitivity']),
    reachability: reachabilityOf(info, metadata),
    fixVersions: fixVersionsOf(metadata),
    isMalicious: text(metadata['sca-kind']) === 'malicious' ? true : undefined,
  });
}

function reachabilityOf(info: LooseObject, metadata: LooseObject): ReportedScaMatch['reachability'] {
  if (info['reachable'] === true) return 'reachable';
  if (text(metadata['sca-kind']) === 'upgrade-only') return 'always reachable';
  const kind = texts(list(info['kind']))[0] ?? text(info['kind']);
  if (kind === 'TransitiveUndetermined') return undefined;
  return info['reachability_rule'] === true ? 'unreachable' : undefined;
}

function fixVersionsOf(metadata: LooseObject): string[] | undefined {
  const versions = objects(metadata['sca-fix-versions']).flatMap((entry) => texts(Object.values(entry)));
  return versions.length > 0 ? versions : undefined;
}

/** The product of a finding in an upload or in JSON. */
export const productOf = (sca: unknown, metadata: LooseObject): ReportedFinding['product'] =>
  sca !== undefined ? 'sca' : text(metadata['product']) === 'secrets' ? 'secrets' : 'sast';
