import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { system } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { formatBytes, formatDuration, healthWarnings } from './system-health.ts';
import './system.css';

const REFETCH_INTERVAL_MS = 10_000;

type Status = Awaited<ReturnType<typeof system.getSystemStatus>>;

/** The server status, refreshed every ten seconds. */
export function SystemSection() {
  const { id: deploymentId } = useOrg();
  const status = useQuery({
    queryKey: [deploymentId, 'settings', 'system'],
    queryFn: ({ signal }) => system.getSystemStatus({ path: { deploymentId } }, { signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return (
    <Page
      title="System"
      actions={<CopyAsMenu operationId="SystemService_GetSystemStatus" input={{ path: { deploymentId } }} />}
    >
      {status.isPending && <LoadingRows rows={10} />}
      {status.isError && <ProblemView error={status.error} onRetry={() => void status.refetch()} />}
      {status.data && <StatusView status={status.data} />}
    </Page>
  );
}

function StatusView({ status }: { status: Status }) {
  const warnings = healthWarnings(status);
  return (
    <div className="system">
      <div className="settings-note" data-kind={warnings.length === 0 ? 'good' : 'warn'} role="status">
        {warnings.length === 0 ? (
          <span className="settings-status" data-kind="good">
            <CircleCheck size={16} aria-hidden="true" /> All systems are healthy.
          </span>
        ) : (
          <ul className="system-warnings">
            {warnings.map((warning) => (
              <li key={warning}>
                <TriangleAlert size={16} aria-hidden="true" /> {warning}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Facts status={status} />
      <h2>Failed jobs</h2>
      {status.deadJobs.length === 0 ? (
        <EmptyState title="None" why="All jobs have succeeded or will be retried." />
      ) : (
        <DataTable label="Failed jobs" columns={DEAD_JOB_COLUMNS} rows={status.deadJobs} keyOf={({ id }) => id} />
      )}
    </div>
  );
}

const DEAD_JOB_COLUMNS: readonly TableColumn<Status['deadJobs'][number]>[] = [
  { name: 'Kind', cell: ({ kind }) => <code>{kind}</code> },
  { name: 'Failed', cell: ({ failedAt }) => <RelativeTime at={failedAt} /> },
  { name: 'Error', cell: ({ error }) => error },
  { name: 'Id', cell: ({ id }) => id },
];

function Facts({ status }: { status: Status }) {
  const { version, node, startedAt, database, migrations, jobs, disk, memoryBytes } = status;
  const facts: [name: string, value: ReactNode, more?: string][] = [
    ['Version', version, `Node.js ${node.replace(/^v/, '')}`],
    ['Started', <RelativeTime key="started" at={startedAt} />],
    [
      'Database',
      formatBytes(database.sizeBytes),
      `PostgreSQL ${database.version}, ${database.isEmbedded ? 'embedded' : 'external'}`,
    ],
    ['Migrations', `${migrations.applied} applied`, `${migrations.pending} pending`],
    [
      'Jobs',
      `${jobs.waiting} waiting`,
      `${jobs.running} running, ${jobs.dead} failed${
        jobs.waiting > 0 ? `, oldest waiting for ${formatDuration(jobs.oldestWaitingSeconds)}` : ''
      }`,
    ],
    ...(disk
      ? [
          ['Disk', `${formatBytes(disk.freeBytes)} free`, `of ${formatBytes(disk.totalBytes)}`] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ['Memory', formatBytes(memoryBytes), 'of this process'],
  ];
  return (
    <dl className="system-facts">
      {facts.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {more !== undefined && <dd className="dimmed">{more}</dd>}
        </div>
      ))}
    </dl>
  );
}
