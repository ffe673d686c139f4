import { z } from 'zod';
import { DependencyLocation } from '#domain/dependencies/shape.ts';
import { ProjectRef, ScmType } from '#domain/projects/shape.ts';
import { ScanStatus } from '#domain/scans/shape.ts';
import { TokenScopes } from '#domain/scm/hosts/host-shape.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { id, name, oneOf, readOnly, timestamp } from '#kernel/contract/proto-fields.ts';

/** The two representations of a project: the older repository and the newer project. */

export const ProjectScanSummary = z.object({
  id: id('Scan'),
  startedAt: timestamp(),
  completedAt: timestamp().optional(),
  exitCode: z.string().optional(),
  hasLogs: z.boolean(),
  status: ScanStatus,
  isManagedScanPlaceholder: z.boolean(),
  aiFailureReason: oneOf([
    'AI_SCAN_JOB_FAILURE_REASON_GIT_BRANCH_NOT_FOUND',
    'AI_SCAN_JOB_FAILURE_REASON_GIT_UNAUTHORIZED',
    'AI_SCAN_JOB_FAILURE_REASON_TIMED_OUT',
    'AI_SCAN_JOB_FAILURE_REASON_INTERNAL_ERROR',
    'AI_SCAN_JOB_FAILURE_REASON_GIT_TRANSIENT_ERROR',
    'AI_SCAN_JOB_FAILURE_REASON_GIT_UPSTREAM_UNAVAILABLE',
    'AI_SCAN_JOB_FAILURE_REASON_BUDGET_EXCEEDED',
  ]).optional(),
});

export const ManagedScanSettings = z.object({ diffScan: z.boolean(), numConfigs: z.int(), fullScan: z.boolean() });
export const AiScanSettings = z.object({ fullScan: z.boolean() });

export const RepoScope = oneOf([
  'REPO_SCOPE_UNSPECIFIED',
  'REPO_SCOPE_READ_FINDING',
  'REPO_SCOPE_TRIAGE_FINDING',
  'REPO_SCOPE_MANAGE_PROJECT_SETTINGS',
  'REPO_SCOPE_AUTOINSTALL',
  'REPO_SCOPE_DELETE_PROJECT',
  'REPO_SCOPE_ASSIGN_TEAM',
]);
export type RepoScope = z.output<typeof RepoScope>;

export const LockfileParserError = z.object({
  location: DependencyLocation,
  reason: z.string(),
  parser: z.string(),
  text: z.string(),
});

export const ProjectCloudContext = z.object({
  id: z.string(),
  cnappInstallationId: z.string(),
  cnappInstallationBaseUrl: z.string(),
  source: oneOf([
    'CLOUD_CONTEXT_SOURCE_MANUAL',
    'CLOUD_CONTEXT_SOURCE_PALO_ALTO_NETWORKS',
    'CLOUD_CONTEXT_SOURCE_SYSDIG',
  ]),
  isDeployed: z.boolean(),
  publicExposure: z.boolean(),
  lastSuccessfulIngestionCompletedAt: timestamp().optional(),
});

export const Repository = z.object({
  id: id('Project'),
  name: z.string(),
  tags: z.array(z.string()),
  provisionedAt: timestamp(),
  latestScan: ProjectScanSummary.optional(),
  deploymentId: id('Deployment'),
  url: z.string(),
  ignoredFiles: z.array(z.string()),
  productIgnoredFiles: z.object({
    sast: z.array(z.string()),
    sca: z.array(z.string()),
    secrets: z.array(z.string()),
  }),
  firstScanId: id('Scan').optional(),
  isArchived: z.boolean(),
  isDisconnected: z.boolean(),
  hasCodeAccess: z.boolean(),
  managedScans: ManagedScanSettings,
  isSetup: z.boolean(),
  scmLastSyncedAt: z.number(),
  authorizedScopes: z.array(RepoScope),
  provider: oneOf(['PROVIDER_GITHUB']).optional(),
  defaultBranch: z.string(),
  refs: z.array(z.object({ repoRefId: id('Branch'), ref: z.string(), isDefault: z.boolean(), isPrimary: z.boolean() })),
  primaryRef: ProjectRef.extend({ isOverride: z.boolean() }).optional(),
  defaultRef: ProjectRef.optional(),
  lastScannedRef: ProjectRef.optional(),
  latestFullScaScanParserErrors: z.object({ errors: z.array(LockfileParserError) }),
  latestFullScaScanAt: timestamp().optional(),
  scaInfo: z.object({ dependencyCounts: z.record(z.string(), z.string()) }),
  linkedRepos: z.array(z.string()),
  scmType: ScmType,
  repositoryScmLinkId: z.string().optional(),
  tokenScopes: TokenScopes,
  cloudContext: ProjectCloudContext.optional(),
  aiScans: AiScanSettings,
  isScmArchived: z.boolean(),
  isPlatformArchived: z.boolean(),
  archivedAt: timestamp().optional(),
});
export type Repository = z.output<typeof Repository>;

export const ProjectRecord = z.object({
  id: plain.id('Project'),
  name: z.string(),
  createTime: timestamp(),
  tags: z.array(z.string()),
  latestScanId: plain.id('Scan').optional(),
  url: z.string(),
  primaryBranchId: z.string(),
  defaultBranchId: z.string(),
  scmType: ScmType,
});
export type ProjectRecord = z.output<typeof ProjectRecord>;

/** Selects repositories; absent members are no condition. */
export const RepoFilters = z.object({
  search: z.string().max(512).optional(),
  codeAccess: z.boolean().optional(),
  lastScanSince: timestamp().optional(),
  setup: z.boolean().optional(),
  archived: z.boolean().optional(),
  ids: z.array(id('Project')).max(3000).optional(),
  hasSmsSetup: z.boolean().optional(),
  isScmRepository: z.boolean().optional(),
  invertSearch: z.boolean().optional(),
  isLocalScanProject: z.boolean().optional(),
  scmType: ScmType.optional(),
  tagId: plain.id('TagId').optional(),
  latestScanStatus: oneOf([
    'LATEST_SCAN_STATUS_BUCKET_SUCCESSFUL',
    'LATEST_SCAN_STATUS_BUCKET_HAD_PROBLEMS',
    'LATEST_SCAN_STATUS_BUCKET_NEVER_SCANNED',
  ]).optional(),
});

export const ProjectListFilter = z.object({
  assignedToTeams: z.boolean().optional(),
  names: z.array(z.string().max(512)).max(1000).optional(),
  statuses: z
    .array(
      oneOf([
        'PROJECT_STATUS_SETUP',
        'PROJECT_STATUS_NOT_SETUP',
        'PROJECT_STATUS_ARCHIVED',
        'PROJECT_STATUS_UNSPECIFIED',
      ]),
    )
    .max(10)
    .optional(),
});

const scanSwitchFields = {
  managedScans: z
    .object({ diffScan: z.boolean().optional(), numConfigs: readOnly(z.int()), fullScan: z.boolean().optional() })
    .optional(),
  aiScans: z.object({ fullScan: z.boolean().optional() }).optional(),
};

const tags = z.array(name()).max(100);

/** A change that can be applied to many repositories. */
export const RepoChange = z.object({
  updateTags: z.boolean().optional(),
  tags: tags.optional(),
  ...scanSwitchFields,
});
export type RepoChange = z.output<typeof RepoChange>;

export const repoEditFields = {
  name: name(512).optional(),
  ...scanSwitchFields,
  tagsChanges: z
    .array(z.object({ operation: oneOf(['ADD_TAGS', 'REMOVE_TAGS', 'SET_TAGS']), tags }))
    .max(20)
    .optional(),
  primaryBranch: name(512).optional(),
};

export const RepoUpdateError = z.object({
  code: oneOf([
    'UPDATE_ERROR_CODE_BAD_REQUEST',
    'UPDATE_ERROR_CODE_NOT_FOUND',
    'UPDATE_ERROR_CODE_CONFLICT',
    'UPDATE_ERROR_CODE_UNAUTHORIZED',
  ]),
  message: z.string(),
  ids: z.array(id('Project')),
});
export type RepoUpdateError = z.output<typeof RepoUpdateError>;
