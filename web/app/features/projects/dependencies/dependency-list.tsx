import '@mantine/core/styles/Table.layer.css';
import { Table } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { wireId } from '#web/foundation/api/json-ids.ts';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { supplyChain } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { importCommand } from '#web/ui/upload/import-command.ts';
import './dependencies.css';
import { parsePackageFilter } from './package-filter.ts';
import { SbomMenu } from './sbom-menu.tsx';

interface DependencyFilter {
  q: string;
  project?: string | undefined;
}

const PAGE_SIZE = 100;

/** The filter as a member of the API's request. */
export function dependencyFilterBody({ q, project }: DependencyFilter) {
  const packageFilter = parsePackageFilter(q);
  return {
    ...(packageFilter ? { packageFilters: [packageFilter] } : {}),
    ...(project === undefined ? {} : { repositoryId: [wireId(project)] }),
  };
}

const TRANSITIVITY = { DIRECT: 'Direct', TRANSITIVE: 'Transitive', UNKNOWN_TRANSITIVITY: 'Unknown' } as const;

/** The matching dependencies, with the file that declares each. */
export function DependencyList({ filter }: { filter: DependencyFilter }) {
  const org = useOrg();
  const body = { dependencyFilter: dependencyFilterBody(filter), pageSize: PAGE_SIZE };
  const list = useInfiniteQuery({
    queryKey: [org.id, 'dependencies', body],
    initialPageParam: '0',
    queryFn: ({ pageParam, signal }) =>
      supplyChain.listDependenciesPost(
        { path: { deploymentId: org.id }, body: { ...body, cursor: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ hasMore, cursor }) => (hasMore ? String(cursor) : undefined),
  });
  const loaded = list.data?.pages.flatMap((page) => page.dependencies) ?? [];
  const ids = [...new Set(loaded.map(({ repositoryId }) => repositoryId))];
  const { data: names } = useQuery({ ...projectNamesQuery(org.id, ids), placeholderData: keepPreviousData });
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows rows={12} />;
  // A file may declare a package twice, so the index is the key.
  const rows = loaded.map((row, index) => ({ ...row, key: index }));
  if (rows.length === 0) return <NoDependencies filter={filter} />;
  return (
    <>
      {filter.project !== undefined && <SbomMenu projectId={filter.project} />}
      <AffectedProjects filter={filter} />
      <section className="dependencies-scroll" tabIndex={0} aria-label="Dependencies">
        <Table highlightOnHover>
          <caption className="visually-hidden">Dependencies</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Package</Table.Th>
              <Table.Th scope="col">Version</Table.Th>
              {filter.project === undefined && <Table.Th scope="col">Project</Table.Th>}
              <Table.Th scope="col">Relation</Table.Th>
              <Table.Th scope="col">File</Table.Th>
              <Table.Th scope="col">Licence</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.key}>
                <Table.Td>
                  <span className="dimmed">{row.ecosystem}</span> {row.package.name}
                </Table.Td>
                <Table.Td className="mono">{row.package.versionSpecifier}</Table.Td>
                {filter.project === undefined && (
                  <Table.Td>
                    <Link
                      to="/o/$slug/projects/$projectId"
                      params={{ slug: org.slug, projectId: row.repositoryId }}
                      search={{ tab: 'dependencies' }}
                    >
                      {names ? (names.get(row.repositoryId) ?? row.repositoryId) : '…'}
                    </Link>
                  </Table.Td>
                )}
                <Table.Td className="dependencies-relation">
                  {TRANSITIVITY[row.transitivity ?? 'UNKNOWN_TRANSITIVITY']}
                </Table.Td>
                <Table.Td className="mono">
                  {row.definedAt.path}
                  {row.definedAt.startLine === '0' ? '' : `:${row.definedAt.startLine}`}
                </Table.Td>
                <Table.Td>{row.licenses.join(', ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {problem}
      <LoadMore {...list} />
    </>
  );
}

const MAX_AFFECTED_PROJECTS = 100;

/** The projects that have it, up to a limit. */
function AffectedProjects({ filter }: { filter: DependencyFilter }) {
  const org = useOrg();
  const { data } = useQuery({
    queryKey: [org.id, 'dependency-projects', dependencyFilterBody(filter)],
    queryFn: ({ signal }) =>
      supplyChain.listRepositoriesForDependencies(
        {
          path: { deploymentId: org.id },
          body: { dependencyFilter: dependencyFilterBody(filter), pageSize: MAX_AFFECTED_PROJECTS },
        },
        { signal },
      ),
  });
  const summaries = data?.repositorySummaries ?? [];
  if (summaries.length < 2) return null;
  const names = summaries.map(({ name, numDependencies }) => `${name} (${numDependencies})`).join(', ');
  return (
    <p role="status">
      In {data?.hasMore ? `more than ${summaries.length}` : summaries.length} projects: {names}
      {data?.hasMore ? ' and others.' : '.'}
    </p>
  );
}

function NoDependencies({ filter }: { filter: DependencyFilter }) {
  const org = useOrg();
  if (filter.q === '')
    return (
      <EmptyState
        title="No dependencies yet"
        why="Dependencies come from dependency scans, and from SBOMs in CycloneDX or SPDX."
        command={importCommand(org.slug, 'acme/web', 'bom.json')}
      />
    );
  const who = filter.project === undefined ? 'No project has' : 'This project does not have';
  return <EmptyState title="No matching dependency" why={`${who} ${filter.q} on its primary branch.`} />;
}
