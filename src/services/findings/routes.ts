import { bothOf, filterOfText } from '#domain/findings/query-filter.ts';
import { group, Prebuilt } from '#kernel/http/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';
import { filterOf } from './wanted.ts';

/** FindingsService of v1: what scans found in code and in dependencies. */
export const findings = group('FindingsService', contract, {
  listFindings: async ({ query, page, tx, caller, now }) => {
    const { issue_type: products, since, dedup, status, q } = query;
    const { offset: number, limit } = page.window;
    const offset = number * limit;
    if (offset > contract.MOST_PASSED_OVER) throw contract.PAGE_TOO_FAR({ most: contract.MOST_PASSED_OVER });
    const own = {
      ...filterOf(query, products),
      ...(since && { relevantSince: [{ from: since }] }),
      ...(dedup ? { isAnywhere: true } : { isByRef: true }),
    };
    const filter = q === undefined ? own : bothOf(own, filterOfText(q, now, 'query/q'));
    const wanted = { filter, offset, limit, ...(status && { statuses: [status] }) };
    const list = dedup ? store.listDeduplicatedText : store.listRowsText;
    return new Prebuilt(`{"findings":${await list(tx, { caller, now }, wanted)}}`);
  },
});
