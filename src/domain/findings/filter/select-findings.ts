import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { TOO_MANY_FINDINGS } from '../shape.ts';
import type { CallerContext, FindingFilter } from './finding-filter.ts';
import { findingListSql, NEWEST_FIRST, planFindingList } from './finding-list.ts';
import { resolveTextSearch } from './text-search.ts';

/** The ids of all findings that match and that the caller sees; refuses more than `most`. */
export async function selectFindingIds(
  tx: Tx,
  context: CallerContext,
  { filter, most }: { filter: FindingFilter; most: number },
): Promise<string[]> {
  const resolved = await resolveTextSearch(tx, filter);
  const request = { filter: resolved, order: NEWEST_FIRST, after: null, limit: most + 1 };
  const rows = await tx.all(RowId)`${findingListSql(request, await planFindingList(tx, context, resolved))}`;
  if (rows.length > most) throw TOO_MANY_FINDINGS({ most });
  return rows.map(({ id }) => id);
}
