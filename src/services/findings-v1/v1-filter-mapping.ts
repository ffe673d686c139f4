import type { FindingCriteria, FindingFilter, NumberSpan } from '#domain/findings/filter/finding-filter.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { parseRef } from '#domain/scans/refs.ts';
import { V1_CONFIDENCES, V1_SEVERITIES } from './contract.ts';

/** Filters shared by the list and by triage of v1. */
export interface V1FindingFilters {
  repos?: string[] | undefined;
  repository_ids?: string[] | undefined;
  status?: string | undefined;
  triage_reasons?: string[] | undefined;
  severities?: string[] | undefined;
  ref?: string | undefined;
  policies?: string[] | undefined;
  policy_mode?: string[] | undefined;
  rules?: string[] | undefined;
  categories?: string[] | undefined;
  confidence?: string | undefined;
  autotriage_verdict?: string | undefined;
  component_tags?: string[] | undefined;
  exposures?: string[] | undefined;
  transitivities?: string[] | undefined;
  is_malicious?: boolean | undefined;
  click_to_fix_pr_state?: string[] | undefined;
  dependencies?: string[] | undefined;
  epss_probability?: string[] | undefined;
  project_tags?: string[] | undefined;
  repository_visibility?: string[] | undefined;
  ruleset?: string[] | undefined;
  secret_types?: string[] | undefined;
  validation_state?: string[] | undefined;
  pro_only?: boolean | undefined;
}

const MODES: Record<string, string> = {
  'rule-board-audit': 'monitor',
  'rule-board-pr-comments': 'comment',
  'rule-board-block': 'block',
};

const EPSS: Record<string, NumberSpan> = {
  low: { below: 0.1 },
  medium: { from: 0.1, below: 0.5 },
  high: { from: 0.5 },
  none: { isNone: true },
};

/** v1 has no severity below low, so low includes info. */
const ranksOf = (names: readonly string[]) =>
  names.flatMap((name) => {
    const rank = V1_SEVERITIES.indexOf(name as (typeof V1_SEVERITIES)[number]) + 1;
    return rank === 1 ? [0, 1] : [rank];
  });

/** An absent or empty member is no condition. */
const some = <Item, Criteria extends FindingCriteria>(
  items: readonly Item[] | undefined,
  criteria: (items: readonly Item[]) => Criteria,
) => (items && items.length > 0 ? criteria(items) : {});

const codeCriteria = (filters: V1FindingFilters): FindingCriteria => ({
  ...some(filters.rules, (rules) => ({ rules: exactMatches(rules) })),
  ...some(filters.categories, (categories) => ({ categories: exactMatches(categories) })),
  ...(filters.confidence !== undefined && {
    confidences: [V1_CONFIDENCES.indexOf(filters.confidence as (typeof V1_CONFIDENCES)[number]) + 1],
  }),
  ...some(
    [...(filters.policies ?? []).flatMap((slug) => MODES[slug] ?? []), ...(filters.policy_mode ?? [])],
    (modes) => ({
      modes,
    }),
  ),
  ...(filters.pro_only === true && { origins: ['pro_rules'] }),
});

const dependencyCriteria = (filters: V1FindingFilters): FindingCriteria => ({
  ...some(filters.exposures, (values) => ({
    reachabilities: values.map((value) => (value === 'unknown' ? 'no_reachability_analysis' : value)),
  })),
  ...some(filters.transitivities, (transitivities) => ({ transitivities })),
  ...some(filters.dependencies, (names) => ({ packages: exactMatches(names) })),
  ...some(filters.epss_probability, (names) => ({ epss: names.flatMap((name) => EPSS[name] ?? []) })),
  ...(filters.is_malicious !== undefined && { isMalicious: filters.is_malicious }),
});

const secretsCriteria = (filters: V1FindingFilters): FindingCriteria => ({
  ...some(filters.secret_types, (secretTypes) => ({ secretTypes })),
  ...some(filters.validation_state, (validations) => ({ validations })),
});

/** True if the filter requires data that no finding has: assistant results, rulesets or public repositories. */
const requiresMissingData = (filters: V1FindingFilters) =>
  filters.autotriage_verdict !== undefined ||
  [filters.component_tags, filters.click_to_fix_pr_state, filters.ruleset].some((list) => list && list.length > 0) ||
  (filters.repository_visibility !== undefined &&
    filters.repository_visibility.length > 0 &&
    !filters.repository_visibility.includes('unknown'));

/** Maps a v1 request to a finding filter. Conditions that do not apply to any of the products are ignored. */
export function findingFilterOfV1(filters: V1FindingFilters, products: readonly string[]): FindingFilter {
  const includesAny = (...names: string[]) => products.some((product) => names.includes(product));
  return {
    products,
    ...some(filters.repos, (names) => ({ projects: exactMatches(names) })),
    ...some(filters.repository_ids, (projectIds) => ({ projectIds })),
    ...some(filters.project_tags, (names) => ({ tags: exactMatches(names) })),
    ...(filters.status !== undefined && { is: [filters.status as NonNullable<FindingCriteria['is']>[number]] }),
    ...(filters.status === 'ignored' && some(filters.triage_reasons, (reasons) => ({ reasons }))),
    ...some(filters.severities, (names) => ({ severities: ranksOf(names) })),
    // Some clients send `_default`, which is the same as no ref.
    ...(filters.ref !== undefined &&
      filters.ref !== '' &&
      filters.ref !== '_default' && { refs: exactMatches([parseRef(filters.ref).name]) }),
    ...(includesAny('sast', 'ai_sast') && codeCriteria(filters)),
    ...(includesAny('sca') && dependencyCriteria(filters)),
    ...(includesAny('secrets') && secretsCriteria(filters)),
    ...(requiresMissingData(filters) && { isImpossible: true }),
  };
}
