import { DEPENDENCY_STAGE } from '#domain/dependencies/store.ts';
import type { Confidence, OfRun, Reported, ReportedFinding, Severity } from '#domain/reports/reported.ts';
import type { Stage } from '#kernel/db/copy.ts';
import type { Cells } from '#kernel/db/copy-text.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Identity, identityOf, toolFamily } from './identity.ts';

export const SEVERITY_RANKS: Record<Severity, number> = { info: 0, low: 1, medium: 2, high: 3, critical: 4 };
export const CONFIDENCE_RANKS: Record<Confidence, number> = { low: 1, medium: 2, high: 3 };

/** The tables that one scan is brought in through: they live as long as its transaction. */
const FINDINGS: Stage = {
  table: 'stage_finding',
  columns: {
    n: 'integer',
    run: 'integer',
    product: 'text',
    rule: 'text',
    path: 'text',
    line: 'integer',
    start_column: 'integer',
    end_line: 'integer',
    end_column: 'integer',
    title: 'text',
    message: 'text',
    severity: 'smallint',
    confidence: 'smallint',
    category: 'text',
    cwes: 'text[]',
    owasps: 'text[]',
    code: 'text',
    scope: 'text',
    context: 'text',
    context_digest: 'uuid',
    syntactic_id: 'text',
    match_based_id: 'text',
    mode: 'text',
    advisory: 'text',
    package: 'text',
    package_version: 'text',
    ecosystem: 'text',
    transitivity: 'text',
    reachability: 'text',
    secret_type: 'text',
    validation: 'text',
    detail: 'jsonb',
    is_muted: 'boolean',
    is_unique: 'boolean',
    place: 'uuid',
    suppression: 'text',
    suppression_reason: 'text',
    suppression_note: 'text',
  },
};

const PRINTS: Stage = {
  table: 'stage_print',
  columns: { n: 'integer', kind: 'smallint', name: 'text', digest: 'uuid', label: 'uuid' },
};

const RULES: Stage = {
  table: 'stage_rule',
  columns: {
    run: 'integer',
    rule: 'text',
    product: 'text',
    title: 'text',
    severity: 'smallint',
    confidence: 'smallint',
    category: 'text',
    cwes: 'text[]',
    owasps: 'text[]',
    detail: 'jsonb',
  },
};

const TOOLS: Stage = { table: 'stage_tool', columns: { run: 'integer', tool: 'text' } };

type Decision = Extract<Reported, { kind: 'decision' }>;

const rankOf = <Name extends string>(ranks: Record<Name, number>, name: Name | undefined) =>
  name === undefined ? null : ranks[name];

/** What is shown of a finding and never searched for. */
function detailOf(finding: ReportedFinding): object {
  const { references, fix, trace, metadata, sca } = finding;
  return {
    ...(references && { references }),
    ...(fix !== undefined && { fix }),
    ...(trace !== undefined && { trace }),
    ...(metadata && { metadata }),
    ...(sca && {
      advisories: sca.advisories,
      fixVersions: sca.fixVersions ?? [],
      isMalicious: sca.isMalicious === true,
    }),
  };
}

/** What a policy asks for where the finding is found: the scanner carries it in the rule's metadata. */
function modeOf({ metadata, isBlocking }: ReportedFinding): string | null {
  const actions = metadata?.['dev.semgrep.actions'];
  if (Array.isArray(actions)) return actions.includes('block') ? 'block' : actions.length > 0 ? 'comment' : 'monitor';
  return isBlocking === true ? 'block' : null;
}

interface Settled {
  n: number;
  finding: ReportedFinding & OfRun;
  identity: Identity;
  decision?: Decision;
}

function findingRow({ n, finding, identity, decision }: Settled): Cells {
  const { region, sca, secret } = finding;
  return [
    n,
    finding.run ?? 0,
    finding.product,
    finding.rule,
    finding.path,
    region.line,
    region.column,
    region.endLine,
    region.endColumn,
    finding.title ?? null,
    finding.message,
    rankOf(SEVERITY_RANKS, finding.severity),
    rankOf(CONFIDENCE_RANKS, finding.confidence),
    finding.category ?? null,
    finding.cwes ?? null,
    finding.owasps ?? null,
    finding.code ?? null,
    finding.scope ?? null,
    finding.context ?? null,
    identity.context ?? null,
    finding.syntacticId ?? null,
    finding.matchBasedId ?? null,
    modeOf(finding),
    sca?.advisories[0] ?? null,
    sca?.package ?? null,
    sca?.version ?? null,
    sca?.ecosystem ?? null,
    sca?.transitivity ?? null,
    sca?.reachability ?? null,
    secret?.type ?? null,
    secret?.validation ?? null,
    detailOf(finding),
    finding.isIgnoredInCode === true,
    identity.isUnique,
    identity.place,
    decision?.state ?? null,
    decision?.reason ?? null,
    decision?.note ?? null,
  ];
}

/** Gathers what a report says in rows, and writes them whenever there are enough. */
export class Staging {
  readonly #tx: Tx;
  readonly #secretDigest: (value: string) => string;
  readonly #tools = new Map<number, string>();
  #findings: Cells[] = [];
  #prints: Cells[] = [];
  #rules = new Map<string, Cells>();
  #dependencies: Cells[] = [];
  #last: { finding: ReportedFinding & OfRun; decision?: Decision } | undefined;
  findingCount = 0;
  dependencyCount = 0;
  decisionCount = 0;

  /** A secret's value is known from here on by a keyed digest alone. */
  constructor(tx: Tx, secretDigest: (value: string) => string) {
    this.#tx = tx;
    this.#secretDigest = secretDigest;
  }

  /** True when there are enough rows to be written. */
  add(item: Reported): boolean {
    if (item.kind === 'decision') this.decisionCount++;
    if (item.kind === 'finding') {
      this.#settle();
      this.#last = { finding: item };
    } else if (item.kind === 'tool') this.#tools.set(item.run ?? 0, toolFamily(item.name));
    else if (item.kind === 'decision' && item.source === 'sarif' && this.#last) this.#last.decision = item;
    else if (item.kind === 'rule') this.#rules.set(`${item.run ?? 0} ${item.id}`, ruleRow(item));
    else if (item.kind === 'dependency') this.#addDependency(item);
    return this.#findings.length + this.#dependencies.length >= BATCH;
  }

  /** A finding is complete only when the next item comes: its suppression stands behind it. */
  #settle(): void {
    if (!this.#last) return;
    const { finding, decision } = this.#last;
    this.#last = undefined;
    const value = finding.secret?.value;
    const secret = value === undefined ? finding.secret?.valueDigest : this.#secretDigest(value);
    const identity = identityOf(finding, secret);
    const n = this.findingCount++;
    this.#findings.push(findingRow({ n, finding, identity, ...(decision && { decision }) }));
    for (const { kind, name, digest, label } of identity.prints) this.#prints.push([n, kind, name, digest, label]);
  }

  #addDependency(item: Extract<Reported, { kind: 'dependency' }>): void {
    this.dependencyCount++;
    this.#dependencies.push([
      item.path,
      item.ecosystem,
      item.package,
      item.version,
      item.transitivity,
      item.line ?? null,
      item.licenses ?? [],
      item.resolvedUrl ?? null,
      item.purl ?? null,
      item.manifestPath ?? null,
    ]);
  }

  async flush(): Promise<void> {
    await this.#tx.copy(FINDINGS, this.#findings);
    await this.#tx.copy(PRINTS, this.#prints);
    await this.#tx.copy(DEPENDENCY_STAGE, this.#dependencies);
    [this.#findings, this.#prints, this.#dependencies] = [[], [], []];
  }

  async end(): Promise<void> {
    this.#settle();
    await this.flush();
    await this.#tx.copy(TOOLS, this.#tools);
    await this.#tx.copy(RULES, this.#rules.values());
    await this.#tx.run`analyze stage_finding`;
    await this.#tx.run`analyze stage_print`;
  }
}

/** Few enough to be forgotten while they are young: older rows would stay in memory until there are many of them. */
const BATCH = 500;

function ruleRow(rule: Extract<Reported, { kind: 'rule' }>): Cells {
  const { id, product, title, severity, confidence, category, cwes, owasps, references, helpUrl, description } = rule;
  return [
    rule.run ?? 0,
    id,
    product ?? null,
    title ?? null,
    rankOf(SEVERITY_RANKS, severity),
    rankOf(CONFIDENCE_RANKS, confidence),
    category ?? null,
    cwes ?? null,
    owasps ?? null,
    { ...(references && { references }), ...(helpUrl && { helpUrl }), ...(description && { description }) },
  ];
}
