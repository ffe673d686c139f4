import { DEPENDENCY_STAGE } from '#domain/dependencies/store.ts';
import type {
  Confidence,
  ReportedDecision,
  ReportedFinding,
  RunScoped,
  Severity,
} from '#domain/reports/report-items.ts';
import { type ColumnType, cellWriter, lineWriter } from '#kernel/db/query/copy-text.ts';
import type { StagingTable } from '#kernel/db/query/staging-table.ts';
import type { FindingIdentity } from '../tracking/finding-identity.ts';

export const SEVERITY_RANKS: Record<Severity, number> = { info: 0, low: 1, medium: 2, high: 3, critical: 4 };
export const CONFIDENCE_RANKS: Record<Confidence, number> = { low: 1, medium: 2, high: 3 };

/** The columns whose values make up the content digest of a result. */
const CONTENT_COLUMNS = {
  run: 'integer',
  product: 'text',
  rule: 'text',
  path: 'text',
  place_kind: 'text',
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
  suppression: 'text',
  suppression_reason: 'text',
  suppression_note: 'text',
} as const satisfies Record<string, ColumnType>;

const IDENTITY_COLUMNS = { context_digest: 'uuid', is_unique: 'boolean', rule_digest: 'uuid' } as const;

/** The staging tables of one import; they are dropped with its transaction. */
export const STAGING_TABLES = {
  finding: {
    table: 'stage_finding',
    columns: { n: 'integer', content_digest: 'uuid', ...CONTENT_COLUMNS, ...IDENTITY_COLUMNS },
  },
  fingerprint: {
    table: 'stage_fingerprint',
    columns: { n: 'integer', kind: 'smallint', name: 'text', digest: 'uuid', label: 'text' },
  },
  /** Unchanged results: only their digest is staged. */
  unchanged: { table: 'stage_unchanged', columns: { content_digest: 'uuid' } },
  rule: {
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
  },
  tool: { table: 'stage_tool', columns: { run: 'integer', tool: 'text' } },
  dependency: DEPENDENCY_STAGE,
} as const satisfies Record<string, StagingTable>;

export type StagingTableName = keyof typeof STAGING_TABLES;

const lineWriterOf = ({ columns }: StagingTable) => lineWriter(Object.values(columns));

export const fingerprintLine = lineWriterOf(STAGING_TABLES.fingerprint);
export const ruleLine = lineWriterOf(STAGING_TABLES.rule);
export const toolLine = lineWriterOf(STAGING_TABLES.tool);
export const dependencyLine = lineWriterOf(STAGING_TABLES.dependency);

const contentCells = cellWriter(Object.values(CONTENT_COLUMNS));
const identityCells = cellWriter(Object.values(IDENTITY_COLUMNS));

export const findingLine = (facts: {
  n: number;
  digest: string | null;
  content: string;
  identity: FindingIdentity;
}): string => {
  const { contextDigest, isUnique, ruleDigest } = facts.identity;
  const identity = identityCells([contextDigest ?? null, isUnique, ruleDigest]);
  return `${facts.n}\t${facts.digest ?? '\\N'}\t${facts.content}\t${identity}\n`;
};

const rankOf = <Name extends string>(ranks: Record<Name, number>, name: Name | undefined) =>
  name === undefined ? null : ranks[name];

/** Facts that are displayed and never filtered by. */
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

/** The policy mode, which the scanner sends in the rule's metadata. */
function modeOf({ metadata, isBlocking }: ReportedFinding): string | null {
  const actions = metadata?.['dev.semgrep.actions'];
  if (Array.isArray(actions)) return actions.includes('block') ? 'block' : actions.length > 0 ? 'comment' : 'monitor';
  return isBlocking === true ? 'block' : null;
}

/** The content columns of a result as COPY text, without its id and digests. */
export function resultColumns(finding: ReportedFinding & RunScoped, decision: ReportedDecision | undefined): string {
  const { region, sca, secret } = finding;
  return contentCells([
    finding.run ?? 0,
    finding.product,
    finding.rule,
    finding.path,
    finding.place ?? 'file',
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
    decision?.state ?? null,
    decision?.reason ?? null,
    decision?.note ?? null,
  ]);
}
