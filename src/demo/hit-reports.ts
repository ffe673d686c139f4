import { withoutSecret } from '#domain/reports/adapters/mask-secrets.ts';
import { semgrepRuleFacts, semgrepSeverity } from '#domain/reports/adapters/semgrep/semgrep-facts.ts';
import type { ReportedFinding, ReportedScaMatch, ReportItem, SourceRegion } from '#domain/reports/report-items.ts';
import type { Rule } from '#domain/rules/shape.ts';
import { type CodeHit, type DependencyHit, type GeneratedHits, type Hit, isAlive } from './generated-hits.ts';
import { renderSnippet, sampleOf, type UnaffectedPackage, unaffectedPackagesOf } from './material.ts';
import { type DemoProject, ECOSYSTEMS } from './projects.ts';
import { hexDigest, type SeededRandom } from './random.ts';
import { SECRET_TYPES, titleOf } from './vocabulary.ts';

/** Reports generated findings in the format of a real scanner. */

const START_COLUMN = 3;

const regionOf = (line: number, code: string): SourceRegion => ({
  line,
  column: START_COLUMN,
  endLine: line,
  endColumn: START_COLUMN + code.length,
});

const ids = (project: string, key: string) => {
  const digits = hexDigest(`${project} ${key}`, 128);
  return {
    fingerprints: { 'matchBasedId/v1': digits },
    matchBasedId: `${digits}_0`,
    syntacticId: digits.slice(32, 64),
  };
};

/** The taint trace from source to sink, in the format of the engine. */
function traceOf(
  path: string,
  line: number,
  { source, code }: { source: { above: number; code: string }; code: string },
) {
  const location = (at: number, text: string) => ({
    path,
    start: { line: at, col: START_COLUMN, offset: 0 },
    end: { line: at, col: START_COLUMN + text.length, offset: text.length },
  });
  const variable = /(\w+)\s*:?=[^=]/.exec(source.code)?.[1] ?? 'input';
  const sourceLine = line - source.above;
  return {
    taint_source: ['CliLoc', [location(sourceLine, source.code), source.code]],
    intermediate_vars: [{ location: location(sourceLine, variable), content: variable }],
    taint_sink: ['CliLoc', [location(line, code), code]],
  };
}

const VALIDATIONS = ['confirmed_valid', 'confirmed_invalid', 'no_validator', 'validation_error'] as const;

function secretOf({ snippet, roll }: CodeHit, value: string): ReportedFinding['secret'] {
  const type = SECRET_TYPES[snippet.rule.split('.').at(-1) ?? ''] ?? 'Generic';
  return { type, value, validation: VALIDATIONS[Math.floor(roll * VALIDATIONS.length)] ?? 'no_validator' };
}

function codeFinding(project: string, hit: CodeHit, rules: ReadonlyMap<string, Rule>): ReportedFinding {
  const { path, line, key, snippet, words, roll } = hit;
  const rule = rules.get(snippet.rule);
  const metadata = rule?.metadata ?? {};
  const { code, context, fix, source, secret } = renderSnippet(snippet, words, `${project} ${key}`);
  const isSecret = hit.kind === 'secret';
  return withoutSecret({
    product: isSecret ? 'secrets' : 'sast',
    rule: snippet.rule,
    path,
    region: regionOf(line, code),
    message: rule?.message ?? snippet.rule,
    ...semgrepRuleFacts(metadata),
    severity: isSecret && roll < 0.25 ? 'critical' : (semgrepSeverity(rule?.severity) ?? 'medium'),
    title: titleOf(snippet.rule),
    code,
    context,
    ...ids(project, key),
    metadata,
    ...(fix !== undefined && roll < 0.6 && { fix }),
    ...(source && { trace: traceOf(path, line, { source, code }) }),
    ...(isSecret && { secret: secretOf(hit, secret ?? key) ?? { type: 'Generic' } }),
  });
}

function reachabilityOf(luck: number): Pick<ReportedScaMatch, 'reachability' | 'transitivity'> {
  if (luck < 0.12) return { transitivity: 'direct', reachability: 'reachable' };
  if (luck < 0.22) return { transitivity: 'direct', reachability: 'always reachable' };
  if (luck < 0.27) return { transitivity: 'direct', reachability: 'conditionally reachable' };
  if (luck < 0.62) return { transitivity: luck < 0.4 ? 'direct' : 'transitive', reachability: 'unreachable' };
  return { transitivity: 'transitive' };
}

export const dependencyRuleOf = (advisory: string): string => `parapet.supply-chain.${advisory.toLowerCase()}`;

const BLOCKING_SEVERITIES: ReadonlySet<string> = new Set(['critical', 'high']);

function dependencyFinding(project: string, { path, line, key, advisory, roll }: DependencyHit): ReportedFinding {
  const { id, package: name, version, fixedIn, ecosystem, severity, title, cwe } = advisory;
  const reached = reachabilityOf(roll);
  const isReachable = reached.reachability === 'reachable';
  const code = `${name} ${version}`;
  return {
    product: 'sca',
    rule: dependencyRuleOf(id),
    path,
    region: regionOf(line, code),
    title: `${name}: ${title}`,
    message: `${title}. Version ${version} of ${name} is affected; ${fixedIn} is not.`,
    severity,
    confidence: 'high',
    category: 'security',
    cwes: [cwe],
    owasps: ['A06:2021 - Vulnerable and Outdated Components'],
    references: [`https://nvd.nist.gov/vuln/detail/${id}`],
    code,
    ...ids(project, key),
    metadata: {
      category: 'security',
      cwe: [cwe],
      confidence: 'HIGH',
      'sca-kind': isReachable ? 'reachable' : 'upgrade-only',
      'sca-vuln-database-identifier': id,
      'sca-fix-versions': [{ [name]: fixedIn }],
      'dev.semgrep.actions':
        isReachable && BLOCKING_SEVERITIES.has(severity)
          ? ['block']
          : BLOCKING_SEVERITIES.has(severity)
            ? ['comment']
            : [],
    },
    sca: { advisories: [id], package: name, version, ecosystem, fixVersions: [fixedIn], ...reached },
  };
}

const reports = new WeakMap<ReadonlyMap<string, Rule>, WeakMap<Hit, ReportedFinding>>();

/** The report of a finding, with the metadata of its rule; cached. */
export function reportedFinding(project: string, hit: Hit, rules: ReadonlyMap<string, Rule>): ReportedFinding {
  const known = reports.get(rules) ?? new WeakMap<Hit, ReportedFinding>();
  reports.set(rules, known);
  const finding =
    known.get(hit) ?? (hit.kind === 'dependency' ? dependencyFinding(project, hit) : codeFinding(project, hit, rules));
  known.set(hit, finding);
  return finding;
}

const UNAFFECTED_SHARE = 0.7;

/**
 * The dependencies of the lock files at a point in time: vulnerable packages in their version at that time, and others.
 */
export function dependenciesAt(
  { language }: DemoProject,
  { hits, lockfiles }: GeneratedHits,
  { ago, random }: { ago: number; random: SeededRandom },
): ReportItem[] {
  const { ecosystem } = ECOSYSTEMS[language];
  return lockfiles.flatMap((path) => {
    const unaffected = sampleOf(random.fork(path), unaffectedPackagesOf(ecosystem), UNAFFECTED_SHARE);
    const known = hits.filter((hit): hit is DependencyHit => hit.kind === 'dependency' && hit.path === path);
    const affected = known.map((hit) => ({
      package: hit.advisory.package,
      version: isAlive(hit, ago) ? hit.advisory.version : hit.advisory.fixedIn,
      license: ecosystem === 'npm' ? 'MIT' : 'Apache-2.0',
      transitivity: reachabilityOf(hit.roll).transitivity,
      line: hit.line,
    }));
    const others = unaffected.map((entry: UnaffectedPackage, index) => ({
      ...entry,
      transitivity: index % 3 === 0 ? ('transitive' as const) : ('direct' as const),
      line: 3 + index,
    }));
    return [...affected, ...others].map(
      ({ package: name, version, license, transitivity, line }): ReportItem => ({
        kind: 'dependency',
        package: name,
        version,
        ecosystem,
        transitivity,
        path,
        line,
        licenses: [license],
      }),
    );
  });
}
