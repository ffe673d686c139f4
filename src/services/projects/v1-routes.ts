import type { ProjectSettingsChange } from '#domain/projects/rules.ts';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { fieldErrorsFault } from '#kernel/contract/field-errors.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { changeProject, parseBranch, removeProject } from './change-project.ts';
import { findByName, loadByName } from './find-project.ts';
import * as contract from './v1-contract.ts';
import * as store from './v1-store.ts';

type ProjectCall = Pick<Call, 'tx' | 'caller' | 'answer' | 'now'>;

async function idOf({ tx, caller }: ProjectCall, name: string): Promise<string> {
  const id = await findByName(tx, caller, name);
  if (id === undefined) throw NOT_FOUND();
  return id;
}

async function replyWithProject({ tx, caller }: ProjectCall, id: string) {
  const project = await store.find(tx, caller.deployment, id);
  if (!project) throw NOT_FOUND();
  return { project };
}

async function changeAndReply(call: ProjectCall, name: string, change: ProjectSettingsChange) {
  const id = await idOf(call, name);
  await changeProject(call, id, change);
  return replyWithProject(call, id);
}

type ScanSwitches = { diff_scan?: { enabled: boolean } | undefined; full_scan?: { enabled: boolean } | undefined };

const scanSwitchesOf = ({ diff_scan, full_scan }: ScanSwitches): ProjectSettingsChange => ({
  hasDiffScan: diff_scan?.enabled,
  hasFullScan: full_scan?.enabled,
});

/** The tags in the query and the body, of which at least one has some. */
function tagsToRemove({ query, body }: Pick<Call<typeof contract.deleteProjectTags>, 'query' | 'body'>): string[] {
  const tags = [...(query.tags ?? []), ...(body.tags ?? [])];
  if (tags.length > 0) return tags;
  throw fieldErrorsFault(VALIDATION_FAILED, [{ pointer: 'query/tags', code: 'REQUIRED', detail: 'is required' }]);
}

/** ProjectsService of v1: projects by name. */
export const v1Projects = group(
  'V1ProjectsService',
  contract,
  {
    listProjects: async ({ tx, caller, page, now, services }) => {
      const isFirst = page.window.offset === 0;
      const anchors = isFirst ? undefined : await store.openAnchors(tx, services.pageAnchors, { caller, now });
      return { projects: await store.list(tx, caller, page.window, anchors) };
    },

    getProject: async (call) => replyWithProject(call, await idOf(call, call.path.projectName)),

    updateProject: (call) => {
      const { tags, primary_branch, managed_scan_config = {} } = call.body;
      return changeAndReply(call, call.path.projectName, {
        tags: tags && [{ operation: 'SET_TAGS', tags }],
        primaryBranch: parseBranch(primary_branch, '#/primary_branch'),
        ...scanSwitchesOf(managed_scan_config),
      });
    },

    deleteProject: async (call) => ({
      project_name: await removeProject(call, await idOf(call, call.path.projectName)),
    }),

    addProjectTags: (call) =>
      changeAndReply(call, call.path.projectName, { tags: [{ operation: 'ADD_TAGS', tags: call.body.tags }] }),

    deleteProjectTags: (call) =>
      changeAndReply(call, call.path.projectName, { tags: [{ operation: 'REMOVE_TAGS', tags: tagsToRemove(call) }] }),

    toggleProjectManagedScan: (call) => changeAndReply(call, call.path.projectName, scanSwitchesOf(call.body)),
  },
  { objects: { projectName: loadByName } },
);
