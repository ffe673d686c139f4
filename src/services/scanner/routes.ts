import * as dependencies from '#domain/dependencies/store.ts';
import { importSpooledReport } from '#domain/findings/ingest/import-report.ts';
import { markBlockingShown } from '#domain/findings/tracking/pull-request-episodes.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import * as ignores from '#domain/ignores/store.ts';
import { fieldErrorOf, ReportError } from '#domain/reports/report-error.ts';
import * as scans from '#domain/scans/store.ts';
import { judgeScan } from '#domain/unified-policies/scan-verdict.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group, type ObjectLoader } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { redactToken } from './redact-token.ts';
import type { ScannerProductName } from './rules.ts';
import {
  beginScan,
  findRequestedRun,
  findScannerRun,
  requestScan,
  type ScannerCall,
  type ScannerRun,
  scanConfigOf,
  scanInfoOf,
  scanStartOf,
} from './start-scan.ts';
import * as store from './store.ts';

/** Scanners read lockfiles and skip ignored paths; features of the proprietary engine are never requested. */
async function engineParams({ tx, caller }: Pick<Call, 'tx' | 'caller'>) {
  const lists = await ignores.list(tx, caller.deployment);
  return {
    dependency_query: true,
    product_ignored_files: lists.flatMap(({ product, patterns }): [ScannerProductName, string[]][] =>
      product === 'ai_sast' ? [] : [[product, patterns]],
    ),
  };
}

const loadScan: ObjectLoader = async (tx, { caller, id }) =>
  (await store.isScanAccessible(tx, caller, id)) ? new Set<string>() : undefined;

async function legacyConfig(call: ScannerCall, started: ScannerRun) {
  const info = await scanInfoOf(call, started);
  const { rules, ...ignored } = await scanConfigOf(call, started);
  return {
    deployment_id: info.deployment_id,
    deployment_name: info.deployment_name,
    policy_names: ['audit', 'comment', 'block'],
    rule_config: JSON.stringify(rules),
    autofix: false,
    deepsemgrep: false,
    dependency_query: true,
    enabled_products: info.enabled_products,
    ...ignored,
    // These scanners do not know products, so paths ignored for a product are dropped when results arrive.
    ignored_files: [],
  };
}

const isOn = (value: string | undefined) => value?.toLowerCase() === 'true';

/** The rules for a project by name, without starting a scan. */
async function rulesToScan(call: ScannerCall, query: Call<typeof contract.getRulesToScan>['query']) {
  const start = scanStartOf({
    project_metadata: {
      repository: query.repo_name ?? '',
      is_code_scan: isOn(query.is_code_scan),
      is_secrets_scan: isOn(query.is_secrets_scan),
      is_sca_scan: isOn(query.sca),
    },
    scan_metadata: { dry_run: true },
  });
  return legacyConfig(call, await beginScan(call, start));
}

const finiteNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The exit code of scanners with blocking findings, which they print in the log of the check. */
const BLOCKING_EXIT_CODE = 1;

/** The exit code of scanners that could not scan. */
const FAILED_EXIT_CODE = 2;

/** ScannerService: the protocol of unmodified Semgrep and opengrep command lines. */
export const scanner = group(
  'ScannerService',
  contract,
  {
    startScan: async (call) => {
      const started = await beginScan(call, scanStartOf(call.body));
      return {
        info: await scanInfoOf(call, started),
        config: await scanConfigOf(call, started),
        engine_params: await engineParams(call),
      };
    },

    requestScan: async (call) => ({ info: await scanInfoOf(call, await requestScan(call, scanStartOf(call.body))) }),

    getRequestedConfig: async (call) => {
      const started = await findRequestedRun(call, call.path.scanRequestId);
      const config = await scanConfigOf(call, started, call.query.include_rules !== false);
      return { status: 'success', config, engine_params: await engineParams(call) };
    },

    startLegacyScan: async (call) => {
      const started = await beginScan(call, scanStartOf(call.body));
      return { scan: { id: (started.scan ?? '0') as Id<'Scan'>, enabled_products: started.products } };
    },

    getLegacyConfig: async (call) =>
      legacyConfig(call, await findScannerRun(call.tx, call.caller.deployment, call.path.scanId)),

    getRulesToScan: (call) => rulesToScan(call, call.query),

    getFallbackConfig: (call) => rulesToScan(call, call.query),

    sendResults: async (call) => {
      const { path, caller, upload, services, now, request } = call;
      if (request.contentEncoding !== 'identity')
        throw contract.RESULTS_UNREADABLE({ sentence: 'Compressed results are not supported.' });
      const { deployment } = caller;
      const scan = await call.read((tx) => scans.find(tx, deployment, path.scanId));
      if (!scan?.ref_id) throw NOT_FOUND();
      const spooled = await services.spool.receive(redactToken(upload));
      try {
        // Scanners retry uploads without a reply (UPL-07).
        if (scan.status !== 'running' && scan.digest === spooled.digest)
          return await call.transact(async () => ({ errors: [] }));
        const { warnings } = await importSpooledReport(call, {
          deployment,
          project: scan.project_id,
          spooled,
          parse: { format: 'semgrep-ci' },
          isDryRun: false,
          isComplete: false,
          startScan: async (tx) => {
            const locked = await scans.lock(tx, deployment, path.scanId);
            if (!locked) throw NOT_FOUND();
            if (locked.status !== 'running') throw contract.SCAN_ENDED();
            call.answer.recordEffect({ object: `scan/${locked.id}` });
            return {
              deployment,
              project: locked.project_id,
              ref: locked.ref_id ?? '',
              scan: locked.id,
              mode: locked.mode,
              products: locked.products,
              at: now,
              actor: actorOf(caller),
            };
          },
        });
        return { errors: warnings.map((message) => ({ message })) };
      } catch (error) {
        if (!(error instanceof ReportError)) throw error;
        throw contract.RESULTS_UNREADABLE({ sentence: error.message }, { errors: [fieldErrorOf(error)] });
      } finally {
        await spooled.remove();
      }
    },

    completeScan: async ({ path, body, tx, caller, now, answer }) => {
      const { deployment } = caller;
      const scan = await scans.lock(tx, deployment, path.scanId);
      if (!scan) throw NOT_FOUND();
      const reported = Object.entries(body.dependencies ?? {});
      if (reported.length > 0)
        await dependencies.replaceListedDependencies(
          tx,
          { deployment, scan: scan.id, at: now, isFull: scan.mode === 'full' },
          reported,
        );
      const completed = await store.complete(tx, {
        deployment,
        scan: scan.id,
        exitCode: body.exit_code ?? undefined,
        totalSeconds: finiteNumber(body.stats?.['total_time']),
        stats: body.stats ?? undefined,
        at: now,
      });
      const verdict = await judgeScan(tx, { deployment, scan: scan.id, isFull: scan.mode === 'full' });
      if (completed === 1 && (verdict.isBlocked || body.exit_code === BLOCKING_EXIT_CODE))
        await markBlockingShown(tx, { deployment, id: scan.id }, now);
      answer.recordEffect({
        object: `scan/${scan.id}`,
        after: { exitCode: body.exit_code, isBlocked: verdict.isBlocked },
      });
      return {
        success: true,
        app_block_override: verdict.isBlocked,
        app_block_reason: verdict.reason,
        app_blocking_match_based_ids: verdict.matchBasedIds,
      };
    },

    failScan: async ({ path, body, tx, caller, now, answer }) => {
      await scans.fail(tx, {
        deployment: caller.deployment,
        id: path.scanId,
        exitCode: body.exit_code ?? FAILED_EXIT_CODE,
        at: now,
      });
      answer.recordEffect({ object: `scan/${path.scanId}`, after: { exitCode: body.exit_code } });
      return {};
    },

    getCurrentDeployment: async ({ tx, caller }) => {
      const { id, name, slug } = await store.deploymentOf(tx, caller.deployment);
      return {
        deployment: {
          id: id as Id<'Deployment'>,
          name: slug,
          slug,
          display_name: name,
          organization_id: id as Id<'Deployment'>,
          source_type: 'simple',
          has_autofix: false,
          has_deepsemgrep: false,
          has_triage_via_comment: false,
          has_dependency_query: true,
        },
      };
    },

    getEngine: async ({ tx, caller, request, now, answer }) => {
      const scan = await store.findOwnRunning(tx, caller, request.scannerRequestId);
      if (scan !== undefined) {
        await scans.fail(tx, { deployment: caller.deployment, id: scan, exitCode: FAILED_EXIT_CODE, at: now });
        answer.recordEffect({ object: `scan/${scan}`, after: { exitCode: FAILED_EXIT_CODE } });
      }
      throw contract.ENGINE_NOT_SERVED({ commits: true });
    },

    checkVersion: async () => ({
      latest: '0.0.0',
      versions: { latest: '0.0.0', minimum: '0.0.0' },
      banners: [],
      no_findings_msg: '',
    }),

    reportFailure: async () => ({}),
  },
  { objects: { scanId: loadScan } },
);
