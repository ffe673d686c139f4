import { z } from 'zod';
import { ScanProduct, ScanStatus, ScanStatusFilter } from '#domain/scans/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, count, cursor, deployment, id, limit, timestamp } from '#kernel/contract/proto-fields.ts';
import { MAX_LISTED_SCANS } from './contract.ts';

/** Metadata members that scanners send about their environment. */
export const V1_SCAN_META_KEYS = [
  'on',
  'branch',
  'commit',
  'commit_title',
  'commit_author_name',
  'commit_author_email',
  'commit_author_username',
  'commit_author_image_url',
  'config',
  'repo_url',
  'repository',
  'ci_job_url',
  'pull_request_id',
  'pull_request_title',
  'pull_request_author_username',
  'pull_request_author_image_url',
] as const;

const text = () => plain.nullable(z.string());
export const V1ScanMeta = z.object(
  Object.fromEntries(V1_SCAN_META_KEYS.map((name) => [name, text()])) as Record<
    (typeof V1_SCAN_META_KEYS)[number],
    ReturnType<typeof text>
  >,
);

const path = { deploymentId: deployment() };

export const getScan = operation({
  route: 'GET /api/v1/deployments/{deploymentId}/scan/{scanId}',
  summary: 'Get a scan',
  maturity: 'experimental',
  allow: 'scan:read',
  path: { ...path, scanId: id('Scan') },
  reply: {
    id: plain.id('Scan'),
    deployment_id: plain.id('Deployment'),
    repository_id: plain.id('Project'),
    started_at: plain.timestamp(),
    completed_at: plain.nullable(plain.timestamp()),
    exit_code: plain.nullable(z.int()),
    has_logs: z.boolean(),
    enabled_products: z.array(z.string()),
    stats: z.record(z.string(), z.unknown()),
    meta: V1ScanMeta,
  },
});

export const V1Scan = z.object({
  id: id('Scan'),
  deployment_id: id('Deployment'),
  repository_id: id('Project'),
  branch: z.string(),
  commit: z.string(),
  started_at: timestamp(),
  completed_at: timestamp().optional(),
  status: ScanStatus,
  exit_code: count().optional(),
  is_full_scan: z.boolean(),
  total_time: z.number(),
  enabled_products: z.array(z.string()),
  findings_counts: z.object({ total: count(), code: count(), supply_chain: count(), secrets: count() }),
});
export type V1Scan = z.output<typeof V1Scan>;

export const searchScans = operation({
  route: 'POST /api/v1/deployments/{deploymentId}/scans/search',
  summary: 'List scans',
  description:
    'Scans of the last 30 days, newest first. Members of the body are joined by AND, the values of one member by ' +
    'OR.',
  maturity: 'beta',
  allow: 'scan:read',
  path,
  body: {
    deploymentId: id('Deployment').optional(),
    repository_id: plain.id('Project').optional(),
    branch: z.string().max(512).optional(),
    // Existing clients also send 0 and 1.
    is_full_scan: z.union([z.boolean(), z.int().min(0).max(1)]).optional(),
    statuses: z.array(ScanStatusFilter).max(10).optional(),
    products: z.array(ScanProduct).max(10).optional(),
    since: timestamp().optional(),
    total_time: z.object({ min: z.number().min(0).optional(), max: z.number().min(0).optional() }).optional(),
    limit: asNumber(limit(MAX_LISTED_SCANS)),
    cursor: cursor(),
  },
  reply: { scans: z.array(V1Scan), cursor: cursor() },
});
