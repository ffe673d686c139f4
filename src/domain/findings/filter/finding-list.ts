import { z } from 'zod';
import type { Page } from '#kernel/db/query/page.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { FINDING_STATUSES, PRODUCTS } from '../shape.ts';
import { ASSIGNEE_NONE } from './assignee-words.ts';
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
const MAX_STREAMS = 50;

/** Each stream is one index range in the order of the list; merging them avoids a sort. */
interface IndexStreams {
  from: Sql;
  condition: Sql;
}

const combinations = <First, Second, Third>(
  firsts: readonly First[],
  seconds: readonly Second[],
  thirds: readonly Third[],
) => firsts.flatMap((first) => seconds.flatMap((second) => thirds.map((third) => [first, second, third] as const)));

const isExact = (texts: readonly { kind: string }[] | undefined) =>
  texts !== undefined && texts.length <= MAX_STREAMS && texts.every(({ kind }) => kind === 'exact');

/** The projects that can have matching findings, according to the filter's project criteria. */
function projectsOf(filter: FindingFilter, context: CallerContext): Sql {
  const { projectIds, projects, tags, teams } = filter;
  const isIn = (ids: Sql) => sql`and project.id in (${ids})`;
  return sql`
    select project.id from project where ${projectIsIncluded(filter, context)}
    ${projectIds ? sql`and project.id = any(${projectIds}::bigint[])` : emptySql}
    ${projects ? isIn(PROJECT_CONDITIONS.projects(projects)) : emptySql}
    ${tags ? isIn(PROJECT_CONDITIONS.tags(tags)) : emptySql}
    ${teams ? isIn(PROJECT_CONDITIONS.teams(teams, context.caller)) : emptySql}`;
}

const hasProjectCriteria = ({ projectIds, projects, tags, teams }: FindingFilter) =>
  (projectIds ?? projects ?? tags ?? teams) !== undefined;

const unique = <Item>(items: readonly Item[]) => [...new Set(items)];

/** Criteria that apply to findings of a single product. */
const PRODUCT_SPECIFIC: Partial<Record<keyof FindingCriteria, string>> = {
  reachabilities: 'sca',
  transitivities: 'sca',
  validations: 'secrets',
};

/** The products that can have matching findings. */
function productsOf({ and = [], ...own }: FindingFilter): string[] {
  const named = [own, ...and]
    .flatMap((criteria) => Object.keys(criteria))
    .map((name) => PRODUCT_SPECIFIC[name as keyof FindingCriteria]);
  const possible = unique(named.filter((product) => product !== undefined));
  const [only] = possible;
  return unique(own.products ?? PRODUCTS).filter((product) => only === undefined || product === only);
}

function byStatus(filter: FindingFilter, { by }: FindingOrder): IndexStreams {
  const products = productsOf(filter);
  const statuses = statusesOf(filter);
  const isEveryStatus = statuses.length >= FINDING_STATUSES.length - 2;
  if (by === 'relevance' && isEveryStatus && filter.severities === undefined)
    return {
      from: sql`unnest(${products}::text[]) as stream (product)`,
      condition: sql`finding.product = stream.product`,
    };
  if (by === 'severity' || filter.severities === undefined) {
    const ranges = combinations(products, statuses, [0]);
    return {
      from: sql`unnest(${ranges.map(([product]) => product)}::text[], ${ranges.map(([, status]) => status)}::text[])
        as stream (product, status)`,
      condition: sql`finding.product = stream.product and finding.status = stream.status`,
    };
  }
  const ranges = combinations(products, statuses, unique(filter.severities));
  return {
    from: sql`unnest(${ranges.map(([product]) => product)}::text[], ${ranges.map(([, status]) => status)}::text[],
      ${ranges.map(([, , severity]) => severity)}::smallint[]) as stream (product, status, severity)`,
    condition: sql`finding.product = stream.product and finding.status = stream.status
      and finding.severity = stream.severity`,
  };
}

interface ListPlan extends CallerContext {
  /** So few projects match that reading each one separately is faster. */
  hasFewProjects: boolean;
}

function streamsOf(filter: FindingFilter, plan: ListPlan, order: FindingOrder): IndexStreams {
  const { rules } = filter;
  if (plan.hasFewProjects)
    return {
      from: sql`(${projectsOf(filter, plan)}) as stream (project_id)`,
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

const isAfterKey = (order: FindingOrder, [severity, since, id]: readonly string[]) => {
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
const MIN_COMMON_PATHS = 200;
const isRareText = ({ textMatches }: FindingCriteria) =>
  textMatches !== undefined && textMatches.places.length < MIN_COMMON_PATHS;

/** Selective criteria, served by other indexes than those that provide the order of the list. */
const isSelective = (criteria: FindingCriteria) =>
  isRareText(criteria) ||
  (criteria.assignees !== undefined && !criteria.assignees.includes(ASSIGNEE_NONE)) ||
  (criteria.ids ??
    criteria.triaged ??
    criteria.packages ??
    criteria.pullRequestEpisode ??
    criteria.decisionEnds ??
    criteria.exceptions) !== undefined;

const needsPlanner = ({ and = [], ...own }: FindingFilter) => [own, ...and].some(isSelective);

/** A subquery of `id`, `severity` and `relevant_since` of matching findings, in list order. */
export function findingListSql(
  { filter, order, after, limit, condition = sql`true` }: FindingListRequest,
  plan: ListPlan,
): Sql {
  const where = sql`${filterSql(filter, plan)} and ${condition} ${after ? isAfterKey(order, after) : emptySql}`;
  const columns = sql`finding.id, finding.severity, finding.relevant_since`;
  if (needsPlanner(filter))
    return unprepared(sql`select ${columns} from finding where ${where} order by ${orderOf(order, sql`finding`)}
      limit ${limit}::int`);
  const streams = streamsOf(filter, plan, order);
  return unprepared(sql`
    select hit.* from ${streams.from} cross join lateral (
      select ${columns} from finding where ${streams.condition} and ${where}
      order by ${orderOf(order, sql`finding`)} limit ${limit}::int) as hit
    order by ${orderOf(order, sql`hit`)} limit ${limit}::int`);
}

/** Decides how to query; if all projects may match, no decision is needed. */
export async function planFindingList(tx: Tx, context: CallerContext, filter: FindingFilter): Promise<ListPlan> {
  const includesAllProjects =
    context.caller.seesEverything && filter.isArchived !== true && !hasProjectCriteria(filter);
  if (filter.ids !== undefined || includesAllProjects) return { ...context, hasFewProjects: false };
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from (
      select from (${unprepared(projectsOf(filter, context))}) as project limit ${MAX_STREAMS + 1}::int) as seen`;
  return { ...context, hasFewProjects: (row?.count ?? 0) <= MAX_STREAMS };
}

/** A condition on `finding` for aggregates over all matches; it starts from the projects if they are few. */
export async function allMatchingSql(tx: Tx, context: CallerContext, filter: FindingFilter): Promise<Sql> {
  const { hasFewProjects } = await planFindingList(tx, context, filter);
  const narrowed = sql`finding.project_id = any(array(${projectsOf(filter, context)}))`;
  return unprepared(sql`${filterSql(filter, context)} ${hasFewProjects ? sql`and ${narrowed}` : emptySql}`);
}

const ListRow = z.object({ id: z.string(), severity: z.number(), relevant_since: z.string() });

/** One page of finding ids; also sets the cursor of the next page. */
export async function listFindingPage(
  tx: Tx,
  context: CallerContext,
  { page, ...request }: Omit<FindingListRequest, 'after' | 'limit'> & { page: Page },
): Promise<string[]> {
  const { after, limit } = page.window;
  const filter = await resolveTextSearch(tx, request.filter);
  const plan = await planFindingList(tx, context, filter);
  const rows = await tx.all(ListRow)`${findingListSql({ ...request, filter, after, limit: limit + 1 }, plan)}`;
  const { items } = page.close(rows, ({ severity, relevant_since: since, id }) => [String(severity), since, id]);
  return items.map(({ id }) => id);
}
