import type { DurationRange, NumberRange, Query, Term, TermValue, TimePoint, TimeRange } from '#domain/query/ast.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';
import { CONFIDENCES, INVALID_QUERY, SEVERITIES } from '../shape.ts';
import type { FindingCriteria, FindingFilter, HasValue, IsValue, NumberSpan, TimePeriod } from './finding-filter.ts';
import type { TextMatch } from './text-match.ts';

const exactValues = (values: readonly TermValue[]) =>
  values.flatMap((value) => (value.kind === 'exact' ? [value.value] : []));

const texts = (values: readonly TermValue[]): TextMatch[] =>
  values.filter((value) => value.kind === 'exact' || value.kind === 'glob');

const ranks = (names: readonly string[]) => (values: readonly TermValue[]) =>
  exactValues(values).map((word) => names.indexOf(word));

const momentOf = (moment: TimePoint, now: Date) => new Date('at' in moment ? moment.at : now.getTime() - moment.agoMs);

const isRange =
  <Of extends string>(of: Of) =>
  (value: TermValue): value is Extract<TermValue, { of: Of }> =>
    value.kind === 'range' && value.of === of;

const periodOf = ({ from, to }: TimeRange, now: Date): TimePeriod => ({
  ...(from && { from: momentOf(from, now) }),
  ...(to && { to: momentOf(to, now) }),
});

const periods = (values: readonly TermValue[], now: Date): TimePeriod[] =>
  values.filter(isRange('moment')).map((range) => periodOf(range, now));

/** At least as old as the lower bound and younger than the upper one: ages run against the clock. */
const firstSeenPeriodOf = ({ fromMs, toMs }: DurationRange, now: Date): TimePeriod => ({
  ...(fromMs !== undefined && { to: new Date(now.getTime() - fromMs + 1) }),
  ...(toMs !== undefined && { from: new Date(now.getTime() - toMs + 1) }),
});

/** Future expiry only: `expires:<14d` does not match what has already expired. */
const expiryPeriodOf = ({ fromMs = 1, toMs }: DurationRange, now: Date): TimePeriod => ({
  from: new Date(now.getTime() + fromMs),
  ...(toMs !== undefined && { to: new Date(now.getTime() + toMs) }),
});

const DAY_MS = 86_400_000;

/** The end of each day. */
const dayEndsOf = (values: readonly TermValue[]): Date[] =>
  exactValues(values).map((day) => new Date(Date.parse(day) + DAY_MS));

const spanOf = ({ kind: _, of: __, ...span }: NumberRange): NumberSpan => span;

/** The criteria that the values of each key express. */
const CRITERIA: Record<FilterKey, (values: readonly TermValue[], now: Date) => FindingCriteria> = {
  advisory: (values) => ({ advisories: texts(values) }),
  age: (values, now) => ({
    firstSeen: values.filter(isRange('duration')).map((range) => firstSeenPeriodOf(range, now)),
  }),
  'as-of': (values) => ({
    pullRequestEpisode: { asOf: dayEndsOf(values).reduce((first, second) => (first < second ? first : second)) },
  }),
  assignee: (values) => ({ assignees: exactValues(values) }),
  backlog: (values) => ({ openAt: dayEndsOf(values) }),
  branch: (values) => ({ refs: texts(values) }),
  category: (values) => ({ categories: texts(values) }),
  confidence: (values) => ({ confidences: ranks(CONFIDENCES)(values) }),
  cwe: (values) => ({ cwes: exactValues(values) }),
  ecosystem: (values) => ({ ecosystems: exactValues(values) }),
  endpoint: (values) => ({ endpoints: texts(values) }),
  epss: (values) => ({ epss: values.filter(isRange('number')).map(spanOf) }),
  exception: (values) => ({ exceptions: exactValues(values) }),
  expires: (values, now) => ({
    decisionEnds: values.filter(isRange('duration')).map((range) => expiryPeriodOf(range, now)),
  }),
  fixed: (values, now) => ({ fixed: periods(values, now) }),
  guardrail: (values) => ({ pullRequestEpisode: { classes: exactValues(values) } }),
  has: (values) => ({ has: exactValues(values) as HasValue[] }),
  ignored: (values, now) => ({ ignored: periods(values, now) }),
  is: (values) => ({ is: exactValues(values) as IsValue[] }),
  mode: (values) => ({ modes: exactValues(values) }),
  opened: (values, now) => ({ firstSeen: periods(values, now) }),
  owasp: (values) => ({ owasps: exactValues(values) }),
  owner: (values) => ({ teams: texts(values) }),
  package: (values) => ({ packages: texts(values) }),
  path: (values) => ({ paths: texts(values) }),
  project: (values) => ({ projects: texts(values) }),
  raised: (values, now) => ({ pullRequestEpisode: { at: periods(values, now) } }),
  'raised-as': (values) => ({ pullRequestEpisode: { facts: exactValues(values) } }),
  reachability: (values) => ({ reachabilities: exactValues(values) }),
  reason: (values) => ({ reasons: exactValues(values) }),
  relevant: (values, now) => ({ relevantSince: periods(values, now) }),
  resource: (values) => ({ resources: texts(values) }),
  rule: (values) => ({ rules: texts(values) }),
  scanner: (values) => ({ tools: texts(values) }),
  seen: (values, now) => ({ lastSeen: periods(values, now) }),
  severity: (values) => ({ severities: ranks(SEVERITIES)(values) }),
  tag: (values) => ({ tags: texts(values) }),
  text: (values) => ({ text: values.flatMap((value) => (value.kind === 'text' ? [value.text] : [])) }),
  transitivity: (values) => ({ transitivities: exactValues(values) }),
  triaged: (values, now) => ({ triaged: periods(values, now) }),
  type: (values) => ({ products: exactValues(values) }),
  validity: (values) => ({ validations: exactValues(values) }),
};

const criteriaOfTerm = ({ key, values }: Term, now: Date) => CRITERIA[key](values, now);

/** Translates a parsed query into a filter, relative to now. */
export function filterOfQuery({ terms }: Query, now: Date): FindingFilter {
  let own: FindingCriteria = {};
  const and: FindingCriteria[] = [];
  for (const term of terms.filter(({ isNot }) => !isNot)) {
    const criteria = criteriaOfTerm(term, now);
    const isUnset = Object.keys(criteria).every((name) => !(name in own));
    if (isUnset) own = { ...own, ...criteria };
    else and.push(criteria);
  }
  return { ...own, and, without: terms.filter(({ isNot }) => isNot).map((term) => criteriaOfTerm(term, now)) };
}

/**
 * Both filters combined. Members that only the second one has become top-level criteria, which lists use to choose an
 * index.
 */
export function combineFilters(
  first: FindingFilter,
  { and = [], without = [], ...second }: FindingFilter,
): FindingFilter {
  const isUnset = ([name]: [string, unknown]) => !(name in first);
  const members = Object.entries(second);
  return {
    ...first,
    ...Object.fromEntries(members.filter(isUnset)),
    and: [...(first.and ?? []), Object.fromEntries(members.filter((member) => !isUnset(member))), ...and],
    without: [...(first.without ?? []), ...without],
  };
}

/** Parses a filter text. A text with problems is rejected: ignoring a part would match more than intended. */
export function filterOfText(text: string, now: Date, pointer: string): FindingFilter {
  const { query, problems } = parseFilter(text);
  const [first] = problems;
  if (first)
    throw INVALID_QUERY(
      { first: first.message },
      { errors: problems.map(({ code, message }) => ({ pointer, code, detail: message })) },
    );
  return filterOfQuery(query, now);
}
