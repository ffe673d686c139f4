import { z } from 'zod';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, count, cursor, deployment, id, limit, name } from '#kernel/contract/proto-fields.ts';
import {
  ProjectListFilter,
  ProjectRecord,
  RepoChange,
  RepoFilters,
  Repository,
  RepoUpdateError,
  repoEditFields,
} from './shape.ts';

export const MAX_CHANGED_PROJECTS = 3000;

export const PROJECT_CHANGE_REFUSED = fault(
  'PROJECT_CHANGE_REFUSED',
  400,
  'The change has {count}: {first}',
  'Correct each entry listed in `errors`; nothing was changed.',
);
export const PROJECT_NAME_TAKEN = fault(
  'PROJECT_NAME_TAKEN',
  409,
  'Another project is named {name}.',
  'Names are unique ignoring case: choose another one, or delete the project that has it.',
);
export const TAG_QUOTA = fault(
  'TAG_QUOTA',
  409,
  'A project can have at most {most} tags; {name} would have {count}.',
  'Remove tags first.',
);
export const TOO_MANY_PROJECTS = fault(
  'TOO_MANY_PROJECTS',
  400,
  'The filters match more than {most} projects.',
  'Narrow the filters, and call again for the others.',
);
export const SCM_NOT_CONNECTED = fault(
  'SCM_NOT_CONNECTED',
  409,
  'No code host is connected that has this.',
  'Connect one in the settings; until then projects come from scans and imports.',
);

const repos = '/api/agent/deployments/{deploymentId}/repos';
const projects = '/api/v2/deployments/{deploymentId}/projects';
const path = { deploymentId: deployment() };
const repeated = { deploymentId: id('Deployment').optional() };
const repoPath = { ...path, idOrName: name(512, 'Project') };
const projectPath = { ...path, projectId: id('Project') };
const reading = { maturity: 'experimental', allow: 'project:read' } as const;
const managing = { maturity: 'experimental', allow: 'project:manage' } as const;
const chosen = {
  ...repeated,
  filters: RepoFilters,
  excludeIds: z.array(id('Project')).max(MAX_CHANGED_PROJECTS).optional(),
};
const errors = z.array(RepoUpdateError);

export const bulkEditRepos = operation({
  ...managing,
  route: `PATCH ${repos}`,
  summary: 'Change several repositories individually',
  description: '`tags` replaces the tags and applies only with `updateTags`. The change is atomic.',
  isStrict: true,
  path,
  body: {
    ...repeated,
    changes: z
      .array(z.object({ repoId: id('Project'), change: RepoChange }))
      .max(500)
      .default([]),
  },
  reply: { updatedRepoNames: z.array(z.string()) },
  faults: [PROJECT_CHANGE_REFUSED, TAG_QUOTA],
});

export const bulkProvisionRepos = operation({
  ...managing,
  route: `POST ${repos}/_provision`,
  summary: 'Install the scanner in several repositories by pull requests',
  description: 'Repositories without a connected source-code host are reported in `errors`.',
  isStrict: true,
  path,
  body: {
    ...chosen,
    ghaOptions: z
      .object({
        publishUrl: z.string().max(2048).optional(),
        prEnabled: z.boolean().optional(),
        prSendComments: z.boolean().optional(),
        pushEnabled: z.boolean().optional(),
        pushBranches: z.array(z.string().max(512)).max(100).optional(),
        pushPaths: z.array(z.string().max(1024)).max(100).optional(),
        cronEnabled: z.boolean().optional(),
        useSelfHostedRunners: z.boolean().optional(),
      })
      .optional(),
  },
  reply: { repoFileUrls: z.record(z.string(), z.string()), errors },
  faults: [TOO_MANY_PROJECTS],
});

export const refreshProjectsAsync = operation({
  ...managing,
  route: `POST ${repos}/_refresh_async`,
  summary: 'Refresh the repositories of the connected source-code hosts',
  path,
  body: { deploymentId: asNumber(id('Deployment')).optional(), withCodeAccess: z.boolean().optional() },
  status: 202,
  reply: { task_token_jwt: z.string() },
  faults: [SCM_NOT_CONNECTED, TOO_MANY_TASKS],
});

export const bulkAddRepoSecret = operation({
  ...managing,
  route: `POST ${repos}/_secret`,
  summary: 'Give several repositories a token for their scanner',
  description: 'Repositories without a connected source-code host are reported in `errors`.',
  isStrict: true,
  path,
  body: chosen,
  reply: { repoTokenIds: z.record(z.string(), z.string()), errors },
  faults: [TOO_MANY_PROJECTS],
});

export const getReposByTag = operation({
  ...reading,
  route: `GET ${repos}/by-tag`,
  summary: 'List repositories by tag',
  description: 'Keyed by tag id; only visible repositories that are not archived.',
  path,
  reply: { tagIdToRepoIds: z.record(z.string(), z.object({ repoIds: z.array(id('Project')) })) },
});

export const getReposCount = operation({
  ...reading,
  route: `POST ${repos}/count`,
  summary: 'Count repositories',
  path,
  body: { ...repeated, filters: RepoFilters.optional() },
  reply: { count: count() },
});

export const bulkApplyRepoUpdate = operation({
  ...managing,
  route: `PATCH ${repos}/filtered`,
  summary: 'Apply one change to all matching repositories',
  description: 'Repositories that cannot be changed are reported in `errors`; all others are changed.',
  isStrict: true,
  path,
  body: { ...chosen, change: RepoChange },
  reply: { updatedRepoIds: z.array(id('Project')), errors },
  faults: [TOO_MANY_PROJECTS],
});

export const searchRepos = operation({
  ...reading,
  route: `POST ${repos}/search`,
  summary: 'List repositories with all details',
  path,
  body: { ...repeated, filters: RepoFilters.optional(), limit: limit(1000, 1000), cursor: cursor() },
  reply: { repos: z.array(Repository), cursor: cursor() },
  isExtension: true,
});

export const getRepo = operation({
  ...reading,
  route: `GET ${repos}/{idOrName...}`,
  summary: 'Get a repository with all details',
  path: repoPath,
  reply: { repo: Repository },
  isExtension: true,
});

export const editRepo = operation({
  ...managing,
  route: `PATCH ${repos}/{idOrName...}`,
  summary: 'Change a repository',
  description:
    'By id or name. `SET_TAGS` must be the only tag change. `primaryBranch` is a ref, or `None` for the default ' +
    'branch.',
  path: repoPath,
  body: { ...repeated, idOrName: z.string().max(512).optional(), ...repoEditFields },
  reply: { repo: Repository },
  faults: [PROJECT_CHANGE_REFUSED, PROJECT_NAME_TAKEN, TAG_QUOTA],
});

export const syncRepo = operation({
  ...managing,
  route: `POST ${repos}/{repoId}/_sync`,
  summary: 'Refresh a repository from its source-code host',
  path: { ...path, repoId: id('Project') },
  body: { ...repeated, repoId: id('Project').optional() },
  status: 202,
  reply: { repo: Repository },
  faults: [SCM_NOT_CONNECTED],
});

export const listProjects = operation({
  ...reading,
  route: `POST ${projects}/list`,
  summary: 'List projects',
  description:
    'In order of registration. Without `statuses`, archived projects are left out. Names are compared ignoring ' +
    'case.',
  path,
  body: {
    pageSize: plain.pageSize({ fallback: 100, min: 1, max: 3000 }),
    pageToken: cursor(),
    filter: ProjectListFilter.optional(),
  },
  reply: { projects: z.array(ProjectRecord), pageToken: cursor() },
});

export const getProject = operation({
  ...reading,
  route: `GET ${projects}/{projectId}`,
  summary: 'Get a project',
  path: projectPath,
  reply: { project: ProjectRecord },
});

export const deleteProject = operation({
  ...managing,
  route: `DELETE ${projects}/{projectId}`,
  summary: 'Delete a project and its findings',
  path: projectPath,
  reply: { project: ProjectRecord },
});

export const getBranch = operation({
  ...reading,
  route: `GET ${projects}/{projectId}/branches/{branchId}`,
  summary: 'Get a branch of a project',
  path: { ...projectPath, branchId: id('Branch') },
  reply: { branch: z.object({ id: plain.id('Branch'), name: z.string() }) },
});
