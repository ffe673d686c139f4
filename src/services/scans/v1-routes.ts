import { statusOf, storedNameOf } from '#domain/scans/rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import { loadScan } from './routes.ts';
import { listedSince, textOrNull } from './rules.ts';
import * as store from './store.ts';
import * as contract from './v1-contract.ts';

const totalOf = (row: store.ScanRow) => row.found_code + row.found_supply_chain + row.found_secrets;

function v1ScanOf(row: store.ScanRow, caller: Caller): contract.V1Scan {
  return {
    id: row.id as Id<'Scan'>,
    deployment_id: caller.deployment as Id<'Deployment'>,
    repository_id: row.project_id as Id<'Project'>,
    branch: row.ref ?? '',
    commit: row.commit ?? '',
    started_at: new Date(row.started_at),
    ...(row.completed_at === undefined ? {} : { completed_at: new Date(row.completed_at) }),
    status: statusOf(row.status),
    ...(row.exit_code === undefined ? {} : { exit_code: row.exit_code }),
    is_full_scan: row.mode === 'full',
    total_time: row.total_seconds ?? 0,
    enabled_products: row.products,
    findings_counts: {
      total: totalOf(row),
      code: row.found_code,
      supply_chain: row.found_supply_chain,
      secrets: row.found_secrets,
    },
  };
}

/** Metadata of the scanner; falls back to what the server knows. */
function metaOf(row: store.ScanRowWithMeta) {
  const known: Record<string, string | undefined> = {
    branch: row.ref,
    commit: row.commit,
    repository: row.project_name,
    repo_url: row.project_url,
  };
  const entries = contract.V1_SCAN_META_KEYS.map((name) => [name, textOrNull(row.meta[name]) ?? known[name] ?? null]);
  return Object.fromEntries(entries) as Record<(typeof contract.V1_SCAN_META_KEYS)[number], string | null>;
}

/** ScansService of v1: the same scans with the older member names. */
export const v1Scans = group(
  'V1ScansService',
  contract,
  {
    getScan: async ({ path, tx }) => {
      const row = await store.findWithMeta(tx, path.deploymentId, path.scanId);
      if (!row) throw NOT_FOUND();
      return {
        id: row.id as Id<'Scan'>,
        deployment_id: path.deploymentId,
        repository_id: row.project_id as Id<'Project'>,
        started_at: new Date(row.started_at),
        completed_at: row.completed_at === undefined ? null : new Date(row.completed_at),
        exit_code: row.exit_code ?? null,
        has_logs: false,
        enabled_products: row.products,
        stats: row.stats ?? { findings: totalOf(row), total_time: row.total_seconds ?? 0 },
        meta: metaOf(row),
      };
    },

    searchScans: async ({ body, tx, caller, page, now }) => {
      const query = {
        project: body.repository_id,
        ref: body.branch || undefined,
        since: listedSince(body.since, now),
        seconds: body.total_time ?? {},
        products: (body.products ?? []).map(storedNameOf),
        statuses: (body.statuses ?? []).map(storedNameOf),
        isFull: body.is_full_scan === undefined ? undefined : Boolean(body.is_full_scan),
      };
      const rows = await store.list(tx, caller, { query, window: page.window });
      const { items, cursor } = page.close(rows, ({ started_at, id }) => [started_at, id]);
      return { scans: items.map((row) => v1ScanOf(row, caller)), cursor };
    },
  },
  { objects: { scanId: loadScan } },
);
