import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id, oneOf } from '#kernel/contract/proto-fields.ts';

/** The source code management system of a project. */
export const ScmType = oneOf([
  'SCM_TYPE_GITHUB',
  'SCM_TYPE_GITHUB_ENTERPRISE',
  'SCM_TYPE_GITLAB',
  'SCM_TYPE_GITLAB_SELFMANAGED',
  'SCM_TYPE_BITBUCKET',
  'SCM_TYPE_BITBUCKET_DATACENTER',
  'SCM_TYPE_AZURE_DEVOPS',
  'SCM_TYPE_UNKNOWN',
  'SCM_TYPE_HARNESS',
]);
export type ScmType = z.output<typeof ScmType>;

export const ProjectRef = z.object({ id: id('Branch'), ref: z.string() });

export const TOKEN_PROJECT_LIMITED = fault(
  'TOKEN_PROJECT_LIMITED',
  403,
  'The token may be used only for the project {project}.',
  'Use the token of a job of this project, or ask an administrator to change the project of the CI trust.',
);

/** What the examples of the API description show. */
export const exampleIds = { Project: '42', ProjectName: 'acme/shop', Branch: '9' };
