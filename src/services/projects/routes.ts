import type { ProjectSettingsChange } from '#domain/projects/rules.ts';
import { scmEventJob } from '#domain/scm/receive-delivery.ts';
import { scmSyncTask } from '#domain/scm/scm-jobs.ts';
import { startTask } from '#domain/tasks/task-runner.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { enqueue } from '#kernel/jobs/job.ts';
import { changeEach, changeMatching, unconnectedErrors } from './bulk-changes.ts';
import { changeProject, parseBranch, refuseProjectChange, removeProject } from './change-project.ts';
import * as contract from './contract.ts';
import { projectCondition, repoCondition } from './filter-conditions.ts';
import { findByIdOrName, loadById, loadByIdOrName } from './find-project.ts';
import * as repos from './repository-store.ts';
import { tagsErrors } from './rules.ts';
import * as store from './store.ts';

type ProjectCall = Pick<Call, 'tx' | 'caller' | 'answer' | 'now'>;

async function replyWithRepo({ tx, caller }: ProjectCall, id: string) {
  const repo = await repos.find(tx, caller, id);
  if (!repo) throw NOT_FOUND();
  return { repo };
}

async function idOf({ tx, caller }: ProjectCall, text: string): Promise<string> {
  const id = await findByIdOrName(tx, caller, text);
  if (id === undefined) throw NOT_FOUND();
  return id;
}

async function projectOf({ tx, caller }: ProjectCall, id: string) {
  const project = await store.find(tx, caller.deployment, id);
  if (!project) throw NOT_FOUND();
  return project;
}

/** ProjectsService: projects and their settings. */
export const projects = group(
  'ProjectsService',
  contract,
  {
    bulkEditRepos: async (call) => ({ updatedRepoNames: await changeEach(call, call.body.changes) }),

    bulkProvisionRepos: async (call) => ({ repoFileUrls: {}, errors: await unconnectedErrors(call, call.body) }),

    bulkAddRepoSecret: async (call) => ({ repoTokenIds: {}, errors: await unconnectedErrors(call, call.body) }),

    refreshProjectsAsync: async ({ tx, caller, services, now }) => {
      const { deployment } = caller;
      const configs = await repos.listConnections(tx, deployment);
      if (configs.length === 0) throw contract.SCM_NOT_CONNECTED();
      const order = { kind: scmSyncTask, deployment, caller, input: { configs }, now };
      return { task_token_jwt: await startTask(tx, services.keys, order) };
    },

    syncRepo: async (call) => {
      const { tx, caller, path } = call;
      const { deployment } = caller;
      const found = await repos.findConnected(tx, deployment, path.repoId);
      if (!found) throw contract.SCM_NOT_CONNECTED();
      const payload = { ...found, event: 'repository', number: '' } as const;
      await enqueue(tx, scmEventJob, { deployment, payload, uniqueKey: `${found.config} asked ${found.repository}` });
      return replyWithRepo(call, path.repoId);
    },

    getReposByTag: async ({ tx, caller }) => ({ tagIdToRepoIds: await store.listByTag(tx, caller) }),

    getReposCount: async ({ tx, caller, body }) => ({
      count: await store.count(tx, repoCondition(caller, body.filters)),
    }),

    bulkApplyRepoUpdate: async (call) => {
      const { ids, errors } = await changeMatching(call, call.body, call.body.change);
      return { updatedRepoIds: ids, errors };
    },

    searchRepos: async ({ tx, caller, body, page }) => {
      const condition = repoCondition(caller, body.filters);
      const rows = await repos.list(tx, caller, { condition, window: page.window });
      const { items, cursor } = page.close(rows, ({ id }) => [id]);
      return { repos: items, cursor };
    },

    getRepo: async (call) => replyWithRepo(call, await idOf(call, call.path.idOrName)),

    editRepo: async (call) => {
      const { name, tagsChanges, primaryBranch, managedScans, aiScans } = call.body;
      refuseProjectChange(tagsErrors(tagsChanges ?? [], '#/tagsChanges'));
      const requested: ProjectSettingsChange = {
        name,
        tags: tagsChanges,
        primaryBranch: parseBranch(primaryBranch, '#/primaryBranch'),
        hasDiffScan: managedScans?.diffScan,
        hasFullScan: managedScans?.fullScan,
        hasAiFullScan: aiScans?.fullScan,
      };
      const id = await idOf(call, call.path.idOrName);
      await changeProject(call, id, requested);
      return replyWithRepo(call, id);
    },

    listProjects: async ({ tx, caller, body, page }) => {
      const rows = await store.list(tx, projectCondition(caller, body.filter), page.window);
      const { items, cursor } = page.close(rows, ({ id }) => [id]);
      return { projects: items, pageToken: cursor };
    },

    getProject: async (call) => ({ project: await projectOf(call, call.path.projectId) }),

    deleteProject: async (call) => {
      const project = await projectOf(call, call.path.projectId);
      await removeProject(call, call.path.projectId);
      return { project };
    },

    getBranch: async ({ tx, path }) => {
      const { deploymentId, projectId, branchId } = path;
      const branch = await store.findBranch(tx, { deployment: deploymentId, project: projectId, branch: branchId });
      if (!branch) throw NOT_FOUND();
      return { branch };
    },
  },
  {
    objects: {
      idOrName: loadByIdOrName,
      repoId: loadById,
      projectId: loadById,
      branchId: async (tx, { deployment, id, path }) =>
        (await store.findBranch(tx, { deployment, project: path['projectId'] ?? '', branch: id })) && new Set<string>(),
    },
  },
);
