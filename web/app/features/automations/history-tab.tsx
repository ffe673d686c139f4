import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { audit } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';

type HistoryRecord = Awaited<ReturnType<typeof audit.listAuditRecords>>['records'][number];

const WORDS: Record<string, string> = {
  'AutomationsService.createAutomation': 'Created',
  'AutomationsService.updateAutomation': 'Changed',
  'AutomationsService.deleteAutomation': 'Deleted',
  'AutomationsService.restoreAutomation': 'Restored',
  'AutomationRunsService.setAutomationMode': 'Mode changed',
  'AutomationRunsService.runAutomation': 'Run on existing findings',
};

const COLUMNS: TableColumn<HistoryRecord>[] = [
  { name: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  { name: 'What', cell: ({ operation }) => WORDS[operation] ?? operation },
  { name: 'Who', cell: ({ actor }) => (actor.kind === 'token' ? `token ${actor.name}` : actor.name) },
  { name: 'Outcome', cell: ({ outcome }) => (/^2\d\d$/.test(outcome) ? 'success' : outcome) },
];

/** Who changed an automation, from the audit log. */
export function HistoryTab({ automationId }: { automationId: string }) {
  const org = useOrg();
  const filter = { objectKind: 'automation', objectId: automationId };
  const { data, error, refetch } = useQuery({
    queryKey: [org.id, 'automations', 'history', automationId],
    queryFn: ({ signal }) =>
      audit.listAuditRecords({ path: { deploymentId: org.id }, query: { ...filter, limit: '50' } }, { signal }),
  });
  if (!data) return error ? <ProblemView error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={4} />;
  if (data.records.length === 0)
    return <EmptyState title="No changes on record" why="Changes of the automation are listed here." />;
  return (
    <>
      <DataTable label="History" columns={COLUMNS} rows={data.records} keyOf={({ id }) => id} />
      <p>
        <Link
          to="/o/$slug/settings/{-$section}/{-$item}"
          params={{ slug: org.slug, section: 'audit', item: undefined }}
          search={filter}
        >
          All of it in the audit log
        </Link>
      </p>
    </>
  );
}
