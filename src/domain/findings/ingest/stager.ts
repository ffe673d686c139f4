import { createHmac, hash, type KeyObject } from 'node:crypto';
import { createIgnoreMatcher, type IgnoreMatcher, type ProductIgnorePatterns } from '#domain/ignores/ignore-matcher.ts';
import { DIGEST_BYTES } from '#domain/reports/identity/digest-table.ts';
import { isRepositoryPath } from '#domain/reports/identity/report-paths.ts';
import type { ResultCache } from '#domain/reports/identity/result-cache.ts';
import type {
  CachedResult,
  ReportedCoverage,
  ReportedDecision,
  ReportedFinding,
  ReportedTool,
  ReportItem,
} from '#domain/reports/report-items.ts';
import type { ReportFormat } from '#domain/reports/shape.ts';
import { fingerprintDigest, identityOf, toolFamily } from '../tracking/finding-identity.ts';
import {
  CONFIDENCE_RANKS,
  dependencyLine,
  findingLine,
  fingerprintLine,
  resultColumns,
  ruleLine,
  SEVERITY_RANKS,
  type StagingTableName,
  toolLine,
} from './staging-tables.ts';

export interface StagerOptions {
  ignores: readonly ProductIgnorePatterns[];
  /** Secret values are reduced to a keyed digest, with a different key for each deployment. */
  secrets: { key: KeyObject; deployment: string };
}

/** COPY lines of one staging table. */
export interface CopyLines {
  stage: StagingTableName;
  text: Uint8Array<ArrayBuffer>;
}

/** Everything in a report besides its rows, available after the last item. */
export interface ReportSummary {
  format: ReportFormat | 'unknown';
  /** In the order of the runs; a later item about a run replaces an earlier one. */
  tools: ReportedTool[];
  coverage: ReportedCoverage;
  vex: ReportedDecision[];
  warnings: string[];
  /** Digest of rules and tools: equal content digests are comparable only for the same ruleset. */
  rulesetDigest: string;
  /** Secret rules that followed their results. */
  lateSecretRules: string[];
  findingCount: number;
  dependencyCount: number;
  decisionCount: number;
  /** Unchanged results per product. */
  unchanged: Record<ReportedFinding['product'], number>;
  /** Serialized cache for the next scan. */
  resultCache?: Uint8Array<ArrayBuffer>;
}

const MAX_WARNINGS = 100;
const BATCH_CHARACTERS = 128 * 1024;

/** Adds the coverage of a further run. */
function addCoverage(all: ReportedCoverage, more: ReportedCoverage): void {
  if (more.isIncomplete === true) all.isIncomplete = true;
  for (const name of ['rulesRun', 'pathsSearched', 'pathsFailed', 'rulesFailed', 'renamedFrom'] as const) {
    if (more[name] === undefined) continue;
    all[name] ??= [];
    for (const item of more[name]) all[name].push(item);
  }
}

const encoder = new TextEncoder();

/** Converts report items to COPY lines; runs in a worker thread. */
export class Stager {
  readonly #isIgnored: IgnoreMatcher;
  readonly #secrets: StagerOptions['secrets'];
  readonly #cache: ResultCache;
  readonly #tools = new Map<number, ReportedTool>();
  readonly #rules = new Map<string, string>();
  readonly #buffers = new Map<StagingTableName, string>();
  #characters = 0;
  #current: { finding: Extract<ReportItem, { kind: 'finding' }>; decision?: ReportedDecision } | undefined;
  readonly #summary: Omit<ReportSummary, 'tools' | 'rulesetDigest' | 'resultCache'> = {
    format: 'unknown',
    coverage: {},
    vex: [],
    warnings: [],
    lateSecretRules: [],
    findingCount: 0,
    dependencyCount: 0,
    decisionCount: 0,
    unchanged: { sast: 0, sca: 0, secrets: 0 },
  };

  constructor({ ignores, secrets }: StagerOptions, cache: ResultCache) {
    this.#isIgnored = createIgnoreMatcher(ignores);
    this.#secrets = secrets;
    this.#cache = cache;
  }

  /** Adds an item; true if enough lines have accumulated to take them. */
  add(item: ReportItem): boolean {
    if (item.kind === 'cached') this.#addCached(item);
    else if (item.kind === 'finding') this.#addFinding(item);
    else if (item.kind === 'rule') this.#addRule(item);
    else if (item.kind === 'dependency') this.#addDependency(item);
    else if (item.kind === 'decision') this.#addDecision(item);
    else if (item.kind === 'tool') this.#addTool(item);
    else if (item.kind === 'coverage') addCoverage(this.#summary.coverage, item);
    else if (this.#summary.warnings.length < MAX_WARNINGS) this.#summary.warnings.push(item.message);
    return this.#characters >= BATCH_CHARACTERS;
  }

  /** Takes the accumulated lines. */
  take(): CopyLines[] {
    const lines = [...this.#buffers].map(([stage, text]) => ({ stage, text: encoder.encode(text) }));
    this.#buffers.clear();
    this.#characters = 0;
    return lines;
  }

  /** Ends the report. */
  end(): ReportSummary {
    this.#finishFinding();
    const rules = [...this.#rules.values()].sort();
    for (const line of rules) this.#write('rule', line);
    const tools = [...this.#tools].map(([run, { name }]) => toolLine([run, toolFamily(name)]));
    for (const line of tools) this.#write('tool', line);
    const rulesetDigest = fingerprintDigest('rules@1', ...rules, ...tools);
    const resultCache = this.#cache.serialize();
    return {
      ...this.#summary,
      tools: [...this.#tools.values()],
      rulesetDigest,
      ...(resultCache && { resultCache }),
    };
  }

  #write(stage: StagingTableName, line: string): void {
    this.#buffers.set(stage, (this.#buffers.get(stage) ?? '') + line);
    this.#characters += line.length;
  }

  #addTool(item: Extract<ReportItem, { kind: 'tool' }>): void {
    if (item.format) this.#summary.format = item.format;
    this.#tools.set(item.run ?? 0, item);
  }

  #addDecision(item: Extract<ReportItem, { kind: 'decision' }>): void {
    this.#summary.decisionCount++;
    if (item.source === 'vex') this.#summary.vex.push(item);
    else if (this.#current) this.#current.decision = item;
  }

  #addRule(item: Extract<ReportItem, { kind: 'rule' }>): void {
    this.#rules.set(`${item.run ?? 0} ${item.id}`, ruleLineOf(item));
    if (item.isLateSecretRule === true) this.#summary.lateSecretRules.push(item.id);
  }

  #addFinding(item: Extract<ReportItem, { kind: 'finding' }>): void {
    this.#finishFinding();
    // Results in ignored paths are treated as if the scanner had not searched there.
    if (!this.#isIgnored(item.product, item.path)) this.#current = { finding: item };
  }

  /** A finding is complete when the next one starts: its suppression follows it. */
  #finishFinding(): void {
    if (!this.#current) return;
    const { finding, decision } = this.#current;
    this.#current = undefined;
    const content = resultColumns(finding, decision);
    const secret = this.#secretDigest(finding);
    // Results with decisions are always compared, because people may have decided otherwise in the meantime.
    const digest = decision ? null : contentDigestOf(content, finding, secret);
    if (digest !== null && finding.cacheKey && isRepositoryPath(finding.path))
      this.#cache.add({ key: finding.cacheKey, contentDigest: digest, product: finding.product });
    if (digest !== null && this.#cache.takeUnchanged(digest)) {
      this.#writeUnchanged(digest, finding.product);
      return;
    }
    const n = this.#summary.findingCount++;
    const identity = identityOf(finding, secret);
    this.#write('finding', findingLine({ n, digest: digest?.toString('hex') ?? null, content, identity }));
    let lines = '';
    for (const { kind, name, digest: fingerprint, label } of identity.fingerprints)
      lines += fingerprintLine([n, kind, name, fingerprint, label ?? null]);
    if (lines !== '') this.#write('fingerprint', lines);
  }

  #addCached(result: CachedResult): void {
    this.#cache.add(result);
    this.#writeUnchanged(result.contentDigest, result.product);
  }

  #writeUnchanged(contentDigest: Buffer, product: ReportedFinding['product']): void {
    this.#summary.unchanged[product]++;
    this.#write('unchanged', `${contentDigest.toString('hex')}\n`);
  }

  #secretDigest({ secret }: ReportedFinding): string | undefined {
    if (secret?.value === undefined) return secret?.valueDigest;
    const { key, deployment } = this.#secrets;
    return createHmac('sha256', key).update(`${deployment}\0${secret.value}`).digest('hex');
  }

  #addDependency(item: Extract<ReportItem, { kind: 'dependency' }>): void {
    this.#summary.dependencyCount++;
    const { path, ecosystem, package: name, version, transitivity } = item;
    const details = [item.line ?? null, item.licenses ?? [], item.resolvedUrl ?? null, item.purl ?? null];
    const line = [path, ecosystem, name, version, transitivity, ...details, item.manifestPath ?? null];
    this.#write('dependency', dependencyLine(line));
  }
}

/** Report texts contain no NUL, so the separator is unambiguous. */
function contentDigestOf(content: string, { fingerprints, codeDigest = '' }: ReportedFinding, secret = ''): Buffer {
  let text = `result@1\0${content}\0${codeDigest}\0${secret}`;
  for (const name in fingerprints) text += `\0${name}\0${fingerprints[name]}`;
  return hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES);
}

function ruleLineOf(rule: Extract<ReportItem, { kind: 'rule' }>): string {
  const { id, product, title, severity, confidence, category, cwes, owasps, references, helpUrl, description } = rule;
  return ruleLine([
    rule.run ?? 0,
    id,
    product ?? null,
    title ?? null,
    severity === undefined ? null : SEVERITY_RANKS[severity],
    confidence === undefined ? null : CONFIDENCE_RANKS[confidence],
    category ?? null,
    cwes ?? null,
    owasps ?? null,
    { ...(references && { references }), ...(helpUrl && { helpUrl }), ...(description && { description }) },
  ]);
}
