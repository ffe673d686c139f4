import * as dependencies from '#domain/dependencies/queries.ts';
import type { DependencyFilter } from '#domain/dependencies/shape.ts';
import { startSbomExport } from '#domain/sboms/sbom-export.ts';
import { loadProject } from '#domain/teams/visibility.ts';
import { type Call, group, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

async function replyWithDependencies(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  slice: { filter: DependencyFilter; after: number; limit: number },
): Promise<PrebuiltReply> {
  const { rows, hasMore } = await dependencies.list(tx, caller, slice);
  const cursor = rows.at(-1)?.id ?? String(slice.after);
  return new PrebuiltReply(JSON.stringify({ dependencies: rows.map(dependencies.toFoundDependency), hasMore, cursor }));
}

/** SupplyChain2Service: dependencies and SBOM exports. */
export const supplyChainV2 = group(
  'SupplyChain2Service',
  contract,
  {
    listDependenciesGet: ({ query, tx, caller }) => {
      const { cursor, pageSize, ...rest } = query;
      const members = Object.entries(rest).map(([name, value]) => [name.replace('dependencyFilter.', ''), value]);
      const filter = Object.fromEntries(members) as DependencyFilter;
      return replyWithDependencies({ tx, caller }, { filter, after: cursor, limit: pageSize });
    },

    listDependenciesPost: ({ body, tx, caller }) =>
      replyWithDependencies(
        { tx, caller },
        { filter: body.dependencyFilter ?? {}, after: body.cursor, limit: body.pageSize },
      ),

    listRepositoriesForDependencies: async ({ body, tx, caller }) => {
      const { cursor: after, pageSize: limit, dependencyFilter: filter = {} } = body;
      const { rows, hasMore } = await dependencies.listRepositories(tx, caller, { filter, after, limit });
      return {
        repositorySummaries: rows.map(dependencies.toRepositorySummary),
        hasMore,
        cursor: Number(rows.at(-1)?.id ?? after),
      };
    },

    listLockfilesForDependencies: async ({ path, body, page, tx, caller }) => {
      const slice = { after: page.window.after?.[0], limit: page.window.limit };
      const { dependencyFilter: filter = {} } = body;
      const rows = await dependencies.listLockfiles(tx, caller, { filter, project: path.repositoryId, ...slice });
      const { items, cursor } = page.close(rows, ({ lockfilePath }) => [lockfilePath]);
      return { lockfileSummaries: items, hasMore: cursor !== '', cursor };
    },

    listFindingsForAdvisory: async ({ path, body, tx, caller }) => {
      const { pageSize: limit, cursorFindingCount: count = 0, cursorProjectName: name = '' } = body;
      const after = name === '' ? undefined : { count, name };
      const { rows, hasMore } = await store.listByAdvisory(tx, caller, { advisory: path.advisoryId, after, limit });
      const last = rows.at(-1);
      return {
        projects: rows.map(({ rule: _, ...project }) => project),
        hasMore,
        cursorFindingCount: last?.totalFindingCount ?? count,
        cursorProjectName: last?.projectName ?? name,
        ruleId: rows[0]?.rule ?? '',
      };
    },

    generateSbomAsync: async ({ body, tx, caller, services, now, answer }) => {
      const encoding = body.sbomOutputFormat === 'SBOM_OUTPUT_FORMAT_XML' ? 'xml' : 'json';
      const { token, ref } = await startSbomExport(tx, services.keys, { caller, now, request: { ...body, encoding } });
      answer.recordEffect({ object: `project/${body.repositoryId}`, after: { export: 'sbom', ref, encoding } });
      return { taskTokenJwt: token };
    },
  },
  { objects: { repositoryId: loadProject } },
);
