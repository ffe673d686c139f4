import { z } from 'zod';

/** What scanners of all eras say when they start. */

const LONGEST = 4096;
const MOST_PRODUCTS = 10;
const MOST_TAGS = 100;

export const text = () => z.string().max(LONGEST);
/** Scanners send null for what they do not know. */
export const maybe = () => text().nullish();
export const flag = () => z.boolean().nullish();

const PRODUCTS = ['sast', 'sca', 'secrets'] as const;
export const Product = z.enum(PRODUCTS);

const ProjectMetadata = z.object({
  scan_environment: maybe(),
  repository: maybe(),
  repo_url: maybe(),
  repo_id: maybe(),
  org_id: maybe(),
  repo_display_name: maybe(),
  branch: maybe(),
  commit: maybe(),
  commit_title: maybe(),
  commit_timestamp: maybe(),
  commit_author_email: maybe(),
  commit_author_name: maybe(),
  commit_author_username: maybe(),
  commit_author_image_url: maybe(),
  ci_job_url: maybe(),
  on: maybe(),
  pull_request_author_username: maybe(),
  pull_request_author_image_url: maybe(),
  pull_request_id: maybe(),
  pull_request_title: maybe(),
  base_branch_head_commit: maybe(),
  base_sha: maybe(),
  start_sha: maybe(),
  is_full_scan: flag(),
  is_sca_scan: flag(),
  is_code_scan: flag(),
  is_secrets_scan: flag(),
  semgrep_version: maybe(),
});
export type ProjectMetadata = z.output<typeof ProjectMetadata>;

const ScanMetadata = z.object({
  cli_version: maybe(),
  unique_id: z.string().max(128).nullish(),
  requested_products: z.array(text()).max(MOST_PRODUCTS).nullish(),
  dry_run: flag(),
  partial_scan_rule_ids: z.array(text()).nullish(),
});
export type ScanMetadata = z.output<typeof ScanMetadata>;

const ProjectConfig = z.object({ tags: z.array(text()).max(MOST_TAGS).nullish() });

/** The body of a start. */
export const start = {
  project_metadata: ProjectMetadata.optional(),
  scan_metadata: ScanMetadata.optional(),
  project_config: ProjectConfig.nullish(),
  /** The only member that the oldest scanners send. */
  meta: ProjectMetadata.nullish(),
};
