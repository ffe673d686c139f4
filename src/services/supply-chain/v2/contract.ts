import { z } from 'zod';
import {
  DEPENDENCY_FILTER_REFUSED,
  DependencyFilter,
  FoundDependency,
  LockfileSummary,
  RepositorySummary,
  simpleDependencyFilter,
} from '#domain/dependencies/shape.ts';
import { SBOM_SUBJECT_UNKNOWN, sbomRequest } from '#domain/sboms/shape.ts';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { pageSize } from '#kernel/contract/plain-fields.ts';
import { count, cursor, deployment, id, line, oneOf } from '#kernel/contract/proto-fields.ts';

const base = '/api/sca/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const lockfilePath = { ...path, repositoryId: id('Project') };

const ofPage = { min: 1, max: 100, fallback: 5 };
const dependencyPaging = { cursor: count().default(0), pageSize: z.int().min(1).max(10_000).default(1000) };
const filtered = { deploymentId: id('Deployment').optional(), dependencyFilter: DependencyFilter.optional() };

const queryFilter = {
  'dependencyFilter.name': simpleDependencyFilter.name,
  'dependencyFilter.version': simpleDependencyFilter.version,
  'dependencyFilter.repositoryId': simpleDependencyFilter.repositoryId,
  'dependencyFilter.transitivity': simpleDependencyFilter.transitivity,
  'dependencyFilter.ecosystem': simpleDependencyFilter.ecosystem,
  'dependencyFilter.lockfilePath': simpleDependencyFilter.lockfilePath,
  'dependencyFilter.licensePolicySettings': simpleDependencyFilter.licensePolicySettings,
  'dependencyFilter.license': simpleDependencyFilter.license,
  'dependencyFilter.includeArchived': simpleDependencyFilter.includeArchived,
};

const listing = {
  maturity: 'experimental',
  allow: 'project:read',
} as const;

const dependencies = {
  ...listing,
  description:
    'Of the primary ref of each project, in the order in which they were first seen. Without `packageFilters` all ' +
    'packages; else those that some of them matches. `name` is contained in the name of the package, ignoring case, ' +
    'unless `exactNameMatch`. Bounds are compared as the ecosystem orders its versions. `includeArchived` lists ' +
    'only what belongs to archived projects. While `hasMore`, send `cursor` back.',
  reply: { dependencies: z.array(FoundDependency), hasMore: z.boolean(), cursor: count() },
  faults: [DEPENDENCY_FILTER_REFUSED],
} as const;

export const listDependenciesGet = operation({
  ...dependencies,
  route: `GET ${base}/dependencies`,
  summary: 'List dependencies by a query',
  path,
  query: { ...queryFilter, ...dependencyPaging },
});

export const listDependenciesPost = operation({
  ...dependencies,
  route: `POST ${base}/dependencies`,
  summary: 'List dependencies',
  path,
  body: { ...filtered, ...dependencyPaging },
});

export const listRepositoriesForDependencies = operation({
  ...listing,
  route: `POST ${base}/repositories`,
  summary: 'List repositories with dependencies',
  description: 'Ordered by id. While `hasMore`, send `cursor` back.',
  path,
  body: { ...filtered, cursor: z.int().min(0).default(0), pageSize: z.int().min(1).max(100).default(5) },
  reply: { repositorySummaries: z.array(RepositorySummary), hasMore: z.boolean(), cursor: z.int() },
  faults: [DEPENDENCY_FILTER_REFUSED],
});

export const listLockfilesForDependencies = operation({
  ...listing,
  route: `POST ${base}/{repositoryId}/lockfiles`,
  summary: 'List the lockfiles of a repository',
  description: 'Ordered by path.',
  path: lockfilePath,
  body: { ...filtered, repositoryId: id('Project').optional(), cursor: cursor(), pageSize: pageSize(ofPage) },
  reply: { lockfileSummaries: z.array(LockfileSummary), hasMore: z.boolean(), cursor: cursor() },
  faults: [DEPENDENCY_FILTER_REFUSED],
});

export const listFindingsForAdvisory = operation({
  ...listing,
  route: `POST ${base}/advisories/{advisoryId}/findings`,
  summary: 'List projects with findings of an advisory',
  description:
    'Counts findings that are currently detected, on all refs and in any triage state; projects with most findings ' +
    'first. While `hasMore`, send `cursorFindingCount` and `cursorProjectName` back.',
  path: { ...path, advisoryId: line(128, 1) },
  body: {
    deploymentId: id('Deployment').optional(),
    advisoryId: line(128).optional(),
    pageSize: z.int().min(1).max(100).default(25),
    cursorFindingCount: z.int().min(0).max(2_147_483_647).optional(),
    cursorProjectName: line(1024).optional(),
  },
  reply: {
    projects: z.array(
      z.object({
        projectName: z.string(),
        totalFindingCount: z.int(),
        branchFindings: z.array(z.object({ branchName: z.string(), findingCount: z.int() })),
      }),
    ),
    hasMore: z.boolean(),
    cursorFindingCount: z.int(),
    cursorProjectName: z.string(),
    ruleId: z.string(),
  },
});

export const generateSbomAsync = operation({
  route: `POST ${base}/sbom_async`,
  summary: 'Export an SBOM',
  description:
    'CycloneDX, by default 1.4 in JSON, of the primary ref unless another is given. Poll TasksService with the ' +
    'token: once completed, its result is a link to the file. Component types that the format version does not ' +
    'support are exported as application.',
  maturity: 'experimental',
  allow: 'export:create',
  status: 202,
  isStrict: true,
  path,
  body: {
    ...sbomRequest,
    sbomOutputFormat: oneOf(['SBOM_OUTPUT_FORMAT_JSON', 'SBOM_OUTPUT_FORMAT_XML']).optional(),
  },
  reply: { taskTokenJwt: z.string() },
  faults: [SBOM_SUBJECT_UNKNOWN, TOO_MANY_TASKS],
});
