import '@mantine/core/styles/Table.layer.css';
import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ProjectRepository } from '#web/foundation/api/project-queries.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { SeverityBar } from '#web/ui/badges/severity.tsx';
import { openFindingsFilter } from '#web/ui/filter/open-findings-filter.ts';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { COVERAGE_LABELS, coverageOf } from './coverage.ts';
import { type OpenFindingCounts, useOpenFindingCounts } from './use-open-findings.ts';

/** The table of projects; narrow screens hide the less important columns. */
export function ProjectTable({ repos }: { repos: readonly ProjectRepository[] }) {
  const open = useOpenFindingCounts(repos.map(({ name }) => name));
  return (
    <div className="projects-scroll">
      <Table highlightOnHover verticalSpacing="xs">
        <caption className="visually-hidden">Projects</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Project</Table.Th>
            <Table.Th scope="col">Open findings</Table.Th>
            <Table.Th scope="col" className="projects-wide">
              Branch
            </Table.Th>
            <Table.Th scope="col">Last scan</Table.Th>
            <Table.Th scope="col" className="projects-wide">
              Tags
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {repos.map((repo) => (
            <ProjectRow key={repo.id} repo={repo} open={open.get(repo.name)} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface ProjectRowProps {
  repo: ProjectRepository;
  /** Undefined while it is loading. */
  open: OpenFindingCounts | undefined;
}

function ProjectRow({ repo, open }: ProjectRowProps) {
  const org = useOrg();
  const coverage = coverageOf(repo.latestScan, new Date());
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/o/$slug/projects/$projectId" params={{ slug: org.slug, projectId: repo.id }}>
          {repo.name}
        </Link>
        {repo.isArchived && <span className="dimmed"> archived</span>}
      </Table.Td>
      <Table.Td>{open ? <OpenCell name={repo.name} open={open} /> : <span className="dimmed">…</span>}</Table.Td>
      <Table.Td className="projects-wide mono">{repo.primaryRef?.ref.replace(/^refs\/heads\//, '') ?? ''}</Table.Td>
      <Table.Td>
        {repo.latestScan ? (
          <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId: repo.latestScan.id }}>
            <RelativeTime at={repo.latestScan.startedAt} />
          </Link>
        ) : null}{' '}
        {coverage !== 'covered' && (
          <span className="projects-coverage" data-coverage={coverage}>
            {COVERAGE_LABELS[coverage]}
          </span>
        )}
      </Table.Td>
      <Table.Td className="projects-wide">{repo.tags.join(', ')}</Table.Td>
    </Table.Tr>
  );
}

function OpenCell({ name, open }: { name: string; open: OpenFindingCounts }) {
  const org = useOrg();
  if (open.count === '0') return <span className="dimmed">0</span>;
  return (
    <span className="projects-open">
      <Link to="/o/$slug/findings" params={{ slug: org.slug }} search={{ q: openFindingsFilter(name) }}>
        {formatNumber(Number(open.count))}
      </Link>
      <SeverityBar counts={open.counts} />
    </span>
  );
}
