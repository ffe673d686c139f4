import '@mantine/core/styles/Table.layer.css';
import { Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/org/org.ts';
import { LoadMore } from '#web/parts/load-more.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { When } from '#web/parts/when.tsx';
import { scansQuery } from './queries.ts';
import { SCAN_STATUS_WORDS } from './scan-words.ts';

/** The scans of a project, newest first. */
export function ScanList({ projectId }: { projectId: string }) {
  const org = useOrg();
  const list = useInfiniteQuery(scansQuery(org.id, projectId));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const scans = list.data.pages.flatMap((page) => page.scans);
  if (scans.length === 0)
    return <Empty title="No scan in the last 30 days" why="Findings of earlier scans are still tracked." />;
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
                  <When at={scan.startTime} />
                </Link>
              </Table.Td>
              <Table.Td>{SCAN_STATUS_WORDS[scan.status ?? 'SCAN_STATUS_PENDING']}</Table.Td>
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
