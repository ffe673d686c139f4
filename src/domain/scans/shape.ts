import { z } from 'zod';
import { oneOf } from '#kernel/contract/proto-fields.ts';

/** A product in the words of scanners and of the v1 API. */
export const ScannerProduct = z.enum(['sast', 'sca', 'secrets']);

const STATUSES = [
  'SCAN_STATUS_RUNNING',
  'SCAN_STATUS_COMPLETED',
  'SCAN_STATUS_PENDING',
  'SCAN_STATUS_CANCELLED',
  'SCAN_STATUS_ERROR',
  'SCAN_STATUS_NEVER_FINISHED',
] as const;

/** The status of a scan in the API; the table stores the names in lower case. */
export const ScanStatus = oneOf(STATUSES);
export type ScanStatus = z.output<typeof ScanStatus>;

export const ScanStatusFilter = oneOf([...STATUSES, 'SCAN_STATUS_UNSPECIFIED']);

/** The product of a scan. */
export const ScanProduct = oneOf([
  'PRODUCT_SAST',
  'PRODUCT_SCA',
  'PRODUCT_SECRETS',
  'PRODUCT_AI_SAST',
  'PRODUCT_UNSPECIFIED',
]);
export type ScanProduct = z.output<typeof ScanProduct>;

/** The environment in which a scan ran. */
export const ScanEnvironment = oneOf([
  'SCAN_ENVIRONMENT_LOCAL',
  'SCAN_ENVIRONMENT_MANAGED_SCANS',
  'SCAN_ENVIRONMENT_GITHUB_ACTIONS',
  'SCAN_ENVIRONMENT_GITLAB_CI',
  'SCAN_ENVIRONMENT_BITBUCKET',
  'SCAN_ENVIRONMENT_JENKINS',
  'SCAN_ENVIRONMENT_CIRCLECI',
  'SCAN_ENVIRONMENT_BUILDKITE',
  'SCAN_ENVIRONMENT_AZURE_PIPELINES',
]);
export type ScanEnvironment = z.output<typeof ScanEnvironment>;

/** What the examples of the API description show. */
export const exampleIds = { Scan: '77', RunningScan: '78', TrackedScan: '77', HoldingScan: '77' };
