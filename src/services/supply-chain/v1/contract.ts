import { z } from 'zod';
import {
  DEPENDENCY_FILTER_REFUSED,
  DependencyFilter,
  FoundDependency,
  LockfileSummary,
  RepositorySummary,
} from '#domain/dependencies/shape.ts';
import { SBOM_SUBJECT_UNKNOWN, sbomRequest } from '#domain/sboms/shape.ts';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { pageSize } from '#kernel/contract/plain-fields.ts';
import { count, cursor, deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';

const base = '/api/v1/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const ofPage = { min: 1, max: 100, fallback: 5 };
const filtered = { deploymentId: id('Deployment').optional(), dependencyFilter: DependencyFilter.optional() };
const listing = {
  maturity: 'experimental',
  allow: 'project:read',
  description: 'As the operation of SupplyChain2Service, with the same filter.',
  faults: [DEPENDENCY_FILTER_REFUSED],
} as const;

export const listDependencies = operation({
  ...listing,
  route: `POST ${base}/dependencies`,
  summary: 'List dependencies (v1)',
  path,
  body: { ...filtered, cursor: count().default(0), pageSize: z.int().min(1).max(10_000).default(1000) },
  reply: { dependencies: z.array(FoundDependency), hasMore: z.boolean(), cursor: count() },
});

export const listRepositoriesForDependencies = operation({
  ...listing,
  route: `POST ${base}/dependencies/repositories`,
  summary: 'List the repositories that have dependencies (v1)',
  path,
  body: { ...filtered, cursor: z.int().min(0).default(0), pageSize: z.int().min(1).max(100).default(5) },
  reply: { repositorySummaries: z.array(RepositorySummary), hasMore: z.boolean(), cursor: z.int() },
});

export const listLockfilesForDependencies = operation({
  ...listing,
  route: `POST ${base}/dependencies/repositories/{repositoryId}/lockfiles`,
  summary: 'List the lockfiles of a repository (v1)',
  path: { ...path, repositoryId: id('Project') },
  body: { ...filtered, repositoryId: id('Project').optional(), cursor: cursor(), pageSize: pageSize(ofPage) },
  reply: { lockfileSummaries: z.array(LockfileSummary), hasMore: z.boolean(), cursor: cursor() },
});

export const createSbomExport = operation({
  route: `POST ${base}/sbom/export`,
  summary: 'Start an SBOM export (v1)',
  description: 'CycloneDX in JSON, by default 1.4, of the primary ref unless another is given.',
  maturity: 'experimental',
  allow: 'export:create',
  isStrict: true,
  path,
  body: {
    ...sbomRequest,
    sbomOutputFormat: oneOf(['SBOM_OUTPUT_FORMAT_JSON', 'SBOM_OUTPUT_FORMAT_CYCLONEDX']).optional(),
  },
  reply: { taskToken: z.string() },
  faults: [SBOM_SUBJECT_UNKNOWN, TOO_MANY_TASKS],
});

export const getSbomExport = operation({
  route: `GET ${base}/sbom/export/{taskToken}`,
  summary: 'Get an SBOM export (v1)',
  description:
    'For the caller who started it, for one day. Anyone with the download URL can fetch the file for 15 minutes.',
  maturity: 'experimental',
  allow: 'project:read',
  path: { ...path, taskToken: z.string().min(1).max(2048) },
  reply: {
    status: oneOf(['SBOM_EXPORT_STATUS_IN_PROGRESS', 'SBOM_EXPORT_STATUS_COMPLETED', 'SBOM_EXPORT_STATUS_FAILED']),
    downloadUrl: z.string(),
    errorMessage: z.string(),
  },
});
