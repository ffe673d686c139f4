import type {
  FindingCriteria,
  FindingFilter,
  IsValue,
  NumberSpan,
  TimePeriod,
} from '#domain/findings/filter/finding-filter.ts';
import { combineFilters, filterOfText } from '#domain/findings/filter/query-filter.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { PRODUCTS, triageReasonOf } from '#domain/findings/shape.ts';
import { parseRef } from '#domain/scans/refs.ts';
import type { IssueFilter } from './filter-shape.ts';

const DAY_MS = 86_400_000;

const RELATIVE_MS: Record<string, number> = {
  RELATIVE_SINCE_ONE_MINUTE: 60_000,
  RELATIVE_SINCE_ONE_DAY: DAY_MS,
  RELATIVE_SINCE_ONE_WEEK: 7 * DAY_MS,
  RELATIVE_SINCE_ONE_MONTH: 30 * DAY_MS,
  RELATIVE_SINCE_THREE_MONTHS: 90 * DAY_MS,
  RELATIVE_SINCE_SIX_MONTHS: 180 * DAY_MS,
  RELATIVE_SINCE_ONE_YEAR: 365 * DAY_MS,
};

const TABS: Record<string, IsValue> = {
  ISSUE_TAB_OPEN: 'open',
  ISSUE_TAB_IGNORED: 'ignored',
  ISSUE_TAB_CLOSED: 'fixed',
  ISSUE_TAB_REVIEWING: 'reviewing',
  ISSUE_TAB_FIXING: 'fixing',
  ISSUE_TAB_PROVISIONALLY_IGNORED: 'provisionally_ignored',
};

const UNRESOLVED: readonly IsValue[] = ['open', 'reviewing', 'fixing', 'provisionally_ignored', 'ignored_by_people'];
const STATUSES: Record<string, readonly IsValue[]> = {
  ISSUE_STATUS_FIXED: ['fixed'],
  ISSUE_STATUS_MUTED: ['ignored_in_code'],
  ISSUE_STATUS_REMOVED: ['removed'],
  ISSUE_STATUS_UNRESOLVED: UNRESOLVED,
};

const AGGREGATES: Record<string, readonly IsValue[]> = {
  AGGREGATE_ISSUE_STATE_OPEN: ['open'],
  AGGREGATE_ISSUE_STATE_FIXED: ['fixed'],
  AGGREGATE_ISSUE_STATE_REMOVED: ['removed'],
  AGGREGATE_ISSUE_STATE_IGNORED_APP: ['ignored_by_people'],
  AGGREGATE_ISSUE_STATE_IGNORED_CODE: ['ignored_in_code'],
  AGGREGATE_ISSUE_STATE_REVIEWING: ['reviewing'],
  AGGREGATE_ISSUE_STATE_FIXING: ['fixing'],
  AGGREGATE_ISSUE_STATE_PROVISIONALLY_IGNORED_APP: ['provisionally_ignored'],
};

const EXPOSURES: Record<string, readonly string[]> = {
  REACHABLE: ['reachable', 'always_reachable', 'conditionally_reachable'],
  UNREACHABLE: ['unreachable'],
  UNKNOWN_EXPOSURE: ['no_reachability_analysis'],
};

const EPSS: Record<string, NumberSpan> = {
  EPSS_PROBABILITY_LOW: { below: 0.1 },
  EPSS_PROBABILITY_MEDIUM: { from: 0.1, below: 0.5 },
  EPSS_PROBABILITY_HIGH: { from: 0.5 },
  EPSS_PROBABILITY_NONE: { isNone: true },
};

const MODES: Record<string, string> = {
  'rule-board-audit': 'monitor',
  'rule-board-pr-comments': 'comment',
  'rule-board-block': 'block',
};

const SEVERITY_RANKS: Record<string, readonly number[]> = {
  SEVERITY_LOW: [0, 1],
  SEVERITY_MEDIUM: [2],
  SEVERITY_HIGH: [3],
  SEVERITY_CRITICAL: [4],
};
const CONFIDENCE_RANKS: Record<string, number> = { CONFIDENCE_LOW: 1, CONFIDENCE_MEDIUM: 2, CONFIDENCE_HIGH: 3 };
const ORIGINS: Record<string, string> = {
  SOURCE_PRO: 'pro_rules',
  SOURCE_COMMUNITY: 'community',
  SOURCE_CUSTOM: 'custom',
};
const RULE_KINDS: Record<string, string> = {
  SCA_RULE_KIND_REACHABLE: 'reachable',
  SCA_RULE_KIND_UPGRADE_ONLY: 'upgrade-only',
  SCA_RULE_KIND_MALICIOUS_DEPENDENCY: 'malicious',
  SCA_RULE_KIND_LEGACY: 'legacy',
};

type Words = readonly string[] | undefined;

const isSome = (words: Words): words is readonly string[] => words !== undefined && words.length > 0;

/** A member that is absent or empty wants nothing. */
const some = <Want extends FindingCriteria>(words: Words, want: (words: readonly string[]) => Want) =>
  isSome(words) ? want(words) : {};

/** Names without their prefix, in lower case. */
const bare = (words: readonly string[], prefix: string) => words.map((word) => word.replace(prefix, '').toLowerCase());

const by = <Item>(table: Record<string, Item>, words: readonly string[]) => words.flatMap((word) => table[word] ?? []);

function states(filter: IssueFilter): FindingCriteria[] {
  const { status, tab, aggregateIssueStates, triageReasons, backlogType } = filter;
  return [
    ...(isSome(status) ? [{ is: by(STATUSES, status).flat() }] : []),
    ...(tab ? [{ is: by(TABS, [tab]) }] : []),
    ...(isSome(aggregateIssueStates) ? [{ is: by(AGGREGATES, aggregateIssueStates).flat() }] : []),
    ...(isSome(triageReasons) ? [{ reasons: triageReasons.flatMap((word) => triageReasonOf(word) ?? []) }] : []),
    ...(backlogType === 'ISSUE_BACKLOG_TYPE_PREPROD' ? [{ is: ['elsewhere'] as const }] : []),
  ];
}

function times({ since, until, relativeSince, timeFilter }: IssueFilter, now: Date): FindingCriteria[] {
  const agoMs = relativeSince === undefined ? undefined : RELATIVE_MS[relativeSince];
  const period: TimePeriod = { ...(since && { from: since }), ...(until && { to: until }) };
  const recent: TimePeriod = agoMs === undefined ? {} : { from: new Date(now.getTime() - agoMs) };
  const wants = (one: TimePeriod): FindingCriteria => {
    if (timeFilter === 'TIME_FILTER_TRIAGED_AT') return { triaged: [one] };
    return timeFilter === 'TIME_FILTER_FIXED_AT' ? { fixed: [one] } : { relevantSince: [one] };
  };
  return [period, recent].filter((one) => one.from ?? one.to).map(wants);
}

const places = (filter: IssueFilter): FindingCriteria => ({
  ...some(filter.repositoryNames, (names) => ({ projects: exactMatches(names) })),
  ...some(filter.repositoryIds, (projectIds) => ({ projectIds })),
  ...some(filter.repositoryTags, (names) => ({ tags: exactMatches(names) })),
  ...some(filter.teamNames, (names) => ({ teams: exactMatches(names) })),
  ...some(filter.refs, (names) => ({ refs: exactMatches(names.map((name) => parseRef(name).name)) })),
  ...some(filter.repositoryRefIds, (refIds) => ({ refIds })),
  ...some(filter.filePaths, (names) => ({ paths: exactMatches(names) })),
});

const ruleWants = (filter: IssueFilter): FindingCriteria => ({
  ...some([...(filter.rules ?? []), ...(filter.ruleIds ?? [])], (names) => ({ rules: exactMatches(names) })),
  ...some(filter.categories, (names) => ({ categories: exactMatches(names) })),
  ...some(filter.confidences, (words) => ({ confidences: by(CONFIDENCE_RANKS, words) })),
  ...some(filter.severities, (words) => ({ severities: by(SEVERITY_RANKS, words).flat() })),
  ...some(filter.source, (words) => ({ origins: by(ORIGINS, words) })),
  ...some(filter.scaRuleKind, (words) => ({ ruleKinds: by(RULE_KINDS, words) })),
});

const kindWants = (filter: IssueFilter): FindingCriteria => ({
  ...some(filter.transitivities, (words) => ({
    transitivities: words.map((word) => word.replace('_TRANSITIVITY', '').toLowerCase()),
  })),
  ...some(filter.dependencies, (names) => ({ packages: exactMatches(names) })),
  ...some([...(filter.cves ?? []), ...(filter.advisoryIds ?? [])], (names) => ({ advisories: exactMatches(names) })),
  ...some(filter.epssProbabilities, (words) => ({ epss: by(EPSS, words) })),
  ...some(filter.validationStates, (words) => ({ validations: bare(words, 'VALIDATION_STATE_') })),
  ...some(filter.secretTypes, (secretTypes) => ({ secretTypes })),
});

/** Wants of members that ask for the same in two ways: both must hold. */
const further = (filter: IssueFilter): FindingCriteria[] => [
  ...(isSome(filter.issueParentIds) ? [{ ids: filter.issueParentIds }] : []),
  ...(isSome(filter.actions) ? [{ modes: bare(filter.actions, 'MODE_') }] : []),
  ...(isSome(filter.policySlugs) ? [{ modes: by(MODES, filter.policySlugs) }] : []),
  ...(isSome(filter.exposures) ? [{ reachabilities: by(EXPOSURES, filter.exposures).flat() }] : []),
  ...(isSome(filter.reachabilities)
    ? [
        {
          reachabilities: bare(filter.reachabilities, 'REACHABILITY_').map((word) =>
            word === 'unknown' ? 'no_reachability_analysis' : word,
          ),
        },
      ]
    : []),
  ...(isSome(filter.filterIssueTypes) ? [{ products: bare(filter.filterIssueTypes, 'ISSUE_TYPE_') }] : []),
];

const lacks = (words: Words, name: string) => isSome(words) && !words.includes(name);

/** What no issue has yet: verdicts, memories and fixes of an assistant, rulesets, and facts about running software. */
const isOfNothing = (filter: IssueFilter) =>
  lacks(filter.aiVerdicts, 'VERDICT_NO_VERDICT') ||
  lacks(filter.repoVisibilities, 'REPOSITORY_VISIBILITY_UNKNOWN') ||
  lacks(filter.repositoryDeploymentStatuses, 'DEPLOYMENT_STATUS_UNKNOWN') ||
  lacks(filter.repositoryPublicExposures, 'PUBLIC_EXPOSURE_UNKNOWN') ||
  lacks(filter.clickToFixPrStates, 'CLICK_TO_FIX_PR_STATE_NO_PR') ||
  [filter.aiSensitivities, filter.rulesets, filter.upgradeGuidance, filter.upgradeGuidanceFilters].some(isSome) ||
  [filter.aiMemoryWillFlipVerdict, filter.aiMemoryReferenced, filter.aiMemoryRendered, filter.memoryIdInScope].some(
    (text) => text !== undefined && text !== '',
  ) ||
  filter.hasInFlightAutofixPr === true;

export interface IssueQuery {
  issueType?: string | undefined;
  issueTypes?: string[] | undefined;
  filter?: IssueFilter | undefined;
  q?: string | undefined;
}

/** The filter of a question: the older member names the product where the newer one names none. */
export function findingFilterOf({ issueType, issueTypes, filter = {}, q }: IssueQuery, now: Date): FindingFilter {
  const types = isSome(issueTypes) ? issueTypes : issueType === undefined ? [] : [issueType];
  const products = types.length > 0 ? bare(types, 'ISSUE_TYPE_') : PRODUCTS;
  const [state = {}, ...otherStates] = states(filter);
  const own: FindingFilter = {
    ...some(filter.ids, (ids) => ({ ids })),
    products,
    ...places(filter),
    ...ruleWants(filter),
    ...kindWants(filter),
    ...state,
    and: [...otherStates, ...times(filter, now), ...further(filter)],
    ...(isOfNothing(filter) && { isImpossible: true }),
    ...(filter.includeArchived === true && { isArchived: true }),
  };
  return q === undefined ? own : combineFilters(own, filterOfText(q, now, '#/q'));
}

/** A list without entries names nothing. */
const names = (value: unknown) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** True when somebody said which issues are meant: a bulk update of all of them is nobody's wish. */
export const hasCriteria = ({ filter = {}, q }: IssueQuery): boolean =>
  (q !== undefined && q.trim() !== '') || Object.values(filter).some(names);
