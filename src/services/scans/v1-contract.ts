import { z } from 'zod';
import { ScanProduct, ScanStatus, WantedScanStatus } from '#domain/scans/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain.ts';
import { count, cursor, deployment, id, limit, timestamp } from '#kernel/contract/proto.ts';
import { MOST_LISTED } from './contract.ts';

/** What the scanner says about where it ran, as it named it. */
export const META = [
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
const Meta = z.object(
  Object.fromEntries(META.map((name) => [name, text()])) as Record<(typeof META)[number], ReturnType<typeof text>>,
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
    meta: Meta,
  },
});

const FoundScan = z.object({
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
export type FoundScan = z.output<typeof FoundScan>;

export const searchScans = operation({
  route: 'POST /api/v1/deployments/{deploymentId}/scans/search',
  summary: 'List scans',
  description: 'Those of the last 30 days, newest first. Members of the body must all hold, values of one suffice.',
  maturity: 'beta',
  allow: 'scan:read',
  path,
  body: {
    deploymentId: id('Deployment').optional(),
    repository_id: plain.id('Project').optional(),
    branch: z.string().max(512).optional(),
    // Existing clients send 0 and 1 too.
    is_full_scan: z.union([z.boolean(), z.int().min(0).max(1)]).optional(),
    statuses: z.array(WantedScanStatus).max(10).optional(),
    products: z.array(ScanProduct).max(10).optional(),
    since: timestamp().optional(),
    total_time: z.object({ min: z.number().min(0).optional(), max: z.number().min(0).optional() }).optional(),
    limit: limit(MOST_LISTED),
    cursor: cursor(),
  },
  reply: { scans: z.array(FoundScan), cursor: cursor() },
});
