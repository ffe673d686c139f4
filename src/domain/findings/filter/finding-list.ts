import type { Page } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { FINDING_STATUSES, PRODUCTS } from '../shape.ts';
import { filterSql, projectIsIncluded, statusesOf } from './filter-sql.ts';
import { PROJECT_CONDITIONS } from './finding-conditions.ts';
import type { CallerContext, FindingCriteria, FindingFilter } from './finding-filter.ts';
import { resolveTextSearch } from './text-search.ts';

/** Sort orders that an index supports. */
export interface FindingOrder {
  by: 'relevance' | 'severity';
  isDescending: boolean;
}

export const NEWEST_FIRST: FindingOrder = { by: 'relevance', isDescending: true };

/** Beyond this number, merging index ranges costs more than it saves. */
const MOST_STREAMS = 50;

/** Each stream is one index range in the order of the list; merging them avoids a sort. */
interface Streams {
  from: Sql;
  condition: Sql;
}

const crossed = <One, Other, Third>(ones: readonly One[], others: readonly Other[], thirds: readonly Third[]) =>
  ones.flatMap((one) => others.flatMap((other) => thirds.map((third) => [one, other, third] as const)));

const isExact = (wanted: readonly { kind: string }[] | undefined) =>
  wanted !== undefined && wanted.length <= MOST_STREAMS && wanted.every(({ kind }) => kind === 'exact');

/** The projects that can have matching findings, according to the filter's project criteria. */
function projectsOf(filter: FindingFilter, asking: CallerContext): Sql {
  const { projectIds, projects, tags, teams } = filter;
  const isIn = (ids: Sql) => sql`and project.id in (${ids})`;
  return sql`
    select project.id from project where ${projectIsIncluded(filter, asking)}
    ${projectIds ? sql`and project.id = any(${projectIds}::bigint[])` : emptySql}
    ${projects ? isIn(PROJECT_CONDITIONS.projects(projects)) : emptySql}
    ${tags ? isIn(PROJECT_CONDITIONS.tags(tags)) : emptySql}
    ${teams ? isIn(PROJECT_CONDITIONS.teams(teams, asking.caller)) : emptySql}`;
}

const isAboutProjects = ({ projectIds, projects, tags, teams }: FindingFilter) =>
  (projectIds ?? projects ?? tags ?? teams) !== undefined;

const unique = <Item>(items: readonly Item[]) => [...new Set(items)];

/** Criteria that apply to findings of a single product. */
const OF_PRODUCT: Partial<Record<keyof FindingCriteria, string>> = {
  reachabilities: 'sca',
  transitivities: 'sca',
  validations: 'secrets',
};

/** The products that can have matching findings. */
function productsOf({ and = [], ...own }: FindingFilter): string[] {
  const named = [own, ...and]
    .flatMap((wants) => Object.keys(wants))
    .map((name) => OF_PRODUCT[name as keyof FindingCriteria]);
  const possible = unique(named.filter((product) => product !== undefined));
  const [only] = possible;
  return unique(own.products ?? PRODUCTS).filter((product) => only === undefined || product === only);
}

function byStatus(filter: FindingFilter, { by }: FindingOrder): Streams {
  const products = productsOf(filter);
  const statuses = statusesOf(filter);
  const isEveryStatus = statuses.length >= FINDING_STATUSES.length - 2;
  if (by === 'relevance' && isEveryStatus && filter.severities === undefined)
    return {
      from: sql`unnest(${products}::text[]) as stream (product)`,
      condition: sql`finding.product = stream.product`,
    };
  if (by === 'severity' || filter.severities === undefined) {
    const ranges = crossed(products, statuses, [0]);
    return {
      from: sql`unnest(${ranges.map(([product]) => product)}::text[], ${ranges.map(([, status]) => status)}::text[])
        as stream (product, status)`,
      condition: sql`finding.product = stream.product and finding.status = stream.status`,
    };
  }
  const ranges = crossed(products, statuses, unique(filter.severities));
  return {
    from: sql`unnest(${ranges.map(([product]) => product)}::text[], ${ranges.map(([, status]) => status)}::text[],
      ${ranges.map(([, , severity]) => severity)}::smallint[]) as stream (product, status, severity)`,
    condition: sql`finding.product = stream.product and finding.status = stream.status
      and finding.severity = stream.severity`,
  };
}

interface Question extends CallerContext {
  /** So few projects match that reading each one separately is faster. */
  isOfFewProjects: boolean;
}

function streamsOf(filter: FindingFilter, question: Question, order: FindingOrder): Streams {
  const { rules } = filter;
  if (question.isOfFewProjects)
    return {
      from: sql`(${projectsOf(filter, question)}) as stream (project_id)`,
      condition: sql`finding.project_id = stream.project_id`,
    };
  if (rules && isExact(rules))
    return {
      from: sql`unnest(${unique(rules.flatMap((rule) => (rule.kind === 'exact' ? rule.value : [])))}::text[])
        as stream (rule)`,
      condition: sql`finding.rule = stream.rule collate "C"`,
    };
  return byStatus(filter, order);
}

const columnsOf = ({ by }: FindingOrder) =>
  by === 'severity'
    ? sql`finding.severity, finding.relevant_since, finding.id`
    : sql`finding.relevant_since, finding.id`;

const isPast = (order: FindingOrder, [severity, since, id]: readonly string[]) => {
  const last = order.by === 'severity' ? sql`${severity}::smallint, ` : emptySql;
  return sql`and (${columnsOf(order)}) ${order.isDescending ? sql`<` : sql`>`}
    (${last}${since}::timestamptz, ${id}::bigint)`;
};

function orderOf({ by, isDescending }: FindingOrder, table: Sql): Sql {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const first = by === 'severity' ? sql`${table}.severity ${direction}, ` : emptySql;
  return sql`${first}${table}.relevant_since ${direction}, ${table}.id ${direction}`;
}

export interface FindingListRequest {
  filter: FindingFilter;
  order: FindingOrder;
  /** Sort key of the last item of the previous page: severity, relevance and id. */
  after: readonly string[] | null;
  limit: number;
  /** An additional condition. */
  condition?: Sql;
}

/** Text that occurs in at least this many paths is found quickly while scanning the list in order. */
const MANY_PLACES = 200;
const isRareWord = ({ textMatches }: FindingCriteria) =>
  textMatches !== undefined && textMatches.places.length < MANY_PLACES;

/** Selective criteria, served by other indexes than those that provide the order of the list. */
const isScattered = (wants: FindingCriteria) =>
  isRareWord(wants) ||
  (wants.ids ??
    wants.triaged ??
    wants.packages ??
    wants.pullRequestEpisode ??
    wants.decisionEnds ??
    wants.exceptions) !== undefined;

const isBestLeftToThePlanner = ({ and = [], ...own }: FindingFilter) => [own, ...and].some(isScattered);

/** A subquery of `id`, `severity` and `relevant_since` of matching findings, in list order. */
export function findingListSql(
  { filter, order, after, limit, condition = sql`true` }: FindingListRequest,
  question: Question,
): Sql {
  const where = sql`${filterSql(filter, question)} and ${condition} ${after ? isPast(order, after) : emptySql}`;
  const own = sql`finding.id, finding.severity, finding.relevant_since`;
  if (isBestLeftToThePlanner(filter))
    return unprepared(sql`select ${own} from finding where ${where} order by ${orderOf(order, sql`finding`)}
      limit ${limit}::int`);
  const streams = streamsOf(filter, question, order);
  return unprepared(sql`
    select hit.* from ${streams.from} cross join lateral (
      select ${own} from finding where ${streams.condition} and ${where}
      order by ${orderOf(order, sql`finding`)} limit ${limit}::int) as hit
    order by ${orderOf(order, sql`hit`)} limit ${limit}::int`);
}

/** Decides how to query; if all projects may match, no decision is needed. */
export async function planFindingList(tx: Tx, asking: CallerContext, filter: FindingFilter): Promise<Question> {
  const isOfAll = asking.caller.seesEverything && filter.isArchived !== true && !isAboutProjects(filter);
  if (filter.ids !== undefined || isOfAll) return { ...asking, isOfFewProjects: false };
  const [row] = await tx.rows`
    select count(*)::integer as count from (
      select from (${unprepared(projectsOf(filter, asking))}) as project limit ${MOST_STREAMS + 1}::int) as seen`;
  return { ...asking, isOfFewProjects: Number(row?.['count']) <= MOST_STREAMS };
}

/** A condition on `finding` for aggregates over all matches; it starts from the projects if they are few. */
export async function allMatchingSql(tx: Tx, asking: CallerContext, filter: FindingFilter): Promise<Sql> {
  const { isOfFewProjects } = await planFindingList(tx, asking, filter);
  const narrowed = sql`finding.project_id = any(array(${projectsOf(filter, asking)}))`;
  return unprepared(sql`${filterSql(filter, asking)} ${isOfFewProjects ? sql`and ${narrowed}` : emptySql}`);
}

/** One page of finding ids; also sets the cursor of the next page. */
export async function listFindingPage(
  tx: Tx,
  asking: CallerContext,
  { page, ...want }: Omit<FindingListRequest, 'after' | 'limit'> & { page: Page },
): Promise<string[]> {
  const { after, limit } = page.window;
  const filter = await resolveTextSearch(tx, want.filter);
  const question = await planFindingList(tx, asking, filter);
  const rows = await tx.rows`${findingListSql({ ...want, filter, after, limit: limit + 1 }, question)}`;
  const { items } = page.close(rows, (row) => [
    String(row['severity']),
    String(row['relevant_since']),
    String(row['id']),
  ]);
  return items.map((row) => String(row['id']));
}
