import type { Asking, Filter } from '#domain/findings/filter.ts';
import { hits, type Order, questionOf } from '#domain/findings/list.ts';
import { snapshotOf } from '#domain/findings/opening.ts';
import { PRODUCTS } from '#domain/findings/shape.ts';
import { isVisibleBatch as isVisibleBatchOfIssues } from '#domain/findings/undo.ts';
import { withWordsFound } from '#domain/findings/words.ts';
import { newestMark } from '#domain/workflow-issues/bulk.ts';
import { hits as workflowHits } from '#domain/workflow-issues/list.ts';
import { isVisibleBatch as isVisibleBatchOfWorkflows } from '#domain/workflow-issues/undo.ts';
import type { Page } from '#kernel/db/page.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { IssueFilter } from './filter-shape.ts';
import { filterOf } from './wanted.ts';

/** The two kinds that the one list of findings is made of; where they stand beside each other, in this order. */
export const KINDS = ['issue', 'workflow'] as const;
export type Kind = (typeof KINDS)[number];

/** The same question of each kind; one is absent where the question is of types of the other alone. */
export type Filters = { [Name in Kind]?: Filter };

export interface MixedQuestion {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
  issueTypes?: string[] | undefined;
}

const mayBe = (products: readonly string[], { products: own, and = [] }: Filter) =>
  [own, ...and.map((wants) => wants.products)].reduce<readonly string[]>(
    (left, named) => (named ? left.filter((one) => named.includes(one)) : left),
    products,
  ).length > 0;

export function filtersOf({ q, filter, issueTypes = [] }: MixedQuestion, now: Date): Filters {
  const asked = { ...(q !== undefined && { q }), filter };
  const issue = filterOf({ ...asked, issueTypes }, now);
  const workflow = filterOf({ ...asked, issueTypes: ['ISSUE_TYPE_WORKFLOW'] }, now);
  return {
    ...(mayBe(PRODUCTS, issue) && { issue }),
    ...(issueTypes.length === 0 && mayBe(['workflow'], workflow) && { workflow }),
  };
}

/** The mark of both lists, also of the one that has findings alone: a change of all that match may be of both kinds. */
export const snapshotOfBoth = (tx: Tx, deployment: string): Promise<string> =>
  snapshotOf(tx, deployment, newestMark(deployment));

/** A batch of decisions exists for those who may see something that it is about, of either kind. */
export const isVisibleBatch = async (tx: Tx, asking: Asking, batch: string): Promise<boolean> =>
  (await isVisibleBatchOfIssues(tx, asking, batch)) || (await isVisibleBatchOfWorkflows(tx, asking, batch));

/** One line of the list: which it is, and where it stands. */
export interface Spot {
  kind: Kind;
  id: string;
  severity: string;
  since: string;
}

const rank = (kind: Kind) => KINDS.indexOf(kind);
const sign = (one: number | bigint, other: number | bigint) => (one < other ? -1 : one > other ? 1 : 0);

/** Below zero when one stands before the other. */
export function compare(one: Spot, other: Spot, { by, isDescending }: Order): number {
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
export function afterOf(kind: Kind, last: Spot | undefined, { isDescending }: Order): string[] | null {
  if (!last) return null;
  const { severity, since, id } = last;
  if (last.kind === kind) return [severity, since, id];
  const isEqualLeft = isDescending ? rank(kind) < rank(last.kind) : rank(kind) > rank(last.kind);
  return [severity, since, isEqualLeft === isDescending ? HIGHEST : LOWEST];
}

export interface MixedWant {
  filters: Filters;
  order: Order;
  after: Spot | undefined;
  limit: number;
}

/** The first lines of both kinds in the order of the list: each is asked for as many as are wanted, then merged. */
export async function mixedHits(tx: Tx, asking: Asking, want: MixedWant): Promise<Spot[]> {
  const { filters, order, after, limit } = want;
  const wantOf = (kind: Kind, filter: Filter) => ({ filter, order, limit, after: afterOf(kind, after, order) });
  const { workflow } = filters;
  const issue = filters.issue && (await withWordsFound(tx, filters.issue));
  const question = issue && (await questionOf(tx, asking, issue));
  const [issues, workflows] = await Promise.all([
    issue && question ? tx.rows`${hits(wantOf('issue', issue), question)}` : [],
    workflow ? tx.rows`${workflowHits(wantOf('workflow', workflow), asking)}` : [],
  ]);
  const spotOf = (kind: Kind) => (row: Record<string, unknown>) => ({
    kind,
    id: String(row['id']),
    severity: String(row['severity']),
    since: String(row['relevant_since']),
  });
  const spots = [...issues.map(spotOf('issue')), ...workflows.map(spotOf('workflow'))];
  return spots.sort((one, other) => compare(one, other, order)).slice(0, limit);
}

const keyOf = ({ kind, id, severity, since }: Spot) => [severity, since, kind, id];
const spotOfKey = ([severity = '', since = '', kind, id = '']: readonly string[]): Spot => ({
  kind: kind === 'workflow' ? kind : 'issue',
  id,
  severity,
  since,
});

/** One page of both kinds; the cursor of the next page is made. */
export async function mixedPage(
  tx: Tx,
  asking: Asking,
  { page, filters, order }: Pick<MixedWant, 'filters' | 'order'> & { page: Page },
): Promise<Spot[]> {
  const { after, limit } = page.window;
  const want = { filters, order, after: after ? spotOfKey(after) : undefined, limit: limit + 1 };
  return page.close(await mixedHits(tx, asking, want), keyOf).items;
}

export const idsOf = (spots: readonly Spot[], kind: Kind): string[] =>
  spots.flatMap((spot) => (spot.kind === kind ? [spot.id] : []));
