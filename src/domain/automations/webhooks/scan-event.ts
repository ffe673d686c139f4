import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { hashedScanId } from './finding-event.ts';
import { type JsonValue, pythonJson } from './python-json.ts';

const ScanRow = z.object({
  id: z.string(),
  project_id: z.string(),
  project: z.string(),
  project_url: z.string().optional(),
  ref: z.string().optional(),
  mode: z.string(),
  products: z.array(z.string()),
  commit: z.string().optional(),
  environment: z.string(),
  scanner_version: z.string().optional(),
  exit_code: z.number().optional(),
  started_at: z.string(),
  completed_at: z.string().optional(),
  meta: z.record(z.string(), z.json()),
  stats: z.record(z.string(), z.json()).optional(),
  slug: z.string(),
});
type ScanRow = z.output<typeof ScanRow>;

/** Members of the scanner's metadata that are passed on. */
const PASSED_ON = [
  ...['on', 'commit_title', 'commit_timestamp', 'commit_author_email', 'commit_author_name'],
  ...['commit_author_username', 'commit_author_image_url', 'ci_job_url', 'repo_id', 'org_id', 'repo_display_name'],
  ...['pull_request_author_username', 'pull_request_author_image_url', 'pull_request_id', 'pull_request_title'],
];

const flag = (isTrue: boolean) => (isTrue ? 1 : 0);

function eventOf(row: ScanRow, deployment: string): JsonValue {
  const passedOn = Object.fromEntries(PASSED_ON.map((name) => [name, row.meta[name] ?? null]));
  return {
    semgrep_scan: {
      id: Number(row.id),
      hashed_id: hashedScanId(deployment, row.id),
      deployment_id: Number(deployment),
      repository_id: Number(row.project_id),
      enabled_products: row.products,
      exit_code: row.exit_code ?? null,
      started_at: row.started_at,
      completed_at: row.completed_at ?? null,
      stats: row.stats ?? null,
      tenant_name: row.slug,
      meta: {
        ...passedOn,
        branch: row.ref ?? null,
        commit: row.commit ?? null,
        repo_url: row.project_url ?? null,
        repository: row.project,
        is_full_scan: row.mode === 'full',
        is_code_scan: flag(row.products.includes('sast')),
        is_sca_scan: flag(row.products.includes('sca')),
        is_secrets_scan: flag(row.products.includes('secrets')),
        scan_environment: row.environment,
        semgrep_version: row.scanner_version ?? null,
        renamed_paths: [],
        app_block_override: false,
        version: 1,
      },
    },
  };
}

/** The body of a scan event, an object; undefined if the scan does not exist any more. */
export async function scanEventBody(tx: Tx, deployment: string, scan: string): Promise<string | undefined> {
  const row = await tx.one(ScanRow)`
    select scan.id, scan.project_id, project.name as project, project.url as project_url, project_ref.ref, scan.mode,
      scan.products, scan.commit, scan.environment, scan.scanner_version, scan.exit_code, scan.started_at,
      scan.completed_at, scan.meta, scan.stats, deployment.slug
    from scan
    join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    join deployment on deployment.id = scan.deployment_id
    left join project_ref on project_ref.deployment_id = scan.deployment_id and project_ref.id = scan.ref_id
    where scan.deployment_id = ${deployment} and scan.id = ${scan}`;
  return row && pythonJson(eventOf(row, deployment));
}
