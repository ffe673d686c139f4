import type { Handlers } from '#kernel/http/group.ts';
import { groupsOf } from './groups.ts';
import { lookAtBoth } from './mixed-facets.ts';
import { facetsOf, lookAtIssues } from './views.ts';
import type * as contract from './views-contract.ts';

/** Ways to look at many issues at once. */
export const viewHandlers: Handlers<typeof contract> = {
  getIssueFacets: ({ body, tx, caller, now }) =>
    facetsOf(tx, { caller, now }, body, body.includeWorkflows === true ? lookAtBoth : lookAtIssues),

  groupIssues: async ({ body, page, tx, caller, now }) => {
    const { rows, total } = await groupsOf(tx, { caller, now }, { ...body, window: page.window });
    const { items, cursor } = page.close(rows, ({ sortKey }) => sortKey);
    return { groups: items.map(({ group }) => group), cursor, total };
  },
};
