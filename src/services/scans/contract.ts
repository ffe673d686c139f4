import { z } from 'zod';
import { FindingSeverity } from '#domain/findings/shape.ts';
import { ScanEnvironment, ScanProduct, ScanStatus, ScanStatusFilter } from '#domain/scans/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { asNumber, cursor, deployment, id, limit, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_LISTED_SCANS = 500;
export const MAX_RETRIED_SCANS = 10;

export const ScanFindingsCounts = z.object({ total: z.int(), code: z.int(), supplyChain: z.int(), secrets: z.int() });

export const ScanRecord = z.object({
  id: id('Scan'),
  deploymentId: id('Deployment'),
  projectId: id('Project'),
  branchId: id('Branch').optional(),
  commit: z.string(),
  startTime: timestamp(),
  completeTime: timestamp().optional(),
  exitCode: z.string().optional(),
  isFullScan: z.boolean(),
  duration: z.string().optional(),
  findingsCounts: ScanFindingsCounts,
  status: ScanStatus,
  enabledProducts: z.array(ScanProduct),
});
export type ScanRecord = z.output<typeof ScanRecord>;

export const ScanFilters = z.object({
  branch: z.string().max(512).optional(),
  createdSince: timestamp().optional(),
  duration: z.object({ min: z.number().min(0).optional(), max: z.number().min(0).optional() }).optional(),
  includeEnabledProducts: z.array(ScanProduct).max(10).optional(),
  statuses: z.array(ScanStatusFilter).max(10).optional(),
  types: z
    .array(oneOf(['SCAN_TYPE_FULL', 'SCAN_TYPE_DIFF', 'SCAN_TYPE_UNSPECIFIED']))
    .max(10)
    .optional(),
});

const base = '/api/v2/deployments/{deploymentId}';
const path = { deploymentId: deployment() };

export const listScans = operation({
  route: `POST ${base}/projects/{projectId}/scans/list`,
  summary: 'List the scans of a project',
  description:
    'Scans of the last 30 days, newest first. Members of `filters` are joined by AND, the values of one member by ' +
    'OR.',
  maturity: 'beta',
  allow: 'scan:read',
  path: { ...path, projectId: id('Project') },
  body: { cursor: cursor(), limit: asNumber(limit(MAX_LISTED_SCANS)), filters: ScanFilters.optional() },
  reply: { scans: z.array(ScanRecord), cursor: cursor() },
});

export const getScan = operation({
  route: `GET ${base}/scans/{scanId}`,
  summary: 'Get a scan',
  maturity: 'beta',
  allow: 'scan:read',
  path: { ...path, scanId: id('Scan') },
  reply: { scan: ScanRecord },
});

export const ScanDiffEntry = z.object({
  issueId: id('Finding'),
  title: z.string(),
  severity: FindingSeverity,
  path: z.string(),
  line: z.int(),
});

export const getScanDiff = operation({
  route: `GET ${base}/scans/{scanId}/diff`,
  summary: 'Get the changes of a scan',
  description:
    'Compared with the previous state of its ref: at most 100 issues of each kind, most severe first. ' +
    '`previousScanId` is the last completed scan of the same ref and tool before it. `held` counts findings that ' +
    'it did not report and that stay open until the next full scan of the ref does not report them either, or until ' +
    'a person confirms the closings.',
  maturity: 'experimental',
  allow: 'issue:read',
  isExtension: true,
  path: { ...path, scanId: id('Scan') },
  reply: {
    scanId: id('Scan'),
    previousScanId: id('Scan').optional(),
    counts: z.object({
      opened: z.int(),
      fixed: z.int(),
      reopened: z.int(),
      moved: z.int(),
      unchanged: z.int(),
      held: z.int(),
    }),
    opened: z.array(ScanDiffEntry),
    fixed: z.array(ScanDiffEntry),
    reopened: z.array(ScanDiffEntry),
  },
});
export type ScanDiff = z.output<typeof getScanDiff.reply>;

export const NO_HELD_CLOSINGS = fault(
  'NO_HELD_CLOSINGS',
  409,
  'No closings of this scan wait for a decision.',
  'Somebody else decided, a later scan did, or the scan was undone: load the scan again.',
);

export const MAX_HELD_SCANS = 200;

export const listHeldClosings = operation({
  route: `GET ${base}/projects/{projectId}/held-closings`,
  summary: 'List the scans of a project whose closings are held',
  description:
    'A full scan that reports suspiciously little closes nothing: the `count` findings that it did not report stay ' +
    'open until the next full scan of the ref does not report them either, or until a person confirms or rejects ' +
    'the closings. Newest first, at most 200.',
  maturity: 'experimental',
  allow: 'issue:read',
  isExtension: true,
  path: { ...path, projectId: id('Project') },
  reply: {
    scans: z.array(z.object({ scanId: id('Scan'), ref: z.string(), at: timestamp(), count: z.int() })),
  },
});

const decideClosings = {
  maturity: 'experimental',
  allow: 'issue:triage',
  isExtension: true,
  path: { ...path, scanId: id('Scan') },
  reply: { count: z.int() },
  faults: [NO_HELD_CLOSINGS],
} as const;

export const confirmHeldClosings = operation({
  ...decideClosings,
  route: `POST ${base}/scans/{scanId}/held-closings:confirm`,
  summary: 'Confirm the closings that a scan held',
  description:
    'The findings that the scan did not report are closed, as if it had reported enough. `count` is their number. ' +
    'Undoing the scan opens them again.',
});

export const rejectHeldClosings = operation({
  ...decideClosings,
  route: `POST ${base}/scans/{scanId}/held-closings:reject`,
  summary: 'Reject the closings that a scan held',
  description:
    'The report was wrong: the findings that it did not report stay open, and the next full scan that does not ' +
    'report them is examined like the first. `count` is their number.',
});

export const getAgentScan = operation({
  route: 'GET /api/agent/scans/{scanId}',
  summary: 'Get a scan in the deployment of the credential',
  maturity: 'experimental',
  allow: 'scan:read',
  path: { scanId: id('Scan') },
  reply: {
    scan: z.object({
      id: id('Scan'),
      environment: ScanEnvironment,
      findingsCounts: ScanFindingsCounts,
      branch: z.string(),
      commit: z.string(),
      startedAt: timestamp(),
      completedAt: timestamp().optional(),
      totalTime: z.number(),
      isFullScan: z.boolean(),
      cliVersion: z.string(),
    }),
  },
  deployment: 'credential',
  isExtension: true,
});

export const retryScans = operation({
  route: `POST ${base}/scans/retry`,
  summary: 'Retry scans',
  description:
    'Scans that did not run on this server cannot be retried: `errors` explains for each what to do instead.',
  maturity: 'beta',
  allow: 'scan:write',
  path,
  body: { scanIds: z.array(id('Scan')).max(MAX_RETRIED_SCANS).default([]) },
  reply: {
    tasks: z.array(
      z.object({
        repoId: z.string(),
        scanId: z.string(),
        configId: z.string(),
        branch: z.string(),
        taskId: z.string(),
        managedScanId: z.string(),
      }),
    ),
    errors: z.array(z.object({ repoId: z.string(), scanId: z.string(), message: z.string() })),
  },
});
