import type { ReportFormat } from './shape.ts';

/**
 * An item of a report, in one shape for all formats. The first item is a tool with the format; the others follow in
 * file order, so that the tool and the rules of a finding may follow it.
 */
export type ReportItem =
  | ({ kind: 'tool' } & ReportedTool & RunScoped)
  | ({ kind: 'rule' } & ReportedRule & RunScoped)
  | ({ kind: 'finding' } & ReportedFinding & RunScoped & { cacheKey?: Buffer })
  | ({ kind: 'cached' } & CachedResult)
  | ({ kind: 'dependency' } & ReportedDependency & RunScoped)
  | ({ kind: 'coverage' } & ReportedCoverage & RunScoped)
  | ({ kind: 'decision' } & ReportedDecision & RunScoped)
  | { kind: 'warning'; message: string };

/** The index of a run within the report; absent means all runs. */
export interface RunScoped {
  run?: number;
}

export type ReportProduct = 'sast' | 'sca' | 'secrets';
/** A result that was read before, and its content digest. */
export interface CachedResult {
  /** Digest of its bytes and of the context they were read in. */
  key: Buffer;
  /** Digest of its content columns. */
  contentDigest: Buffer;
  product: ReportProduct;
}

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';
export type Confidence = 'high' | 'medium' | 'low';

/** The tool of a run; a later item of the same run replaces it. */
export interface ReportedTool {
  name: string;
  /** The format of the whole report; only on the first item. */
  format?: ReportFormat;
  version?: string;
  /** Distinguishes runs of the same tool, for example SARIF's automationDetails.id without its run part. */
  category?: string;
}

/** Facts of a rule, shared by its findings; a finding's own facts take precedence. */
export interface ReportedRule {
  id: string;
  /** If the rule states it; earlier findings of the rule may have another product. */
  product?: ReportProduct;
  title?: string;
  description?: string;
  severity?: Severity;
  confidence?: Confidence;
  category?: string;
  cwes?: string[];
  owasps?: string[];
  references?: string[];
  helpUrl?: string;
  /** The rule detects secrets, but its results were read as code before that was known. */
  isLateSecretRule?: boolean;
}

/** A place where there is no file. */
export type PlaceKind = 'endpoint' | 'resource';

export interface SourceRegion {
  /** Lines and columns start at 1; the end column is exclusive. 0 if unknown. */
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface TraceStep {
  path: string;
  region: SourceRegion;
  message?: string;
  code?: string;
}

export interface ReportedFinding {
  product: ReportProduct;
  rule: string;
  /** Normalised, without `file://`, `./` and backslashes; the root is stripped later. */
  path: string;
  /** What the path is, if it is not that of a file: an address of a service, or the name of a resource. */
  place?: PlaceKind;
  region: SourceRegion;
  message: string;
  severity?: Severity;
  confidence?: Confidence;
  title?: string;
  category?: string;
  cwes?: string[];
  owasps?: string[];
  references?: string[];
  /** The matched lines, if the report has them. */
  code?: string;
  /** SHA-256 of the matched code, if the report has that instead of the code. */
  codeDigest?: string;
  /** The match with up to two lines before and after it, if the report has them. */
  context?: string;
  /** The enclosing namespace, class and function. */
  scope?: string;
  /** The tool's own ids of the result by kind, such as `matchBasedId/v1`, without an ordinal suffix. */
  fingerprints: Record<string, string>;
  /** Ids that clients of the Semgrep API use, as the scanner sent them, with their ordinal. */
  syntacticId?: string;
  matchBasedId?: string;
  fix?: string;
  /** Semgrep's `dataflow_trace`, or the flows of other tools as lists of `TraceStep`. */
  trace?: unknown;
  /** The rule's metadata as the scanner sent it, for API members that return it. */
  metadata?: Record<string, unknown>;
  /** The source code has a comment that ignores this result. */
  isIgnoredInCode?: boolean;
  isBlocking?: boolean;
  sca?: ReportedScaMatch;
  secret?: ReportedSecret;
  /** Fingerprints from another Parapet installation, used instead of computed ones. */
  knownFingerprints?: { kind: number; digest: string }[];
}

/** A vulnerable dependency, identified by advisory, package and manifest, never by version. */
export interface ReportedScaMatch {
  /** CVE, GHSA or the scanner's own id, the best known first; all of them are the same flaw. */
  advisories: string[];
  package: string;
  version: string;
  ecosystem: string;
  transitivity: 'direct' | 'transitive' | 'unknown';
  reachability?: 'reachable' | 'always reachable' | 'conditionally reachable' | 'unreachable';
  fixVersions?: string[];
  isMalicious?: boolean;
}

/** A leaked secret. The value is kept only until its keyed digest is computed (SEC-01); it is never stored. */
export interface ReportedSecret {
  type: string;
  value?: string;
  /** For reports that contain only a hash of the value. */
  valueDigest?: string;
  validation?: 'confirmed_valid' | 'confirmed_invalid' | 'validation_error' | 'no_validator';
}

export interface ReportedDependency {
  package: string;
  version: string;
  ecosystem: string;
  transitivity: 'direct' | 'transitive' | 'unknown';
  /** The lockfile, manifest or bill of materials that lists it. */
  path: string;
  line?: number;
  licenses?: string[];
  resolvedUrl?: string;
  purl?: string;
  manifestPath?: string;
}

/** What a scan covered. Absent members are unknown; a report without coverage covers what the previous one did. */
export interface ReportedCoverage {
  rulesRun?: string[];
  pathsSearched?: string[];
  /** Paths where the scan failed: nothing in them is closed. */
  pathsFailed?: string[];
  rulesFailed?: string[];
  renamedFrom?: string[];
  /** The tool did not finish, or results were cut off: nothing is closed. */
  isIncomplete?: boolean;
}

/** A decision in the report: a SARIF suppression or a VEX statement. It holds as long as the report contains it. */
export interface ReportedDecision {
  source: 'sarif' | 'vex';
  /** SARIF: the preceding finding. VEX: this advisory in this package. */
  advisory?: string;
  package?: string;
  ecosystem?: string;
  state: 'ignored' | 'reviewing' | 'fixing';
  reason?: 'acceptable_risk' | 'false_positive' | 'no_time';
  note?: string;
}
