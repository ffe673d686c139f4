import { z } from 'zod';

/** The body with which scanners of all versions start a scan. */

const MAX_TEXT_LENGTH = 4096;
const MAX_PRODUCTS = 10;
const MAX_TAGS = 100;

export const scannerText = () => z.string().max(MAX_TEXT_LENGTH);
/** Scanners send null for unknown values. */
export const nullableText = () => scannerText().nullish();
export const nullableFlag = () => z.boolean().nullish();

export const ScannedProjectMetadata = z.object({
  scan_environment: nullableText(),
  repository: nullableText(),
  repo_url: nullableText(),
  repo_id: nullableText(),
  org_id: nullableText(),
  repo_display_name: nullableText(),
  branch: nullableText(),
  commit: nullableText(),
  commit_title: nullableText(),
  commit_timestamp: nullableText(),
  commit_author_email: nullableText(),
  commit_author_name: nullableText(),
  commit_author_username: nullableText(),
  commit_author_image_url: nullableText(),
  ci_job_url: nullableText(),
  on: nullableText(),
  pull_request_author_username: nullableText(),
  pull_request_author_image_url: nullableText(),
  pull_request_id: nullableText(),
  pull_request_title: nullableText(),
  base_branch_head_commit: nullableText(),
  base_sha: nullableText(),
  start_sha: nullableText(),
  is_full_scan: nullableFlag(),
  is_sca_scan: nullableFlag(),
  is_code_scan: nullableFlag(),
  is_secrets_scan: nullableFlag(),
  semgrep_version: nullableText(),
});
export type ScannedProjectMetadata = z.output<typeof ScannedProjectMetadata>;

export const ScanMetadata = z.object({
  cli_version: nullableText(),
  unique_id: z.string().max(128).nullish(),
  requested_products: z.array(scannerText()).max(MAX_PRODUCTS).nullish(),
  dry_run: nullableFlag(),
  partial_scan_rule_ids: z.array(scannerText()).nullish(),
});
export type ScanMetadata = z.output<typeof ScanMetadata>;

export const ScannedProjectConfig = z.object({ tags: z.array(scannerText()).max(MAX_TAGS).nullish() });

/** Members of the body that starts a scan. */
export const scanStartFields = {
  project_metadata: ScannedProjectMetadata.optional(),
  scan_metadata: ScanMetadata.optional(),
  project_config: ScannedProjectConfig.nullish(),
  /** The oldest scanners send only this member. */
  meta: ScannedProjectMetadata.nullish(),
};
