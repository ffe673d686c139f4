import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { system } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { When } from '#web/parts/when.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { durationOf, sizeOf, worriesOf } from './sizes.ts';
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
      actions={<CopyAs operationId="SystemService_GetSystemStatus" input={{ path: { deploymentId } }} />}
    >
      {status.isPending && <LoadingRows rows={10} />}
      {status.isError && <ProblemView error={status.error} onRetry={() => void status.refetch()} />}
      {status.data && <StatusView status={status.data} />}
    </Page>
  );
}

function StatusView({ status }: { status: Status }) {
  const worries = worriesOf(status);
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
        <Empty title="None" why="Every job was done, or will be tried again." />
      ) : (
        <DataTable label="Jobs that were given up" columns={DEAD} rows={status.deadJobs} keyOf={({ id }) => id} />
      )}
    </div>
  );
}

const DEAD: readonly Column<Status['deadJobs'][number]>[] = [
  { name: 'Kind', cell: ({ kind }) => <code>{kind}</code> },
  { name: 'Given up', cell: ({ failedAt }) => <When at={failedAt} /> },
  { name: 'Why', cell: ({ error }) => error },
  { name: 'Id', cell: ({ id }) => id },
];

function Facts({ status }: { status: Status }) {
  const { version, node, startedAt, database, migrations, jobs, disk, memoryBytes } = status;
  const facts: [name: string, value: ReactNode, more?: string][] = [
    ['Version', version, `Node.js ${node.replace(/^v/, '')}`],
    ['Started', <When key="started" at={startedAt} />],
    [
      'Database',
      sizeOf(database.sizeBytes),
      `PostgreSQL ${database.version}, ${database.isEmbedded ? 'embedded' : 'of your own'}`,
    ],
    ['Migrations', `${migrations.applied} applied`, `${migrations.pending} waiting`],
    [
      'Jobs',
      `${jobs.waiting} waiting`,
      `${jobs.running} running, ${jobs.dead} given up${
        jobs.waiting > 0 ? `, the oldest waits for ${durationOf(jobs.oldestWaitingSeconds)}` : ''
      }`,
    ],
    ...(disk
      ? [['Disk', `${sizeOf(disk.freeBytes)} free`, `of ${sizeOf(disk.totalBytes)}`] as [string, string, string]]
      : []),
    ['Memory', sizeOf(memoryBytes), 'of this process'],
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
