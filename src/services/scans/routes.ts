import { decideClosings } from '#domain/findings/ingest/decide-closings.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import { durationOf, environmentOf, productOf, statusOf } from '#domain/scans/rules.ts';
import { isScanVisible } from '#domain/scans/scan-visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group, type ObjectLoader } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { retryAdvice, scanQueryOf } from './rules.ts';
import { findScanDiff } from './scan-diff.ts';
import * as store from './store.ts';

function countsOf({ found_code: code, found_supply_chain: supplyChain, found_secrets: secrets }: store.ScanRow) {
  return { total: code + supplyChain + secrets, code, supplyChain, secrets };
}

function scanOf(row: store.ScanRow, caller: Caller): contract.ScanRecord {
  return {
    id: row.id as Id<'Scan'>,
    deploymentId: caller.deployment as Id<'Deployment'>,
    projectId: row.project_id as Id<'Project'>,
    ...(row.ref_id === undefined ? {} : { branchId: row.ref_id as Id<'Branch'> }),
    commit: row.commit ?? '',
    startTime: new Date(row.started_at),
    ...(row.completed_at === undefined ? {} : { completeTime: new Date(row.completed_at) }),
    ...(row.exit_code === undefined ? {} : { exitCode: String(row.exit_code) }),
    isFullScan: row.mode === 'full',
    ...(row.total_seconds === undefined ? {} : { duration: durationOf(row.total_seconds) }),
    findingsCounts: countsOf(row),
    status: statusOf(row.status),
    enabledProducts: row.products.map(productOf),
  };
}

async function decide(
  { path, tx, caller, now, answer }: Call<typeof contract.confirmHeldClosings>,
  isConfirmed: boolean,
): Promise<{ count: number }> {
  const decided = await decideClosings(tx, {
    deployment: caller.deployment,
    scan: path.scanId,
    actor: actorOf(caller),
    at: now,
    isConfirmed,
  });
  if (!decided) throw contract.NO_HELD_CLOSINGS();
  const { batch, count } = decided;
  answer.recordEffect({ object: `batch/${batch}`, after: { scan: path.scanId, isConfirmed, count } });
  return { count };
}

export const loadScan: ObjectLoader = async (tx, { caller, id }) =>
  (await isScanVisible(tx, caller, id)) ? new Set<string>() : undefined;

/** ScansService: scans of projects. */
export const scans = group(
  'ScansService',
  contract,
  {
    listScans: async ({ path, body, tx, caller, page, now }) => {
      const query = scanQueryOf(body.filters, path.projectId, now);
      const rows = await store.list(tx, caller, { query, window: page.window });
      const { items, cursor } = page.close(rows, ({ started_at, id }) => [started_at, id]);
      return { scans: items.map((row) => scanOf(row, caller)), cursor };
    },

    getScan: async ({ path, tx, caller }) => {
      const row = await store.find(tx, path.deploymentId, path.scanId);
      if (!row) throw NOT_FOUND();
      return { scan: scanOf(row, caller) };
    },

    getScanDiff: async ({ path, tx, caller }) => findScanDiff(tx, caller.deployment, path.scanId),

    listHeldClosings: async ({ path, tx, caller }) => ({
      scans: await store.listHeldClosings(tx, caller, path.projectId),
    }),

    confirmHeldClosings: (call) => decide(call, true),
    rejectHeldClosings: (call) => decide(call, false),

    getAgentScan: async ({ path, tx, caller }) => {
      const row = await store.find(tx, caller.deployment, path.scanId);
      if (!row) throw NOT_FOUND();
      return {
        scan: {
          id: path.scanId,
          environment: environmentOf(row.environment),
          findingsCounts: countsOf(row),
          branch: row.ref ?? '',
          commit: row.commit ?? '',
          startedAt: new Date(row.started_at),
          ...(row.completed_at === undefined ? {} : { completedAt: new Date(row.completed_at) }),
          totalTime: row.total_seconds ?? 0,
          isFullScan: row.mode === 'full',
          cliVersion: row.scanner_version ?? '',
        },
      };
    },

    retryScans: async ({ body, tx, caller, answer }) => {
      const sources = await store.listSources(tx, caller, body.scanIds);
      answer.recordEffect({ object: `scan/${body.scanIds.join(',')}` });
      return {
        tasks: [],
        errors: body.scanIds.map((scanId) => {
          const scan = sources.get(scanId);
          return { repoId: scan?.project ?? '', scanId, message: retryAdvice(scan?.source) };
        }),
      };
    },
  },
  {
    objects: {
      projectId: async (tx, { caller, id }) =>
        (await store.isProjectVisible(tx, caller, id)) ? new Set<string>() : undefined,
      scanId: loadScan,
    },
  },
);
