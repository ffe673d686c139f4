import { z } from 'zod';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { type FindingOrder, findingListSql, planFindingList } from '#domain/findings/filter/finding-list.ts';
import { resolveTextSearch } from '#domain/findings/filter/text-search.ts';
import { PRODUCTS } from '#domain/findings/shape.ts';
import { takeIdSnapshot } from '#domain/findings/tracking/id-snapshot.ts';
import { isVisibleBatch as isFindingBatchVisible } from '#domain/findings/triage/undo-batch.ts';
import { newestSnapshotId } from '#domain/workflow-issues/bulk-decisions.ts';
import { issueListSql as workflowListSql } from '#domain/workflow-issues/issue-list.ts';
import { isVisibleIssueBatch as isWorkflowBatchVisible } from '#domain/workflow-issues/undo-decisions.ts';
import type { Page } from '#kernel/db/query/page.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import type { IssueFilter } from '../list/filter-shape.ts';

/** The kinds of entries in the merged list. Entries that are otherwise equal are ordered by kind, in this order. */
export const FINDING_KINDS = ['issue', 'workflow'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** One filter for each kind. A kind is absent if the query can only match the other kind. */
export type FiltersByKind = { [Name in FindingKind]?: FindingFilter };

export interface AllFindingsQuery {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
  issueTypes?: string[] | undefined;
}

/** True if the conditions on products of a filter leave at least one of these products. */
const canMatch = (products: readonly string[], filter: FindingFilter) =>
  [filter, ...(filter.and ?? [])].reduce<readonly string[]>(
    (left, { products: selected }) => (selected ? left.filter((product) => selected.includes(product)) : left),
    products,
  ).length > 0;

export function filtersByKind({ q, filter, issueTypes = [] }: AllFindingsQuery, now: Date): FiltersByKind {
  const query = { ...(q !== undefined && { q }), filter };
  const issue = findingFilterOf({ ...query, issueTypes }, now);
  const workflow = findingFilterOf({ ...query, issueTypes: ['ISSUE_TYPE_WORKFLOW'] }, now);
  return {
    ...(canMatch(PRODUCTS, issue) && { issue }),
    ...(issueTypes.length === 0 && canMatch(['workflow'], workflow) && { workflow }),
  };
}

/** A snapshot covers both kinds, even for the list of findings alone: a bulk update may include workflow issues. */
export const allFindingsSnapshot = (tx: Tx, deployment: string): Promise<string> =>
  takeIdSnapshot(tx, deployment, newestSnapshotId(deployment));

/** A batch is visible to callers who can see at least one of its findings or workflow issues. */
export const isDecisionBatchVisible = async (tx: Tx, context: CallerContext, batch: string): Promise<boolean> =>
  (await isFindingBatchVisible(tx, context, batch)) || (await isWorkflowBatchVisible(tx, context, batch));

/** One entry of the merged list with its sort key. */
export interface MergedEntry {
  kind: FindingKind;
  id: string;
  severity: string;
  since: string;
}

const rank = (kind: FindingKind) => FINDING_KINDS.indexOf(kind);
const sign = (left: number | bigint, right: number | bigint) => (left < right ? -1 : left > right ? 1 : 0);

/** Negative if the first entry comes before the second. */
export function compareEntries(first: MergedEntry, second: MergedEntry, { by, isDescending }: FindingOrder): number {
  const ascending =
    (by === 'severity' ? sign(Number(first.severity), Number(second.severity)) : 0) ||
    sign(Date.parse(first.since), Date.parse(second.since)) ||
    sign(rank(first.kind), rank(second.kind)) ||
    sign(BigInt(first.id), BigInt(second.id));
  return isDescending ? -ascending : ascending;
}

const MIN_ID = '0';
const MAX_ID = '9223372036854775807';

/**
 * The position from which one kind continues after an entry of either kind. Ids of different kinds are not comparable.
 */
export function positionAfter(
  kind: FindingKind,
  last: MergedEntry | undefined,
  { isDescending }: FindingOrder,
): string[] | null {
  if (!last) return null;
  const { severity, since, id } = last;
  if (last.kind === kind) return [severity, since, id];
  const hasEqualKeysLeft = isDescending ? rank(kind) < rank(last.kind) : rank(kind) > rank(last.kind);
  return [severity, since, hasEqualKeysLeft === isDescending ? MAX_ID : MIN_ID];
}

export interface MergedEntriesRequest {
  filters: FiltersByKind;
  order: FindingOrder;
  after: MergedEntry | undefined;
  limit: number;
}

const EntryRow = z.object({ id: z.string(), severity: z.coerce.string(), relevant_since: z.string() });

/** The first entries of both kinds in list order: reads `limit` entries of each kind and merges them. */
export async function findMergedEntries(
  tx: Tx,
  context: CallerContext,
  { filters, order, after, limit }: MergedEntriesRequest,
): Promise<MergedEntry[]> {
  const requestOf = (kind: FindingKind, filter: FindingFilter) => ({
    filter,
    order,
    limit,
    after: positionAfter(kind, after, order),
  });
  const { workflow } = filters;
  const issue = filters.issue && (await resolveTextSearch(tx, filters.issue));
  const plan = issue && (await planFindingList(tx, context, issue));
  const [issues, workflows] = await Promise.all([
    issue && plan ? tx.all(EntryRow)`${findingListSql(requestOf('issue', issue), plan)}` : [],
    workflow ? tx.all(EntryRow)`${workflowListSql(requestOf('workflow', workflow), context)}` : [],
  ]);
  const entryOf =
    (kind: FindingKind) =>
    ({ id, severity, relevant_since: since }: z.output<typeof EntryRow>): MergedEntry => ({
      kind,
      id,
      severity,
      since,
    });
  const entries = [...issues.map(entryOf('issue')), ...workflows.map(entryOf('workflow'))];
  return entries.sort((first, second) => compareEntries(first, second, order)).slice(0, limit);
}

const keyOf = ({ kind, id, severity, since }: MergedEntry) => [severity, since, kind, id];
const entryOfKey = ([severity = '', since = '', kind, id = '']: readonly string[]): MergedEntry => ({
  kind: kind === 'workflow' ? kind : 'issue',
  id,
  severity,
  since,
});

/** One page of both kinds; also sets the cursor of the next page. */
export async function findMergedPage(
  tx: Tx,
  context: CallerContext,
  { page, filters, order }: Pick<MergedEntriesRequest, 'filters' | 'order'> & { page: Page },
): Promise<MergedEntry[]> {
  const { after, limit } = page.window;
  const request = { filters, order, after: after ? entryOfKey(after) : undefined, limit: limit + 1 };
  return page.close(await findMergedEntries(tx, context, request), keyOf).items;
}

export const idsOfKind = (entries: readonly MergedEntry[], kind: FindingKind): string[] =>
  entries.flatMap((entry) => (entry.kind === kind ? [entry.id] : []));
