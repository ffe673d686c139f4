import { hash } from 'node:crypto';
import type { ReportedFinding } from '#domain/reports/reported.ts';

/** What a fingerprint is made of; each kind has a version, so that a better one can be written beside the old. */
export const PRINT_KINDS = { tool: 1, code: 2, place: 3, advisory: 4, secret: 5 } as const;

export interface Print {
  kind: number;
  /** The name of the tool's own id. */
  name: string;
  digest: string;
  /** The tool's own id itself: two of one name and value in different rules prove that it tells nothing. */
  label?: string;
}

/** The parts cannot run into each other: each is written with its length. */
export function digestOf(...parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** The tool without edition and version: the same findings come from all of them. */
export const toolFamily = (name: string): string => /^[a-z0-9.+#_-]+/.exec(name.trim().toLowerCase())?.[0] ?? 'unknown';

/** Code whose layout changed is the same code. */
export const normalisedCode = (code: string): string => code.replace(/\s+/g, ' ').trim();

/** A package goes by its name alone, a manifest by its path: versions come and go under the same flaw (F1, F2). */
function advisoryPrints({ sca, path }: ReportedFinding): Print[] {
  if (!sca) return [];
  const names = sca.advisories.map((advisory) => advisory.trim().toUpperCase());
  return [...new Set(names)].map((advisory) => {
    const digest = digestOf('sca@1', advisory, sca.ecosystem.toLowerCase(), sca.package.toLowerCase(), path);
    return { kind: PRINT_KINDS.advisory, name: '', digest };
  });
}

export interface Identity {
  /** At most one finding of a project has such a fingerprint, wherever it is found. */
  isUnique: boolean;
  prints: Print[];
  /** For results that nothing else is known of: the rule alone, told apart by place and order. */
  place: string;
  /** Of the lines around the match; undefined where the report has none. */
  context: string | undefined;
}

const MOST_PLACES = 10_000;
const places = new Map<string, string>();

/** The same few rules are asked for again and again. */
function placeOf(rule: string): string {
  const known = places.get(rule);
  if (known !== undefined) return known;
  const place = digestOf('place@1', rule);
  if (places.size < MOST_PLACES) places.set(rule, place);
  return place;
}

/**
 * By what a result will be known again. Lines, severities, messages, versions and commits are never part of it (F1).
 * Nor is the tool, which a report may name last: matching asks for it beside the fingerprint.
 */
export function identityOf(finding: ReportedFinding, secretDigest: string | undefined): Identity {
  const { product, rule } = finding;
  const place = placeOf(rule);
  const context = finding.context === undefined ? undefined : digestOf('context@1', normalisedCode(finding.context));
  if (finding.prints) {
    const isUnique = finding.prints.some(({ kind }) => kind === PRINT_KINDS.advisory || kind === PRINT_KINDS.secret);
    const prints = finding.prints.map(({ kind, digest }): Print => ({ kind, name: '', digest, label: digest }));
    return { isUnique, prints, place, context };
  }
  if (product === 'sca' && finding.sca) return { isUnique: true, prints: advisoryPrints(finding), place, context };
  if (secretDigest !== undefined && finding.secret) {
    const digest = digestOf('secret@1', finding.secret.type.toLowerCase(), secretDigest);
    return { isUnique: true, prints: [{ kind: PRINT_KINDS.secret, name: '', digest }], place, context };
  }
  const prints = Object.entries(finding.fingerprints).map(
    ([name, value]): Print => ({
      kind: PRINT_KINDS.tool,
      name,
      digest: digestOf('tool@1', rule, name, value),
      label: value,
    }),
  );
  const code = normalisedCode(finding.code ?? '');
  if (code !== '') {
    const digest = digestOf('code@1', rule, code);
    prints.push({ kind: PRINT_KINDS.code, name: '', digest });
  }
  if (finding.codeDigest !== undefined) {
    const digest = digestOf('code-digest@1', rule, finding.codeDigest);
    prints.push({ kind: PRINT_KINDS.code, name: '', digest });
  }
  return { isUnique: false, prints, place, context };
}
