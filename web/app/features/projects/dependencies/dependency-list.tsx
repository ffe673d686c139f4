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

export interface DependencyFilter {
  q: string;
  project?: string | undefined;
}

const PAGE = 100;

/** The API's filter for what was asked. */
export function dependencyFilterBody({ q, project }: DependencyFilter) {
  const question = parsePackageFilter(q);
  return {
    ...(question ? { packageFilters: [question] } : {}),
    ...(project === undefined ? {} : { repositoryId: [wireId(project)] }),
  };
}

const TRANSITIVITY = { DIRECT: 'Direct', TRANSITIVE: 'Through others', UNKNOWN_TRANSITIVITY: 'Not known' } as const;

/** Dependencies that match, with the file that names them. */
export function DependencyList({ wanted }: { wanted: DependencyFilter }) {
  const org = useOrg();
  const body = { dependencyFilter: dependencyFilterBody(wanted), pageSize: PAGE };
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
  // The same package may stand in one file twice, so its place in the list is its key.
  const rows = loaded.map((row, index) => ({ ...row, key: index }));
  if (rows.length === 0) return <NoDependencies wanted={wanted} />;
  return (
    <>
      {wanted.project !== undefined && <SbomMenu projectId={wanted.project} />}
      <Affected wanted={wanted} />
      <section className="dependencies-scroll" tabIndex={0} aria-label="Dependencies">
        <Table highlightOnHover>
          <caption className="visually-hidden">Dependencies</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Package</Table.Th>
              <Table.Th scope="col">Version</Table.Th>
              {wanted.project === undefined && <Table.Th scope="col">Project</Table.Th>}
              <Table.Th scope="col">How</Table.Th>
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
                {wanted.project === undefined && (
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
                <Table.Td className="dependencies-how">
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

const MOST_AFFECTED = 100;

/** Where it is, by project; there may be more projects than are named. */
function Affected({ wanted }: { wanted: DependencyFilter }) {
  const org = useOrg();
  const { data } = useQuery({
    queryKey: [org.id, 'dependency-projects', dependencyFilterBody(wanted)],
    queryFn: ({ signal }) =>
      supplyChain.listRepositoriesForDependencies(
        {
          path: { deploymentId: org.id },
          body: { dependencyFilter: dependencyFilterBody(wanted), pageSize: MOST_AFFECTED },
        },
        { signal },
      ),
  });
  const found = data?.repositorySummaries ?? [];
  if (found.length < 2) return null;
  const names = found.map(({ name, numDependencies }) => `${name} (${numDependencies})`).join(', ');
  return (
    <p role="status">
      In {data?.hasMore ? `more than ${found.length}` : found.length} projects: {names}
      {data?.hasMore ? ' and others.' : '.'}
    </p>
  );
}

function NoDependencies({ wanted }: { wanted: DependencyFilter }) {
  const org = useOrg();
  if (wanted.q === '')
    return (
      <EmptyState
        title="No dependencies are known yet"
        why="They come with scans of dependencies, and with bills of materials in CycloneDX or SPDX."
        command={importCommand(org.slug, 'acme/web', 'bom.json')}
      />
    );
  const who = wanted.project === undefined ? 'No project has' : 'This project does not have';
  return <EmptyState title="Nobody depends on it" why={`${who} ${wanted.q} on its primary branch.`} />;
}
