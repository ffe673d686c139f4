import type { FindingOrder } from '#domain/findings/filter/finding-list.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const SORT_KEYS: Record<string, FindingOrder['by']> = {
  SORT_BY_RELEVANT_SINCE: 'relevance',
  SORT_BY_SEVERITY: 'severity',
};

type SortFields = Pick<Call<typeof contract.listIssues>['body'], 'sortBy' | 'sortDirection'>;

/** The requested order of issues; refuses orders that no index serves. */
export function issueOrderOf({ sortBy = 'SORT_BY_RELEVANT_SINCE', sortDirection }: SortFields): FindingOrder {
  const by = SORT_KEYS[sortBy];
  if (!by) throw contract.SORT_NOT_SERVED({ sort: sortBy });
  return { by, isDescending: sortDirection !== 'SORT_DIRECTION_ASC' };
}
