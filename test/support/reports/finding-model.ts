import type {
  FindingCriteria,
  FindingFilter,
  HasValue,
  IsValue,
  NumberSpan,
  TextSearchMatches,
  TimePeriod,
} from '#domain/findings/filter/finding-filter.ts';
import type { TextMatch } from '#domain/findings/filter/text-match.ts';
import { FINDING_STATUSES, type FindingStatus } from '#domain/findings/shape.ts';

/** A reference model of filters without a database: slow and simple. */

export interface ModelOccurrence {
  ref: string;
  state: 'detected' | 'fixed' | 'removed';
  isMuted: boolean;
  /** The latest scan of its analysis is the one that first detected the finding. */
  isOfFirstScan: boolean;
  changedAt: number;
  scannedAt: number;
}

export interface ModelProject {
  name: string;
  tags: string[];
  teams: { name: string; slug: string }[];
  isArchived: boolean;
  isVisible: boolean;
}

export interface ModelFinding {
  project: number;
  product: string;
  tool: string;
  rule: string;
  title: string;
  message: string;
  severity: number;
  confidence: number;
  category: string;
  cwes: string[];
  owasps: string[];
  path: string;
  placeKind: string;
  mode: string;
  advisory: string | null;
  package: string | null;
  ecosystem: string | null;
  transitivity: string | null;
  reachability: string | null;
  secretType: string | null;
  validation: string | null;
  detail: {
    advisories?: string[];
    fix?: string;
    fixVersions?: string[];
    trace?: object;
    isMalicious?: boolean;
    epss?: { score: number };
  };
  state: 'detected' | 'fixed' | 'removed' | 'elsewhere';
  isMuted: boolean;
  isHeld: boolean;
  isFlapping: boolean;
  reopenedCount: number;
  triageState: string;
  triageReason: string | null;
  note: string | null;
  triagedAt: number | null;
  firstSeenAt: number;
  relevantSince: number;
  fixedAt: number | null;
  /** When the caller marked it as done. */
  doneAt: number | null;
  /** When its triage decision expires. */
  until: number | null;
  /** The state of the exception request. */
  exception: string | null;
  places: ModelOccurrence[];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isMatch = (text: string | null, wanted: readonly TextMatch[] | undefined, flags = 's') =>
  text !== null &&
  (wanted ?? []).some((one) =>
    new RegExp(`^${one.kind === 'exact' ? escaped(one.value) : one.parts.map(escaped).join('.*')}$`, flags).test(text),
  );

const hasWord = (words: readonly string[], { title, message, rule, path }: ModelFinding) =>
  words.some((word) => [title, message, rule, path].some((text) => text.toLowerCase().includes(word.toLowerCase())));

const decided = ({ triageState }: ModelFinding, isMuted: boolean): FindingStatus => {
  if (triageState === 'ignored' || isMuted) return 'ignored';
  return ['reviewing', 'fixing', 'provisionally_ignored'].includes(triageState)
    ? (triageState as FindingStatus)
    : 'open';
};
const statusOf = (finding: ModelFinding): FindingStatus =>
  finding.state === 'detected' ? decided(finding, finding.isMuted) : finding.state;
const statusAt = (finding: ModelFinding, { state, isMuted }: ModelOccurrence): FindingStatus =>
  state === 'detected' ? decided(finding, isMuted) : state;

interface Sight {
  /** The refs to check, if the state is evaluated ref by ref. */
  places?: ModelOccurrence[];
  isAnywhere: boolean;
}

function hasStatus(finding: ModelFinding, statuses: readonly string[], { places, isAnywhere }: Sight): boolean {
  if (places) return places.some((place) => statuses.includes(statusAt(finding, place)));
  const own = statusOf(finding);
  return statuses.includes(isAnywhere && own === 'elsewhere' ? decided(finding, finding.isMuted) : own);
}

const isStatus = (word: string): word is FindingStatus => (FINDING_STATUSES as readonly string[]).includes(word);

function isWord(finding: ModelFinding, word: IsValue, sight: Sight): boolean {
  if (isStatus(word)) return hasStatus(finding, [word], sight);
  const isIgnored = () => hasStatus(finding, ['ignored'], sight);
  const words: Record<Exclude<IsValue, FindingStatus>, () => boolean> = {
    ignored_by_people: () => isIgnored() && !finding.isMuted,
    ignored_in_code: () => isIgnored() && finding.isMuted,
    reopened: () =>
      hasStatus(finding, ['open'], sight) && (finding.triageState === 'reopened' || finding.reopenedCount > 0),
    new: () => finding.places.some(({ state, isOfFirstScan }) => state === 'detected' && isOfFirstScan),
    flapping: () => finding.isFlapping,
    held: () => finding.isHeld,
    muted: () => finding.isMuted,
    malicious: () => finding.detail.isMalicious === true,
    unseen: () => finding.doneAt === null || finding.doneAt < finding.relevantSince,
  };
  return words[word]();
}

const isWithin = (moment: number | null, periods: readonly TimePeriod[]) =>
  moment !== null &&
  periods.some(({ from, to }) => (!from || moment >= from.getTime()) && (!to || moment < to.getTime()));

const isInSpan = (finding: ModelFinding, { isNone, from = 0, to = 1, above = -1, below = 2 }: NumberSpan) => {
  const score = finding.detail.epss?.score;
  if (isNone) return finding.product === 'sca' && score === undefined;
  return score !== undefined && score >= from && score <= to && score > above && score < below;
};

const HAS: Record<HasValue, (finding: ModelFinding) => boolean> = {
  fix: ({ detail }) => detail.fix !== undefined || (detail.fixVersions ?? []).length > 0,
  ticket: () => false,
  note: ({ note }) => (note ?? '') !== '',
  trace: ({ detail }) => detail.trace !== undefined,
};

const isListed = (entries: readonly string[], wanted: readonly string[]) =>
  entries.some((entry) =>
    wanted.some((one) => entry === one || entry.startsWith(`${one}:`) || entry.startsWith(`${one} `)),
  );

const lastSeen = ({ places }: ModelFinding) =>
  Math.max(...places.map((place) => (place.state === 'detected' ? place.scannedAt : place.changedAt)));

type Check = (
  value: never,
  finding: ModelFinding,
  about: { project: ModelProject; sight: Sight; id: string },
) => boolean;

const goneAt = (finding: ModelFinding) =>
  statusOf(finding) === 'fixed' ? finding.fixedAt : (finding.triagedAt ?? finding.firstSeenAt);

function wasOpen(finding: ModelFinding, moment: number): boolean {
  const gone = goneAt(finding);
  return finding.firstSeenAt < moment && (statusOf(finding) === 'open' || (gone !== null && gone >= moment));
}

/** Pull-request data is tested elsewhere, against the report. */
type Name = Exclude<keyof FindingCriteria, 'pullRequestEpisode'>;

const CHECKS: { [One in Name]-?: Check } = {
  ids: (ids: readonly string[], _, { id }) => ids.includes(id),
  products: (names: readonly string[], { product }) => names.includes(product),
  is: (words: readonly IsValue[], finding, { sight }) => words.some((word) => isWord(finding, word, sight)),
  reasons: (reasons: readonly string[], { triageState, triageReason }) =>
    triageState === 'ignored' && reasons.includes(triageReason ?? 'no_triage_reason'),
  severities: (ranks: readonly number[], { severity }) => ranks.includes(severity),
  confidences: (ranks: readonly number[], { confidence }) => ranks.includes(confidence),
  rules: (wanted: readonly TextMatch[], { rule }) => isMatch(rule, wanted),
  categories: (wanted: readonly TextMatch[], { category }) => isMatch(category, wanted),
  paths: (wanted: readonly TextMatch[], { path }) => isMatch(path, wanted),
  endpoints: (wanted: readonly TextMatch[], { path, placeKind }) => placeKind === 'endpoint' && isMatch(path, wanted),
  resources: (wanted: readonly TextMatch[], { path, placeKind }) => placeKind === 'resource' && isMatch(path, wanted),
  packages: (wanted: readonly TextMatch[], finding) => isMatch(finding.package, wanted),
  advisories: (wanted: readonly TextMatch[], { advisory, detail }) =>
    isMatch(advisory, wanted) || (detail.advisories ?? []).some((other) => isMatch(other, wanted)),
  tools: (wanted: readonly TextMatch[], { tool }) => isMatch(tool, wanted),
  refs: (wanted: readonly TextMatch[], { places }) => places.some(({ ref }) => isMatch(ref, wanted)),
  refIds: () => true,
  projects: (wanted: readonly TextMatch[], _, { project }) => isMatch(project.name, wanted, 'si'),
  projectIds: () => true,
  tags: (wanted: readonly TextMatch[], _, { project }) => project.tags.some((tag) => isMatch(tag, wanted, 'si')),
  teams: (wanted: readonly TextMatch[], _, { project }) =>
    project.teams.some(({ name, slug }) => isMatch(name, wanted, 'si') || isMatch(slug, wanted)),
  cwes: (wanted: readonly string[], { cwes }) => isListed(cwes, wanted),
  owasps: (wanted: readonly string[], { owasps }) => isListed(owasps, wanted),
  ecosystems: (names: readonly string[], { ecosystem }) => names.includes(ecosystem?.toLowerCase() ?? ''),
  modes: (names: readonly string[], { mode }) => names.includes(mode),
  reachabilities: (names: readonly string[], { product, reachability }) =>
    product === 'sca' && names.includes(reachability?.replaceAll(' ', '_') ?? 'no_reachability_analysis'),
  transitivities: (names: readonly string[], { product, transitivity }) =>
    product === 'sca' && names.includes(transitivity ?? 'unknown'),
  validations: (names: readonly string[], { product, validation }) =>
    product === 'secrets' && names.includes(validation ?? 'no_validator'),
  secretTypes: (names: readonly string[], { secretType }) => names.includes(secretType ?? ''),
  epss: (spans: readonly NumberSpan[], finding) => spans.some((span) => isInSpan(finding, span)),
  // Findings of the model have no assignee.
  assignees: (words: readonly string[]) => words.includes('none'),
  has: (things: readonly HasValue[], finding) => things.some((thing) => HAS[thing](finding)),
  relevantSince: (periods: readonly TimePeriod[], finding) => isWithin(finding.relevantSince, periods),
  firstSeen: (periods: readonly TimePeriod[], finding) => isWithin(finding.firstSeenAt, periods),
  lastSeen: (periods: readonly TimePeriod[], finding) => isWithin(lastSeen(finding), periods),
  triaged: (periods: readonly TimePeriod[], finding) => isWithin(finding.triagedAt, periods),
  fixed: (periods: readonly TimePeriod[], finding) =>
    statusOf(finding) === 'fixed' && isWithin(finding.fixedAt, periods),
  ignored: (periods: readonly TimePeriod[], finding) =>
    statusOf(finding) === 'ignored' && isWithin(goneAt(finding), periods),
  openAt: (moments: readonly Date[], finding) => moments.some((moment) => wasOpen(finding, moment.getTime())),
  decisionEnds: (periods: readonly TimePeriod[], { until }) => isWithin(until, periods),
  exceptions: (states: readonly string[], { exception }) => states.includes(exception ?? ''),
  textMatches: ({ text }: TextSearchMatches, finding) => hasWord(text, finding),
  text: (words: readonly string[], finding) => hasWord(words, finding),
  isMalicious: (wanted: boolean, { detail }) => (detail.isMalicious === true) === wanted,
  origins: (names: readonly string[]) => names.includes('custom'),
  ruleKinds: () => false,
  isImpossible: (isNever: boolean) => !isNever,
};

/** True if the finding matches the filter, for a caller with this visibility. */
export function matchesFilter(
  filter: FindingFilter,
  finding: ModelFinding,
  about: { project: ModelProject; id: string },
): boolean {
  const { and = [], without = [], isArchived = false, isByRef = false, ...rest } = filter;
  const { isAnywhere: anywhere, ...own } = rest;
  const { project } = about;
  if (!project.isVisible || project.isArchived !== isArchived) return false;
  const all: FindingCriteria[] = [own, ...and];
  const isByDecision = all.some(({ decisionEnds, exceptions }) => decisionEnds ?? exceptions);
  const isAnywhere = anywhere ?? isByDecision;
  const named = all.flatMap(({ refs }) => (refs ? [refs] : []));
  const isSeenByRef = named.length > 0 || isByRef;
  const places = finding.places.filter(({ ref }) => named.every((wanted) => isMatch(ref, wanted)));
  const sight: Sight = { isAnywhere, ...(isSeenByRef && { places }) };
  const words = all.flatMap(({ is = [] }) => is);
  const isById = all.some(({ ids }) => ids !== undefined);
  if (!isById && isSeenByRef && !words.includes('removed') && !places.some(({ state }) => state !== 'removed'))
    return false;
  if (!isById && !isSeenByRef && !isByDecision) {
    const status = statusOf(finding);
    if (status === 'removed' && !words.includes('removed')) return false;
    if (status === 'elsewhere' && !isAnywhere && !words.includes('elsewhere')) return false;
  }
  const holds = (wants: FindingCriteria) =>
    Object.entries(wants).every(([name, value]) => CHECKS[name as Name](value as never, finding, { ...about, sight }));
  return all.every(holds) && !without.some(holds);
}
