import { projectIsVisible } from '#domain/teams/reach.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { join, nothing, type Sql, sql } from '#kernel/db/sql.ts';
import { CONDITIONS, isAmong, isStatus, statusIs } from './conditions.ts';
import { matches, type TextMatch } from './matching.ts';
import { type Raised, wasRaised } from './raised.ts';
import { STATUSES, type Status } from './shape.ts';

/** From a moment on, up to but without the other. */
export interface Period {
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

export type IsWord =
  | Status
  | 'ignored_by_people'
  | 'ignored_in_code'
  | 'reopened'
  | 'new'
  | 'flapping'
  | 'held'
  | 'muted'
  | 'malicious'
  | 'unseen';
export type Possession = 'fix' | 'ticket' | 'note' | 'trace';

/** Words that are looked for anywhere, with all that has them. */
export interface Texts {
  text: readonly string[];
  rules: readonly string[];
  places: readonly { project_id: string; path: string }[];
}

/** What a finding must be: of each member one of the values, and all members at once. */
export interface Wants {
  /** Of findings or of their detections. */
  ids?: readonly string[];
  products?: readonly string[];
  /** As the project's primary ref sees it, or as the refs that the filter names do. */
  is?: readonly IsWord[];
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
  has?: readonly Possession[];
  relevantSince?: readonly Period[];
  firstSeen?: readonly Period[];
  lastSeen?: readonly Period[];
  triaged?: readonly Period[];
  fixed?: readonly Period[];
  /** When, of what is ignored still. */
  ignored?: readonly Period[];
  openAt?: readonly Date[];
  /** When the decision about it does. */
  decisionEnds?: readonly Period[];
  /** What became of a request to ignore it: `requested`, `approved` or `rejected`. */
  exceptions?: readonly string[];
  /** Of one time that it came up on pull requests; archived projects and what only they had count too. */
  raised?: Raised;
  text?: readonly string[];
  /** The same, where it is known which rules and places have the words. */
  texts?: Texts;
  isMalicious?: boolean;
  /** Who made the rule, as its metadata says: `pro_rules`, `community` or `custom`. */
  origins?: readonly string[];
  /** What the rule of a dependency looks at, as its metadata says: `reachable`, `upgrade-only` and others. */
  ruleKinds?: readonly string[];
  /** A want that nothing can meet, because there is nothing of the kind. */
  isNever?: boolean;
}

/** The one filter of findings: what is wanted, what else is wanted, and what is not. */
export interface Filter extends Wants {
  and?: readonly Wants[];
  /** Each of these must not hold. */
  without?: readonly Wants[];
  /** Of archived projects instead of the others. */
  isArchived?: boolean;
  /** Findings that only other refs have count as if the primary one had them. */
  isAnywhere?: boolean;
  /** The state is that on each ref by itself, also where no refs are named. */
  isByRef?: boolean;
}

/** Who asks, and when. */
export interface Asking {
  caller: Caller;
  now: Date;
}

const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : sql`(${join(conditions, sql` and `)})`;

/** A context with who asks. */
export interface Reading extends Context {
  asking: Asking;
}

/** What is named by the filter as a whole, and decides how the state of a finding is read. */
export interface Context {
  /** A condition on `project_branch`, where the state is read ref by ref. */
  ref?: Sql;
  /** Which refs does not matter. */
  isAnyRef?: boolean;
  isAnywhere: boolean;
}

const wantsOf = ({ and, without: _, ...own }: Filter): Wants[] => [own, ...(and ?? [])];

const raisedOf = (filter: Filter): Raised[] => wantsOf(filter).flatMap(({ raised }) => raised ?? []);

/** It is about pull requests: states are those of what may be there alone. */
const isAboutRaised = (filter: Filter): boolean => raisedOf(filter).length > 0;

/** It is said of a finding wherever that is: also of what only pull requests have, and of what left the scope. */
const isSaidAnywhere = (filter: Filter): boolean =>
  isAboutRaised(filter) ||
  wantsOf(filter).some(({ decisionEnds, exceptions }) => (decisionEnds ?? exceptions) !== undefined);

export function contextOf(filter: Filter): Context {
  const refs = wantsOf(filter).flatMap(({ refs: names, refIds }) => [
    ...(names ? [matches(sql`project_branch.ref`, names)] : []),
    ...(refIds ? [sql`project_branch.id = any(${refIds}::bigint[])`] : []),
  ]);
  const isByRef = refs.length > 0 || filter.isByRef === true;
  const isAnywhere = filter.isAnywhere ?? isSaidAnywhere(filter);
  return { isAnywhere, ...(isByRef && { ref: all(refs), isAnyRef: refs.length === 0 }) };
}

function holds(wants: Wants, reading: Reading): Sql {
  const conditions = (Object.entries(CONDITIONS) as [keyof Wants, (value: never, reading: Reading) => Sql][]).flatMap(
    ([name, condition]) => {
      const value = wants[name];
      return value === undefined ? [] : [condition(value as never, reading)];
    },
  );
  return all(conditions);
}

/** The statuses that a filter can meet: what left the scope is shown only when asked for, by that word or by id. */
export function statusesOf(filter: Filter): Status[] {
  const wanted = wantsOf(filter);
  const named = new Set(wanted.flatMap((wants) => wants.is ?? []));
  const isById = wanted.some(({ ids }) => ids !== undefined);
  const { ref, isAnywhere } = contextOf(filter);
  const isByRef = ref !== undefined;
  const isShown = (status: Status) => {
    if (isById || isByRef || isSaidAnywhere(filter)) return true;
    if (status === 'removed') return named.has('removed');
    return status !== 'elsewhere' || isAnywhere || named.has('elsewhere');
  };
  const isPossible = (status: Status) =>
    (filter.fixed === undefined || status === 'fixed') && (filter.ignored === undefined || status === 'ignored');
  const possible = STATUSES.filter((status) => isShown(status) && isPossible(status));
  const own = isByRef ? undefined : filter.is;
  if (!own?.every(isStatus)) return possible;
  const isFolded = (status: Status) => status === 'elsewhere' && isAnywhere;
  return possible.filter((status) => own.includes(status) || isFolded(status));
}

/** Of the refs that are named, at least one must have it still, unless what left the scope is asked for. */
function isThere(filter: Filter, context: Context): Sql[] {
  const wanted = wantsOf(filter);
  if (context.ref === undefined || wanted.some(({ ids, is }) => ids !== undefined || is?.includes('removed')))
    return [];
  // A status that is wanted is a proof that something is there.
  if (filter.is?.every(isStatus)) return [];
  const others = STATUSES.filter((status) => status !== 'removed');
  return [statusIs(others, context)];
}

/** A condition on `project`: its findings count, because the caller may see it, archived or not as asked. */
export const projectCounts = (filter: Filter, { caller }: Asking): Sql => sql`
  project.deployment_id = ${caller.deployment} and ${projectIsVisible(caller)} ${archival(filter)}`;

function archival(filter: Filter): Sql {
  if (filter.isArchived === true) return sql`and project.archived_at is not null`;
  return isAboutRaised(filter) ? nothing : sql`and project.archived_at is null`;
}

/** Of pull requests: all that is wanted at once, and with each of what is not wanted, that it is not so. */
function raisedHolds(filter: Filter, { now }: Asking): Sql[] {
  const wanted = raisedOf(filter);
  const unwanted = (filter.without ?? []).flatMap(({ raised }) => raised ?? []);
  return [
    ...(wanted.length > 0 ? [wasRaised(wanted, now)] : []),
    ...unwanted.map((one) => sql`(${wasRaised([...wanted, one], now)}) is not true`),
  ];
}

export const inProjects = (filter: Filter, asking: Asking): Sql =>
  isAmong(sql`select project.id from project where ${projectCounts(filter, asking)}`);

/** A condition on `finding`, with all that the caller may see in it (AZN-08). The deployment comes first. */
export function isWanted(filter: Filter, asking: Asking): Sql {
  const reading = { ...contextOf(filter), asking };
  const unwanted = (filter.without ?? []).filter(({ raised }) => raised === undefined);
  return all([
    sql`finding.deployment_id = ${asking.caller.deployment}`,
    sql`finding.status = any(${statusesOf(filter)}::text[])`,
    inProjects(filter, asking),
    ...isThere(filter, reading),
    ...wantsOf(filter).map((wants) => holds(wants, reading)),
    ...unwanted.map((wants) => sql`${holds(wants, reading)} is not true`),
    ...raisedHolds(filter, asking),
  ]);
}
