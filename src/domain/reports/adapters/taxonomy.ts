import { text } from '../json/loose-values.ts';
import type { Confidence, Severity } from '../report-items.ts';

/** Severity names of various tools. */
const SEVERITIES: Record<string, Severity> = {
  critical: 'critical',
  blocker: 'critical',
  fatal: 'high',
  error: 'high',
  high: 'high',
  important: 'high',
  warning: 'medium',
  warn: 'medium',
  medium: 'medium',
  moderate: 'medium',
  portability: 'low',
  performance: 'low',
  style: 'low',
  low: 'low',
  minor: 'low',
  note: 'low',
  info: 'info',
  information: 'info',
  informational: 'info',
  hint: 'info',
  none: 'info',
  negligible: 'info',
};

export const severityOf = (word: unknown): Severity | undefined => {
  const name = text(word)?.toLowerCase();
  return name !== undefined && Object.hasOwn(SEVERITIES, name) ? SEVERITIES[name] : undefined;
};

/** The severity by the words of one tool, whatever their case. */
export const severityIn = (words: Readonly<Record<string, Severity>>, word: unknown): Severity | undefined => {
  const name = (typeof word === 'number' ? String(word) : text(word))?.trim().toLowerCase();
  return name !== undefined && Object.hasOwn(words, name) ? words[name] : undefined;
};

/** The severity of a CVSS-like score from 0 to 10. */
export const severityOfScore = (score: number): Severity =>
  score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low';

export const confidenceOf = (word: unknown): Confidence | undefined => {
  const name = text(word)?.toLowerCase();
  if (name === 'very-high' || name === 'confirmed') return 'high';
  if (name === 'experimental' || name === 'ignore') return 'low';
  return name === 'high' || name === 'medium' || name === 'low' ? name : undefined;
};

const unique = (names: string[]) => (names.length > 0 ? [...new Set(names)] : undefined);

/** All CWE ids in the texts, in any spelling. */
export const cwesIn = (words: readonly string[]): string[] | undefined =>
  unique(
    words.flatMap((word) => [...word.matchAll(/\bcwe[-_:/ ]?0*(\d{1,5})\b/gi)].map(([, digits]) => `CWE-${digits}`)),
  );

/** The texts that name an entry of an OWASP list. */
export const owaspsIn = (words: readonly string[]): string[] | undefined =>
  unique(words.filter((word) => /\bowasp\b|^(A|M|API|LLM)\d{1,2}:20\d\d\b/i.test(word)));

const ADVISORY_RANKS = [/^CVE-\d{4}-\d{4,}$/, /^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/i];

/** Distinct advisory ids: CVE first, then GHSA, then others. */
export function rankedAdvisories(names: readonly string[]): string[] {
  const rank = (name: string) => {
    const found = ADVISORY_RANKS.findIndex((pattern) => pattern.test(name));
    return found === -1 ? ADVISORY_RANKS.length : found;
  };
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b));
}
