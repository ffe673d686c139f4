import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { audit } from '#web/foundation/api/services.ts';
import { type AuditFilter, auditQueryParams } from './audit-filter.ts';

type Reply = Awaited<ReturnType<typeof audit.listAuditRecords>>;
export type AuditRecord = Reply['records'][number];

const MOST = '200';
const MOST_EXPORTED = 50_000;

export const auditQuery = (deploymentId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [deploymentId, 'settings', 'audit', filter],
    queryFn: ({ pageParam, signal }) =>
      audit.listAuditRecords(
        { path: { deploymentId }, query: { ...auditQueryParams(filter), limit: '50', cursor: pageParam } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
    placeholderData: keepPreviousData,
  });

/** All records of the view, the newest first, up to a number that a browser can hold; `isCut` says there are more. */
export async function fetchAllRecords(
  deploymentId: string,
  filter: AuditFilter,
  onProgress: (count: number) => void,
): Promise<{ records: AuditRecord[]; isCut: boolean }> {
  const all: AuditRecord[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined && all.length < MOST_EXPORTED) {
    const query = { ...auditQueryParams(filter), limit: MOST, cursor };
    const page: Reply = await audit.listAuditRecords({ path: { deploymentId }, query });
    all.push(...page.records);
    onProgress(all.length);
    cursor = page.cursor ? page.cursor : undefined;
  }
  return { records: all, isCut: cursor !== undefined };
}
