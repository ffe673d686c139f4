import * as dependencies from '#domain/dependencies/listing.ts';
import { startSbomExport } from '#domain/sboms/export.ts';
import * as tasks from '#domain/tasks/store.ts';
import { downloadUrl, ticketOf } from '#domain/tasks/ticket.ts';
import { verifyTaskToken } from '#domain/tasks/token.ts';
import { loadProject } from '#domain/teams/reach.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group, Prebuilt } from '#kernel/http/group.ts';
import * as contract from './contract.ts';

const STATUS = {
  in_progress: 'SBOM_EXPORT_STATUS_IN_PROGRESS',
  completed: 'SBOM_EXPORT_STATUS_COMPLETED',
  failed: 'SBOM_EXPORT_STATUS_FAILED',
  terminated: 'SBOM_EXPORT_STATUS_FAILED',
} as const;

/** SupplyChainService of v1: what projects depend on. */
export const supplyChain = group(
  'SupplyChainService',
  contract,
  {
    listDependencies: async ({ body, tx, caller }) => {
      const { cursor: after, pageSize: limit, dependencyFilter: filter = {} } = body;
      const { rows, hasMore } = await dependencies.list(tx, caller, { filter, after, limit });
      const cursor = rows.at(-1)?.id ?? String(after);
      return new Prebuilt(JSON.stringify({ dependencies: rows.map(dependencies.shownDependency), hasMore, cursor }));
    },

    listRepositoriesForDependencies: async ({ body, tx, caller }) => {
      const { cursor: after, pageSize: limit, dependencyFilter: filter = {} } = body;
      const { rows, hasMore } = await dependencies.listRepositories(tx, caller, { filter, after, limit });
      const cursor = Number(rows.at(-1)?.id ?? after);
      return { repositorySummaries: rows.map(dependencies.shownRepository), hasMore, cursor };
    },

    listLockfilesForDependencies: async ({ path, body, page, tx, caller }) => {
      const slice = { after: page.window.after?.[0], limit: page.window.limit };
      const { dependencyFilter: filter = {} } = body;
      const rows = await dependencies.listLockfiles(tx, caller, { filter, project: path.repositoryId, ...slice });
      const { items, cursor } = page.close(rows, ({ lockfilePath }) => [lockfilePath]);
      return { lockfileSummaries: items, hasMore: cursor !== '', cursor };
    },

    createSbomExport: async ({ body, tx, caller, powers, now, answer }) => {
      const wish = { ...body, encoding: 'json' as const };
      const { token, ref } = await startSbomExport(tx, powers.keys, { caller, now, wish });
      answer.changed({ object: `project/${body.repositoryId}`, after: { export: 'sbom', ref } });
      return { taskToken: token };
    },

    getSbomExport: async ({ path, tx, caller, powers, now }) => {
      const claims = await verifyTaskToken(powers.keys, path.taskToken, now);
      if (!claims || claims.deployment !== caller.deployment) throw NOT_FOUND();
      const task = await tasks.findOwn(tx, caller, claims);
      if (!task) throw NOT_FOUND();
      const isDone = task.status === 'completed';
      return {
        status: STATUS[task.status],
        downloadUrl: isDone ? downloadUrl(powers.baseUrl, ticketOf(powers.keys, claims, now)) : '',
        errorMessage: task.reason,
      };
    },
  },
  { objects: { repositoryId: loadProject } },
);
