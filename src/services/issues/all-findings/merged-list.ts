import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { type FindingOrder, findingListSql, planFindingList } from '#domain/findings/filter/finding-list.ts';
import { resolveTextSearch } from '#domain/findings/filter/text-search.ts';
import { PRODUCTS } from '#domain/findings/shape.ts';
import { takeIdSnapshot } from '#domain/findings/tracking/id-snapshot.ts';
import { isVisibleBatch as isVisibleBatchOfIssues } from '#domain/findings/triage/undo-batch.ts';
import { newestSnapshotId } from '#domain/workflow-issues/bulk-decisions.ts';
import { issueListSql as workflowHits } from '#domain/workflow-issues/issue-list.ts';
import { isVisibleIssueBatch as isVisibleBatchOfWorkflows } from '#domain/workflow-issues/undo-decisions.ts';
import type { Page } from '#kernel/db/query/page.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import type { IssueFilter } from '../list/filter-shape.ts';

/** The two kinds that the one list of findings is made of; where they stand beside each other, in this order. */
export const FINDING_KINDS = ['issue', 'workflow'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** The same question of each kind; one is absent where the question is of types of the other alone. */
export type FiltersByKind = { [Name in FindingKind]?: FindingFilter };

export interface AllFindingsQuery {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
  issueTypes?: string[] | undefined;
}

const mayBe = (products: readonly string[], { products: own, and = [] }: FindingFilter) =>
  [own, ...and.map((wants) => wants.products)].reduce<readonly string[]>(
    (left, named) => (named ? left.filter((one) => named.includes(one)) : left),
    products,
  ).length > 0;

export function filtersByKind({ q, filter, issueTypes = [] }: AllFindingsQuery, now: Date): FiltersByKind {
  const asked = { ...(q !== undefined && { q }), filter };
  const issue = findingFilterOf({ ...asked, issueTypes }, now);
  const workflow = findingFilterOf({ ...asked, issueTypes: ['ISSUE_TYPE_WORKFLOW'] }, now);
  return {
    ...(mayBe(PRODUCTS, issue) && { issue }),
    ...(issueTypes.length === 0 && mayBe(['workflow'], workflow) && { workflow }),
  };
}

/** The mark of both lists, also of the one that has findings alone: a change of all that match may be of both kinds. */
export const allFindingsSnapshot = (tx: Tx, deployment: string): Promise<string> =>
  takeIdSnapshot(tx, deployment, newestSnapshotId(deployment));

/** A batch of decisions exists for those who may see something that it is about, of either kind. */
export const isDecisionBatchVisible = async (tx: Tx, asking: CallerContext, batch: string): Promise<boolean> =>
  (await isVisibleBatchOfIssues(tx, asking, batch)) || (await isVisibleBatchOfWorkflows(tx, asking, batch));

/** One line of the list: which it is, and where it stands. */
export interface MergedEntry {
  kind: FindingKind;
  id: string;
  severity: string;
  since: string;
}

const rank = (kind: FindingKind) => FINDING_KINDS.indexOf(kind);
const sign = (one: number | bigint, other: number | bigint) => (one < other ? -1 : one > other ? 1 : 0);

/** Below zero when one stands before the other. */
export function compareEntries(one: MergedEntry, other: MergedEntry, { by, isDescending }: FindingOrder): number {
  const ascending =
    (by === 'severity' ? sign(Number(one.severity), Number(other.severity)) : 0) ||
    sign(Date.parse(one.since), Date.parse(other.since)) ||
    sign(rank(one.kind), rank(other.kind)) ||
    sign(BigInt(one.id), BigInt(other.id));
  return isDescending ? -ascending : ascending;
}

const LOWEST = '0';
const HIGHEST = '9223372036854775807';

/** Where the list of one kind goes on behind a line, which may be of the other: ids of two kinds have no order. */
export function positionAfter(
  kind: FindingKind,
  last: MergedEntry | undefined,
  { isDescending }: FindingOrder,
): string[] | null {
  if (!last) return null;
  const { severity, since, id } = last;
  if (last.kind === kind) return [severity, since, id];
  const isEqualLeft = isDescending ? rank(kind) < rank(last.kind) : rank(kind) > rank(last.kind);
  return [severity, since, isEqualLeft === isDescending ? HIGHEST : LOWEST];
}

export interface MergedEntriesRequest {
  filters: FiltersByKind;
  order: FindingOrder;
  after: MergedEntry | undefined;
  limit: number;
}

/** The first lines of both kinds in the order of the list: each is asked for as many as are wanted, then merged. */
export async function findMergedEntries(
  tx: Tx,
  asking: CallerContext,
  want: MergedEntriesRequest,
): Promise<MergedEntry[]> {
  const { filters, order, after, limit } = want;
  const wantOf = (kind: FindingKind, filter: FindingFilter) => ({
    filter,
    order,
    limit,
    after: positionAfter(kind, after, order),
  });
  const { workflow } = filters;
  const issue = filters.issue && (await resolveTextSearch(tx, filters.issue));
  const question = issue && (await planFindingList(tx, asking, issue));
  const [issues, workflows] = await Promise.all([
    issue && question ? tx.rows`${findingListSql(wantOf('issue', issue), question)}` : [],
    workflow ? tx.rows`${workflowHits(wantOf('workflow', workflow), asking)}` : [],
  ]);
  const spotOf = (kind: FindingKind) => (row: Record<string, unknown>) => ({
    kind,
    id: String(row['id']),
    severity: String(row['severity']),
    since: String(row['relevant_since']),
  });
  const spots = [...issues.map(spotOf('issue')), ...workflows.map(spotOf('workflow'))];
  return spots.sort((one, other) => compareEntries(one, other, order)).slice(0, limit);
}

const keyOf = ({ kind, id, severity, since }: MergedEntry) => [severity, since, kind, id];
const spotOfKey = ([severity = '', since = '', kind, id = '']: readonly string[]): MergedEntry => ({
  kind: kind === 'workflow' ? kind : 'issue',
  id,
  severity,
  since,
});

/** One page of both kinds; the cursor of the next page is made. */
export async function findMergedPage(
  tx: Tx,
  asking: CallerContext,
  { page, filters, order }: Pick<MergedEntriesRequest, 'filters' | 'order'> & { page: Page },
): Promise<MergedEntry[]> {
  const { after, limit } = page.window;
  const want = { filters, order, after: after ? spotOfKey(after) : undefined, limit: limit + 1 };
  return page.close(await findMergedEntries(tx, asking, want), keyOf).items;
}

export const idsOfKind = (spots: readonly MergedEntry[], kind: FindingKind): string[] =>
  spots.flatMap((spot) => (spot.kind === kind ? [spot.id] : []));
