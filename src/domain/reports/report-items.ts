import type { CachedResult } from './identity/result-cache.ts';
import type { ReportFormat } from './shape.ts';

/**
 * What a scanner's report says, in one shape for all formats. The first is a tool that names the format; then they come
 * in the order of the file, so that the tool and the rules of a finding may come after it.
 */
export type ReportItem =
  | ({ kind: 'tool' } & ReportedTool & RunScoped)
  | ({ kind: 'rule' } & ReportedRule & RunScoped)
  | ({ kind: 'finding' } & ReportedFinding & RunScoped & { name?: CachedResult['key'] })
  | ({ kind: 'repeated' } & CachedResult)
  | ({ kind: 'dependency' } & ReportedDependency & RunScoped)
  | ({ kind: 'coverage' } & ReportedCoverage & RunScoped)
  | ({ kind: 'decision' } & ReportedDecision & RunScoped)
  | { kind: 'warning'; message: string };

/** A report may hold several runs, each with its own tool and rules; absent means all of them. */
export interface RunScoped {
  run?: number;
}

export type ReportProduct = 'sast' | 'sca' | 'secrets';
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';
export type Confidence = 'high' | 'medium' | 'low';

/** Who wrote a run; a later one of the same run says more, and replaces it. */
export interface ReportedTool {
  name: string;
  /** Of the whole report; on the first item only. */
  format?: ReportFormat;
  version?: string;
  /** Set apart from other runs of the same tool: SARIF's automationDetails.id without its run part, for one. */
  category?: string;
}

/** What a report says about a rule once, for all of its findings; a finding's own words win. */
export interface ReportedRule {
  id: string;
  /** When the rule says it; findings of it that came before may have another. */
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
  /** It is about secrets, and results of it were read as code before that was known. */
  isLateSecretRule?: boolean;
}

export interface SourceRegion {
  /** Lines and columns count from 1; the end column is exclusive. 0 where the report does not say. */
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
  /** As the report has it, with `file://`, `./` and backslashes taken out; the root is stripped later. */
  path: string;
  region: SourceRegion;
  message: string;
  severity?: Severity;
  confidence?: Confidence;
  title?: string;
  category?: string;
  cwes?: string[];
  owasps?: string[];
  references?: string[];
  /** The matched lines, when the report has them. */
  code?: string;
  /** SHA-256 of the matched code, when the report has that instead of the code. */
  codeDigest?: string;
  /** Up to two lines before and after the match, with it, when the report has them. */
  context?: string;
  /** Where the match is in the program: namespace, class, function. */
  scope?: string;
  /** Ids that the tool gives to a result by their kind, such as `matchBasedId/v1`; without an ordinal at the end. */
  fingerprints: Record<string, string>;
  /** Ids that clients of the Semgrep API know a finding by, as the scanner sent them, ordinal and all. */
  syntacticId?: string;
  matchBasedId?: string;
  fix?: string;
  /** Semgrep's `dataflow_trace`, or the flows of other tools as lists of `TraceStep`. */
  trace?: unknown;
  /** The rule's metadata as the scanner carries it, for the API members that echo it. */
  metadata?: Record<string, unknown>;
  /** The scanner says that the source asks to ignore it here. */
  isIgnoredInCode?: boolean;
  isBlocking?: boolean;
  sca?: ReportedScaMatch;
  secret?: ReportedSecret;
  /** By what another installation of ours knew it, instead of what could be made from the rest. */
  knownFingerprints?: { kind: number; digest: string }[];
}

/** A vulnerable dependency; identity is advisory, package and manifest, never the version. */
export interface ReportedScaMatch {
  /** CVE, GHSA or the scanner's own id, the best known first; all of them name the same flaw. */
  advisories: string[];
  package: string;
  version: string;
  ecosystem: string;
  transitivity: 'direct' | 'transitive' | 'unknown';
  reachability?: 'reachable' | 'always reachable' | 'conditionally reachable' | 'unreachable';
  fixVersions?: string[];
  isMalicious?: boolean;
}

/** What was leaked. The value itself lives only until its keyed digest is made (SEC-01); it is never stored. */
export interface ReportedSecret {
  type: string;
  value?: string;
  /** For reports that hold only a hash of the value. */
  valueDigest?: string;
  validation?: 'confirmed_valid' | 'confirmed_invalid' | 'validation_error' | 'no_validator';
}

export interface ReportedDependency {
  package: string;
  version: string;
  ecosystem: string;
  transitivity: 'direct' | 'transitive' | 'unknown';
  /** The lockfile, manifest or bill of materials that names it. */
  path: string;
  line?: number;
  licenses?: string[];
  resolvedUrl?: string;
  purl?: string;
  manifestPath?: string;
}

/** What a scan looked at. What is absent is not known; a report that says nothing covers what it did before. */
export interface ReportedCoverage {
  rulesRun?: string[];
  pathsSearched?: string[];
  /** Tried and failed there: nothing in them may be closed. */
  pathsFailed?: string[];
  rulesFailed?: string[];
  renamedFrom?: string[];
  /** The tool says it did not finish, or that results were cut off: nothing may be closed. */
  isIncomplete?: boolean;
}

/** A decision that the report carries: a SARIF suppression or a VEX statement. It holds while the report says so. */
export interface ReportedDecision {
  source: 'sarif' | 'vex';
  /** For SARIF: the finding before it in the file. For VEX: this advisory in this package. */
  advisory?: string;
  package?: string;
  ecosystem?: string;
  state: 'ignored' | 'reviewing' | 'fixing';
  reason?: 'acceptable_risk' | 'false_positive' | 'no_time';
  note?: string;
}
