import type { Caller } from '#kernel/auth/caller.ts';
import type { Sql } from '#kernel/db/query/sql.ts';
import type { FindingStatus } from '../shape.ts';
import type { TextMatch } from './text-match.ts';

/** A half-open interval: from a moment, up to but excluding another. */
export interface TimePeriod {
  from?: Date;
  to?: Date;
}

export interface NumberSpan {
  /** No score has been published. */
  isNone?: boolean;
  from?: number;
  to?: number;
  above?: number;
  below?: number;
}

export type IsValue =
  | FindingStatus
  | 'ignored_by_people'
  | 'ignored_in_code'
  | 'reopened'
  | 'new'
  | 'flapping'
  | 'held'
  | 'muted'
  | 'malicious'
  | 'unseen';

export type HasValue = 'fix' | 'ticket' | 'note' | 'trace';

/** A free-text search, resolved to the rules and paths that contain the text. */
export interface TextSearchMatches {
  text: readonly string[];
  rules: readonly string[];
  places: readonly { project_id: string; path: string }[];
}

/** Criteria for a guardrail episode: one period during which a finding was open on pull requests. */
export interface PullRequestEpisodeFilter {
  /** Classes as guardrail reports use them. */
  classes?: readonly string[];
  at?: readonly TimePeriod[];
  /** `FINDING_SEVERITY_HIGH` and similar values, or `rule-…` and `category-…`. */
  facts?: readonly string[];
  /** The moment at which the class is evaluated; defaults to now. */
  asOf?: Date;
}

/** Criteria of a finding: for each member one of its values must match, and all members must match. */
export interface FindingCriteria {
  /** Ids of findings or of their detections. */
  ids?: readonly string[];
  products?: readonly string[];
  /** As seen on the project's primary ref, or on the refs that the filter names. */
  is?: readonly IsValue[];
  reasons?: readonly string[];
  severities?: readonly number[];
  confidences?: readonly number[];
  rules?: readonly TextMatch[];
  categories?: readonly TextMatch[];
  paths?: readonly TextMatch[];
  /** Addresses of services. */
  endpoints?: readonly TextMatch[];
  resources?: readonly TextMatch[];
  packages?: readonly TextMatch[];
  advisories?: readonly TextMatch[];
  tools?: readonly TextMatch[];
  refs?: readonly TextMatch[];
  refIds?: readonly string[];
  projects?: readonly TextMatch[];
  projectIds?: readonly string[];
  tags?: readonly TextMatch[];
  teams?: readonly TextMatch[];
  /** `CWE-89`. */
  cwes?: readonly string[];
  /** `A03`, or `A03:2021`. */
  owasps?: readonly string[];
  ecosystems?: readonly string[];
  modes?: readonly string[];
  /** With underscores; `no_reachability_analysis` where no analysis was made. */
  reachabilities?: readonly string[];
  transitivities?: readonly string[];
  validations?: readonly string[];
  secretTypes?: readonly string[];
  epss?: readonly NumberSpan[];
  /** E-mail addresses in lower case, `me` or `none`. */
  assignees?: readonly string[];
  has?: readonly HasValue[];
  relevantSince?: readonly TimePeriod[];
  firstSeen?: readonly TimePeriod[];
  lastSeen?: readonly TimePeriod[];
  triaged?: readonly TimePeriod[];
  fixed?: readonly TimePeriod[];
  /** When it was ignored; only findings that are still ignored match. */
  ignored?: readonly TimePeriod[];
  openAt?: readonly Date[];
  /** When the triage decision expires. */
  decisionEnds?: readonly TimePeriod[];
  /** State of a request to ignore the finding: `requested`, `approved` or `rejected`. */
  exceptions?: readonly string[];
  /**
   * An episode on pull requests; findings of archived projects, and findings that exist only on pull requests, match
   * too.
   */
  pullRequestEpisode?: PullRequestEpisodeFilter;
  text?: readonly string[];
  /** The resolved form of `text`. */
  textMatches?: TextSearchMatches;
  isMalicious?: boolean;
  /** The rule's origin according to its metadata: `pro_rules`, `community` or `custom`. */
  origins?: readonly string[];
  /** The kind of a dependency rule according to its metadata: `reachable`, `upgrade-only` and others. */
  ruleKinds?: readonly string[];
  /** True if no finding can match. */
  isImpossible?: boolean;
}

/** The filter of findings, shared by all operations: criteria, further criteria, and exclusions. */
export interface FindingFilter extends FindingCriteria {
  and?: readonly FindingCriteria[];
  /** A finding that matches any of these is excluded. */
  without?: readonly FindingCriteria[];
  /** Archived projects instead of active ones. */
  isArchived?: boolean;
  /** Findings that exist only on other refs are treated as if they were on the primary ref. */
  isAnywhere?: boolean;
  /** The state is evaluated per ref, even if the filter names no refs. */
  isByRef?: boolean;
}

/** The caller, and the time of the request. */
export interface CallerContext {
  caller: Caller;
  now: Date;
}

/** The ref scope together with the caller. */
export interface ConditionContext extends RefScope {
  context: CallerContext;
}

/** How the state of a finding is evaluated, as determined by the whole filter. */
export interface RefScope {
  /** A condition on `project_ref`, if the state is evaluated per ref. */
  ref?: Sql;
  /** Every ref matches. */
  isAnyRef?: boolean;
  isAnywhere: boolean;
}
