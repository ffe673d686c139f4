import type { Caller } from '#kernel/auth/caller.ts';
import type { Sql } from '#kernel/db/query/sql.ts';
import type { FindingStatus } from '../shape.ts';
import type { TextMatch } from './text-match.ts';

/** From a moment on, up to but without the other. */
export interface TimePeriod {
  from?: Date;
  to?: Date;
}

export interface NumberSpan {
  /** Nobody has published a number. */
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

/** Words that are looked for anywhere, with all that has them. */
export interface TextSearchMatches {
  text: readonly string[];
  rules: readonly string[];
  places: readonly { project_id: string; path: string }[];
}

/** What a filter says of one time that a finding came up on pull requests: of a guardrail episode. */
export interface PullRequestEpisodeFilter {
  /** As reports of guardrails class it. */
  fates?: readonly string[];
  at?: readonly TimePeriod[];
  /** `FINDING_SEVERITY_HIGH` and its like, or `rule-…` and `category-…`. */
  facts?: readonly string[];
  /** The moment whose fates count, where that is not now. */
  asOf?: Date;
}

/** What a finding must be: of each member one of the values, and all members at once. */
export interface FindingCriteria {
  /** Of findings or of their detections. */
  ids?: readonly string[];
  products?: readonly string[];
  /** As the project's primary ref sees it, or as the refs that the filter names do. */
  is?: readonly IsValue[];
  reasons?: readonly string[];
  severities?: readonly number[];
  confidences?: readonly number[];
  rules?: readonly TextMatch[];
  categories?: readonly TextMatch[];
  paths?: readonly TextMatch[];
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
  /** With underscores; `no_reachability_analysis` where nobody has looked. */
  reachabilities?: readonly string[];
  transitivities?: readonly string[];
  validations?: readonly string[];
  secretTypes?: readonly string[];
  epss?: readonly NumberSpan[];
  has?: readonly HasValue[];
  relevantSince?: readonly TimePeriod[];
  firstSeen?: readonly TimePeriod[];
  lastSeen?: readonly TimePeriod[];
  triaged?: readonly TimePeriod[];
  fixed?: readonly TimePeriod[];
  /** When, of what is ignored still. */
  ignored?: readonly TimePeriod[];
  openAt?: readonly Date[];
  /** When the decision about it does. */
  decisionEnds?: readonly TimePeriod[];
  /** What became of a request to ignore it: `requested`, `approved` or `rejected`. */
  exceptions?: readonly string[];
  /** Of one time that it came up on pull requests; archived projects and what only they had count too. */
  pullRequestEpisode?: PullRequestEpisodeFilter;
  text?: readonly string[];
  /** The same, where it is known which rules and places have the words. */
  textMatches?: TextSearchMatches;
  isMalicious?: boolean;
  /** Who made the rule, as its metadata says: `pro_rules`, `community` or `custom`. */
  origins?: readonly string[];
  /** What the rule of a dependency looks at, as its metadata says: `reachable`, `upgrade-only` and others. */
  ruleKinds?: readonly string[];
  /** A want that nothing can meet, because there is nothing of the kind. */
  isImpossible?: boolean;
}

/** The one filter of findings: what is wanted, what else is wanted, and what is not. */
export interface FindingFilter extends FindingCriteria {
  and?: readonly FindingCriteria[];
  /** Each of these must not hold. */
  without?: readonly FindingCriteria[];
  /** Of archived projects instead of the others. */
  isArchived?: boolean;
  /** Findings that only other refs have count as if the primary one had them. */
  isAnywhere?: boolean;
  /** The state is that on each ref by itself, also where no refs are named. */
  isByRef?: boolean;
}

/** Who asks, and when. */
export interface CallerContext {
  caller: Caller;
  now: Date;
}

/** A context with who asks. */
export interface ConditionContext extends RefScope {
  context: CallerContext;
}

/** What is named by the filter as a whole, and decides how the state of a finding is read. */
export interface RefScope {
  /** A condition on `project_ref`, where the state is read ref by ref. */
  ref?: Sql;
  /** Which refs does not matter. */
  isAnyRef?: boolean;
  isAnywhere: boolean;
}
