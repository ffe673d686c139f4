import '@mantine/core/styles/Table.layer.css';
import { Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { scansQuery } from '#web/foundation/api/project-queries.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { SCAN_STATUS_LABELS } from './scan-labels.ts';

/** The recent scans of a project, newest first. */
export function ScanList({ projectId }: { projectId: string }) {
  const org = useOrg();
  const list = useInfiniteQuery(scansQuery(org.id, projectId));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const scans = list.data.pages.flatMap((page) => page.scans);
  if (scans.length === 0)
    return <EmptyState title="No scan in the last 30 days" why="Findings of earlier scans are still tracked." />;
  return (
    <div className="projects-scroll">
      <Table>
        <caption className="visually-hidden">Scans of the last 30 days</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Started</Table.Th>
            <Table.Th scope="col">Outcome</Table.Th>
            <Table.Th scope="col">Kind</Table.Th>
            <Table.Th scope="col">Commit</Table.Th>
            <Table.Th scope="col">Findings</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {scans.map((scan) => (
            <Table.Tr key={scan.id}>
              <Table.Td>
                <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId: scan.id }}>
                  <RelativeTime at={scan.startTime} />
                </Link>
              </Table.Td>
              <Table.Td>{SCAN_STATUS_LABELS[scan.status ?? 'SCAN_STATUS_PENDING']}</Table.Td>
              <Table.Td>{scan.isFullScan ? 'Full' : 'Changes only'}</Table.Td>
              <Table.Td className="mono">{scan.commit.slice(0, 10)}</Table.Td>
              <Table.Td>{scan.findingsCounts.total}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {problem}
      <LoadMore {...list} />
    </div>
  );
}
