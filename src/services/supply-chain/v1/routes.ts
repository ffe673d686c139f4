import * as dependencies from '#domain/dependencies/queries.ts';
import { startSbomExport } from '#domain/sboms/sbom-export.ts';
import { downloadUrl, issueDownloadTicket } from '#domain/tasks/download-ticket.ts';
import * as tasks from '#domain/tasks/store.ts';
import { verifyTaskToken } from '#domain/tasks/task-token.ts';
import { loadProject } from '#domain/teams/visibility.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group, PrebuiltReply } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const STATUS = {
  in_progress: 'SBOM_EXPORT_STATUS_IN_PROGRESS',
  completed: 'SBOM_EXPORT_STATUS_COMPLETED',
  failed: 'SBOM_EXPORT_STATUS_FAILED',
  terminated: 'SBOM_EXPORT_STATUS_FAILED',
} as const;

/** SupplyChainService of v1: dependencies and SBOM exports. */
export const supplyChainV1 = group(
  'SupplyChainService',
  contract,
  {
    listDependencies: async ({ body, tx, caller }) => {
      const { cursor: after, pageSize: limit, dependencyFilter: filter = {} } = body;
      const { rows, hasMore } = await dependencies.list(tx, caller, { filter, after, limit });
      const cursor = rows.at(-1)?.id ?? String(after);
      return new PrebuiltReply(
        JSON.stringify({ dependencies: rows.map(dependencies.toFoundDependency), hasMore, cursor }),
      );
    },

    listRepositoriesForDependencies: async ({ body, tx, caller }) => {
      const { cursor: after, pageSize: limit, dependencyFilter: filter = {} } = body;
      const { rows, hasMore } = await dependencies.listRepositories(tx, caller, { filter, after, limit });
      const cursor = Number(rows.at(-1)?.id ?? after);
      return { repositorySummaries: rows.map(dependencies.toRepositorySummary), hasMore, cursor };
    },

    listLockfilesForDependencies: async ({ path, body, page, tx, caller }) => {
      const slice = { after: page.window.after?.[0], limit: page.window.limit };
      const { dependencyFilter: filter = {} } = body;
      const rows = await dependencies.listLockfiles(tx, caller, { filter, project: path.repositoryId, ...slice });
      const { items, cursor } = page.close(rows, ({ lockfilePath }) => [lockfilePath]);
      return { lockfileSummaries: items, hasMore: cursor !== '', cursor };
    },

    createSbomExport: async ({ body, tx, caller, services, now, answer }) => {
      const request = { ...body, encoding: 'json' as const };
      const { token, ref } = await startSbomExport(tx, services.keys, { caller, now, request });
      answer.recordEffect({ object: `project/${body.repositoryId}`, after: { export: 'sbom', ref } });
      return { taskToken: token };
    },

    getSbomExport: async ({ path, tx, caller, services, now }) => {
      const claims = await verifyTaskToken(services.keys, path.taskToken, now);
      if (!claims || claims.deployment !== caller.deployment) throw NOT_FOUND();
      const task = await tasks.findOwn(tx, caller, claims);
      if (!task) throw NOT_FOUND();
      const isDone = task.status === 'completed';
      return {
        status: STATUS[task.status],
        downloadUrl: isDone ? downloadUrl(services.baseUrl, issueDownloadTicket(services.keys, claims, now)) : '',
        errorMessage: task.reason,
      };
    },
  },
  { objects: { repositoryId: loadProject } },
);
