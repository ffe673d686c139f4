import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { system } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { DataTable, type TableColumn } from '../parts/data-table.tsx';
import { formatBytes, formatDuration, healthWarnings } from './system-health.ts';
import './system.css';

const LOOK_EVERY_MS = 10_000;

type Status = Awaited<ReturnType<typeof system.getSystemStatus>>;

/** How the server is; the page looks again every ten seconds. */
export function SystemSection() {
  const { id: deploymentId } = useOrg();
  const status = useQuery({
    queryKey: [deploymentId, 'settings', 'system'],
    queryFn: ({ signal }) => system.getSystemStatus({ path: { deploymentId } }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
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
  const worries = healthWarnings(status);
  return (
    <div className="system">
      <div className="settings-note" data-kind={worries.length === 0 ? 'good' : 'warn'} role="status">
        {worries.length === 0 ? (
          <span className="settings-word" data-kind="good">
            <CircleCheck size={16} aria-hidden="true" /> All is well.
          </span>
        ) : (
          <ul className="system-worries">
            {worries.map((worry) => (
              <li key={worry}>
                <TriangleAlert size={16} aria-hidden="true" /> {worry}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Facts status={status} />
      <h2>Jobs that were given up</h2>
      {status.deadJobs.length === 0 ? (
        <EmptyState title="None" why="Every job was done, or will be tried again." />
      ) : (
        <DataTable label="Jobs that were given up" columns={DEAD} rows={status.deadJobs} keyOf={({ id }) => id} />
      )}
    </div>
  );
}

const DEAD: readonly TableColumn<Status['deadJobs'][number]>[] = [
  { name: 'Kind', cell: ({ kind }) => <code>{kind}</code> },
  { name: 'Given up', cell: ({ failedAt }) => <RelativeTime at={failedAt} /> },
  { name: 'Why', cell: ({ error }) => error },
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
      `PostgreSQL ${database.version}, ${database.isEmbedded ? 'embedded' : 'of your own'}`,
    ],
    ['Migrations', `${migrations.applied} applied`, `${migrations.pending} waiting`],
    [
      'Jobs',
      `${jobs.waiting} waiting`,
      `${jobs.running} running, ${jobs.dead} given up${
        jobs.waiting > 0 ? `, the oldest waits for ${formatDuration(jobs.oldestWaitingSeconds)}` : ''
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
