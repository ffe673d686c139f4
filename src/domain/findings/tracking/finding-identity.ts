import { hash } from 'node:crypto';
import type { ReportedFinding } from '#domain/reports/report-items.ts';

/** Kinds of fingerprints; each digest contains a version, so that a better one can be stored beside the old one. */
export const FINGERPRINT_KINDS = { tool: 1, code: 2, rule: 3, advisory: 4, secret: 5, instance: 6 } as const;

export interface Fingerprint {
  kind: number;
  /** Name of the tool's own id. */
  name: string;
  digest: string;
  /** Value of the tool's own id: if results of different rules share it, the id identifies nothing. */
  label?: string;
}

/** Each part is prefixed with its length, so that parts cannot run into each other. */
export function fingerprintDigest(...parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** The tool's name without edition and version, which do not change its findings. */
export const toolFamily = (name: string): string => /^[a-z0-9.+#_-]+/.exec(name.trim().toLowerCase())?.[0] ?? 'unknown';

/** Ignores whitespace differences. */
export const normaliseCode = (code: string): string => code.replace(/\s+/g, ' ').trim();

/**
 * Identified by package name and manifest path, never by version (F1, F2). The instance tells apart several versions
 * and several advisories with a common name in one report; it is not needed to recognize the finding later.
 */
function advisoryFingerprints({ rule, sca, path }: ReportedFinding): Fingerprint[] {
  if (!sca) return [];
  const names = (sca.advisories.length > 0 ? sca.advisories : [rule]).map((name) => name.trim().toUpperCase());
  const place = [sca.ecosystem.toLowerCase(), sca.package.toLowerCase(), path];
  const advisories = [...new Set(names)].map((advisory): Fingerprint => {
    const digest = fingerprintDigest('sca@1', advisory, ...place);
    return { kind: FINGERPRINT_KINDS.advisory, name: '', digest };
  });
  return [...advisories, instanceOf(names[0] ?? '', ...place, sca.version)];
}

const instanceOf = (...parts: readonly string[]): Fingerprint => ({
  kind: FINGERPRINT_KINDS.instance,
  name: '',
  digest: fingerprintDigest('instance@1', ...parts),
});

export interface FindingIdentity {
  /** The result is an advisory or a secret, which is identified without its surroundings. */
  isUnique: boolean;
  fingerprints: Fingerprint[];
  /** Digest of the rule alone, for results without another fingerprint; they are told apart by position and order. */
  ruleDigest: string;
  /** Digest of the surrounding lines; undefined if the report has none. */
  contextDigest: string | undefined;
}

const MAX_CACHED_RULES = 10_000;
const ruleDigests = new Map<string, string>();

/** Cached, because results share few rules. */
function ruleDigestOf(rule: string): string {
  const cached = ruleDigests.get(rule);
  if (cached !== undefined) return cached;
  const digest = fingerprintDigest('place@1', rule);
  if (ruleDigests.size < MAX_CACHED_RULES) ruleDigests.set(rule, digest);
  return digest;
}

/**
 * The identity of a result. Lines, severities, messages, versions and commits are never part of it (F1), nor is the
 * tool, which a report may name last: matching compares it separately.
 */
export function identityOf(finding: ReportedFinding, secretDigest: string | undefined): FindingIdentity {
  const { product, rule } = finding;
  const ruleDigest = ruleDigestOf(rule);
  const contextDigest =
    finding.context === undefined ? undefined : fingerprintDigest('context@1', normaliseCode(finding.context));
  if (finding.knownFingerprints) {
    // Other versions that the finding had are not this result.
    const known = finding.knownFingerprints.filter(({ kind }) => kind !== FINGERPRINT_KINDS.instance);
    const fingerprints = known.map(({ kind, digest }): Fingerprint => ({ kind, name: '', digest, label: digest }));
    const has = (wanted: number) => known.some(({ kind }) => kind === wanted);
    const isAdvisory = has(FINGERPRINT_KINDS.advisory) && !has(FINGERPRINT_KINDS.secret);
    if (isAdvisory && finding.sca)
      fingerprints.push(...advisoryFingerprints(finding).filter(({ kind }) => kind === FINGERPRINT_KINDS.instance));
    else if (isAdvisory) fingerprints.push(instanceOf(...known.map(({ digest }) => digest).sort()));
    const isUnique = isAdvisory || has(FINGERPRINT_KINDS.secret);
    return { isUnique, fingerprints, ruleDigest, contextDigest };
  }
  if (product === 'sca' && finding.sca)
    return { isUnique: true, fingerprints: advisoryFingerprints(finding), ruleDigest, contextDigest };
  if (secretDigest !== undefined && finding.secret) {
    const digest = fingerprintDigest('secret@1', finding.secret.type.toLowerCase(), secretDigest);
    return {
      isUnique: true,
      fingerprints: [{ kind: FINGERPRINT_KINDS.secret, name: '', digest }],
      ruleDigest,
      contextDigest,
    };
  }
  const fingerprints = Object.entries(finding.fingerprints).map(
    ([name, value]): Fingerprint => ({
      kind: FINGERPRINT_KINDS.tool,
      name,
      digest: fingerprintDigest('tool@1', rule, name, value),
      label: value,
    }),
  );
  const code = normaliseCode(finding.code ?? '');
  if (code !== '') {
    const digest = fingerprintDigest('code@1', rule, code);
    fingerprints.push({ kind: FINGERPRINT_KINDS.code, name: '', digest });
  }
  if (finding.codeDigest !== undefined) {
    const digest = fingerprintDigest('code-digest@1', rule, finding.codeDigest);
    fingerprints.push({ kind: FINGERPRINT_KINDS.code, name: '', digest });
  }
  return { isUnique: false, fingerprints, ruleDigest, contextDigest };
}
