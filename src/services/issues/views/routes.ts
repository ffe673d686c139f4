import type { OperationHandlers } from '#kernel/http/pipeline/group.ts';
import { countAllFindingsFacets } from './all-findings-facets.ts';
import type * as contract from './contract.ts';
import { countIssueFacets, listFacets } from './facets.ts';
import { findIssueGroups } from './groups.ts';

/** Handlers of facets and groups. */
export const viewHandlers: OperationHandlers<typeof contract> = {
  getIssueFacets: ({ body, tx, caller, now }) =>
    listFacets(tx, { caller, now }, body, body.includeWorkflows === true ? countAllFindingsFacets : countIssueFacets),

  groupIssues: async ({ body, page, tx, caller, now }) => {
    const { rows, total } = await findIssueGroups(tx, { caller, now }, { ...body, window: page.window });
    const { items, cursor } = page.close(rows, ({ sortKey }) => sortKey);
    return { groups: items.map(({ group }) => group), cursor, total };
  },
};
