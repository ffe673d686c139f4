import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { audit } from '#web/foundation/api/services.ts';
import { type AuditFilter, auditQueryParams } from './audit-filter.ts';

type Reply = Awaited<ReturnType<typeof audit.listAuditRecords>>;
export type AuditRecord = Reply['records'][number];

const PAGE_SIZE = '200';
const MAX_EXPORTED = 50_000;

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

/** All records that match, newest first, up to a limit for the browser's memory; `isTruncated` if there are more. */
export async function fetchAllRecords(
  deploymentId: string,
  filter: AuditFilter,
  onProgress: (count: number) => void,
): Promise<{ records: AuditRecord[]; isTruncated: boolean }> {
  const all: AuditRecord[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined && all.length < MAX_EXPORTED) {
    const query = { ...auditQueryParams(filter), limit: PAGE_SIZE, cursor };
    const page: Reply = await audit.listAuditRecords({ path: { deploymentId }, query });
    all.push(...page.records);
    onProgress(all.length);
    cursor = page.cursor ? page.cursor : undefined;
  }
  return { records: all, isTruncated: cursor !== undefined };
}
