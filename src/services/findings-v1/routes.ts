import { combineFilters, filterOfText } from '#domain/findings/filter/query-filter.ts';
import { group, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';
import { findingFilterOfV1 } from './v1-filter-mapping.ts';

/** FindingsService of v1: findings in code and dependencies. */
export const v1Findings = group('FindingsService', contract, {
  listFindings: async ({ query, page, tx, caller, now, services }) => {
    const { issue_type: products, since, dedup, status, q } = query;
    const { offset: pageNumber, limit } = page.window;
    const offset = pageNumber * limit;
    if (offset > contract.MAX_V1_OFFSET) throw contract.PAGE_TOO_FAR({ most: contract.MAX_V1_OFFSET });
    const fromMembers = {
      ...findingFilterOfV1(query, products),
      ...(since && { relevantSince: [{ from: since }] }),
      ...(dedup ? { isAnywhere: true } : { isByRef: true }),
    };
    const filter = q === undefined ? fromMembers : combineFilters(fromMembers, filterOfText(q, now, 'query/q'));
    const request = { filter, offset, limit, ...(status && { statuses: [status] }) };
    const list = dedup ? store.listDeduplicatedJson : store.listByRefJson;
    const context = { caller, now };
    const anchors = offset === 0 ? undefined : await store.openAnchors(tx, services.pageAnchors, context, request);
    return new PrebuiltReply(`{"findings":${await list(tx, context, request, anchors)}}`);
  },
});
