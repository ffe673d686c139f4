import { z } from 'zod';
import { TOKEN_PROJECT_LIMITED } from '#domain/projects/shape.ts';
import { ScannerProduct } from '#domain/scans/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id } from '#kernel/contract/plain-fields.ts';
import { id as pathId } from '#kernel/contract/proto-fields.ts';
import { nullableFlag, nullableText, scannerText, scanStartFields } from './start-shape.ts';

/**
 * The protocol of unmodified Semgrep and opengrep command lines. Their decoders fail on null and on ids that are
 * strings, so members without a value are left out and ids are numbers.
 */

const UPLOAD_LIMIT_BYTES = 1024 ** 3;
const COMPLETE_LIMIT_BYTES = 64 * 1024 ** 2;

export const ENGINE_NOT_SERVED = fault(
  'ENGINE_NOT_SERVED',
  403,
  'This server does not serve the proprietary engine. Run `semgrep ci --oss-only`, or opengrep.',
  'Add `--oss-only` to the command.',
);

export const RESULTS_UNREADABLE = fault(
  'RESULTS_UNREADABLE',
  400,
  'The results cannot be read: {sentence}',
  'Send them as the scanner wrote them; nothing was changed.',
);

export const SCAN_ENDED = fault(
  'SCAN_ENDED',
  409,
  'The scan has ended and accepts no more results.',
  'Start a new scan.',
);

export const ScannerInfo = z.object({
  id: id('Scan').optional(),
  enabled_products: z.array(ScannerProduct),
  deployment_id: id('Deployment'),
  deployment_name: z.string(),
});

const rule = z.record(z.string(), z.unknown());
export const ScannerConfig = z.object({
  rules: z.object({ rules: z.array(rule) }),
  triage_ignored_syntactic_ids: z.array(z.string()),
  triage_ignored_match_based_ids: z.array(z.string()),
});
export const ScannerEngineParams = z.object({
  dependency_query: z.boolean(),
  product_ignored_files: z.array(z.tuple([ScannerProduct, z.array(z.string())])),
});

const scanner = {
  maturity: 'beta',
  deployment: 'credential',
  credential: 'any-token',
  isExtension: true,
} as const;
const writes = { ...scanner, allow: 'scan:write' } as const;
const reads = { ...scanner, allow: 'scan:read' } as const;

export const startScan = operation({
  ...writes,
  route: 'POST /api/cli/scans',
  summary: 'Start a scan and get its rules',
  description: 'For scanners from 1.49 on and for opengrep. Repeating a `unique_id` returns the same scan.',
  path: {},
  body: scanStartFields,
  reply: { info: ScannerInfo, config: ScannerConfig, engine_params: ScannerEngineParams },
  faults: [TOKEN_PROJECT_LIMITED],
});

export const requestScan = operation({
  ...writes,
  route: 'POST /api/cli/v2/scans',
  summary: 'Start a scan',
  description: 'For scanners from about 1.153 on, which then request the rules.',
  path: {},
  body: scanStartFields,
  reply: { info: ScannerInfo },
  faults: [TOKEN_PROJECT_LIMITED],
});

export const getRequestedConfig = operation({
  ...reads,
  route: 'GET /api/cli/v2/scans/{scanRequestId}/config',
  summary: 'Get the rules of a started scan',
  description: "The id is the client's `unique_id`.",
  path: { scanRequestId: z.string().max(128) },
  query: { include_rules: z.boolean().optional() },
  reply: {
    status: z.enum(['pending', 'success', 'failure']),
    config: ScannerConfig,
    engine_params: ScannerEngineParams,
  },
});

export const startLegacyScan = operation({
  ...writes,
  route: 'POST /api/agent/deployments/scans',
  summary: 'Start a scan (scanners up to 1.48)',
  path: {},
  body: scanStartFields,
  reply: { scan: z.object({ id: id('Scan'), enabled_products: z.array(ScannerProduct) }) },
  faults: [TOKEN_PROJECT_LIMITED],
});

const legacyConfigFields = {
  deployment_id: id('Deployment'),
  deployment_name: z.string(),
  policy_names: z.array(z.string()),
  rule_config: z.string(),
  autofix: z.boolean(),
  deepsemgrep: z.boolean(),
  dependency_query: z.boolean(),
  enabled_products: z.array(ScannerProduct),
  triage_ignored_syntactic_ids: z.array(z.string()),
  triage_ignored_match_based_ids: z.array(z.string()),
  ignored_files: z.array(z.string()),
};

export const getLegacyConfig = operation({
  ...reads,
  route: 'GET /api/agent/scans/{scanId}/config',
  summary: 'Get the rules of a scan (scanners up to 1.48)',
  path: { scanId: pathId('Scan') },
  reply: legacyConfigFields,
});

/** Short, because all of them must fit into the first line of a request. */
const flagText = () => z.string().max(16).optional();

const rulesQuery = {
  repo_name: z.string().max(512).optional(),
  sca: flagText(),
  is_secrets_scan: flagText(),
  is_code_scan: flagText(),
  full_scan: flagText(),
  dry_run: flagText(),
  semgrep_version: z.string().max(64).optional(),
};

export const getRulesToScan = operation({
  ...reads,
  route: 'GET /api/agent/deployments/scans/config',
  summary: 'Get the rules for a project without starting a scan',
  description: 'For editors and dry runs.',
  path: {},
  query: rulesQuery,
  reply: legacyConfigFields,
});

export const getFallbackConfig = operation({
  ...reads,
  route: 'GET /config',
  summary: 'Get the rules for a project when the start failed',
  description: 'For `SEMGREP_FAIL_OPEN_URL`.',
  path: {},
  query: rulesQuery,
  reply: legacyConfigFields,
});

export const sendResults = operation({
  ...writes,
  route: 'POST /api/agent/scans/{scanId}/results',
  summary: 'Upload the results of a scan',
  description: 'Idempotent. A credential of a source-code host in the body is masked before anything is stored.',
  path: { scanId: pathId('Scan') },
  upload: { types: ['application/json'], limitBytes: UPLOAD_LIMIT_BYTES },
  reply: { errors: z.array(z.object({ message: z.string() })) },
  faults: [RESULTS_UNREADABLE, SCAN_ENDED],
});

export const ScannedDependency = z.object({
  package: scannerText(),
  version: scannerText(),
  ecosystem: scannerText(),
  transitivity: nullableText(),
  resolved_url: nullableText(),
  manifest_path: nullableText(),
  line_number: z.number().nullish(),
});

export const completeScan = operation({
  ...writes,
  route: 'POST /api/agent/scans/{scanId}/complete',
  summary: 'Complete a scan',
  path: { scanId: pathId('Scan') },
  bodyLimitBytes: COMPLETE_LIMIT_BYTES,
  body: {
    exit_code: z.int().min(-1000).max(1000).nullish(),
    stats: z.record(z.string(), z.unknown()).nullish(),
    dependencies: z.record(z.string(), z.array(ScannedDependency)).nullish(),
    task_id: nullableText(),
    final_attempt: nullableFlag(),
  },
  reply: {
    success: z.boolean(),
    app_block_override: z.boolean(),
    app_block_reason: z.string(),
    app_blocking_match_based_ids: z.array(z.string()),
  },
});

export const failScan = operation({
  ...writes,
  route: 'POST /api/agent/scans/{scanId}/error',
  summary: 'Report that a scan has failed',
  path: { scanId: pathId('Scan') },
  body: { exit_code: z.int().min(-1000).max(1000).nullish(), stderr: z.string().nullish() },
  reply: {},
});

export const getCurrentDeployment = operation({
  ...reads,
  route: 'GET /api/agent/deployments/current',
  summary: 'Get the deployment of the credential',
  path: {},
  reply: {
    deployment: z.object({
      id: id('Deployment'),
      name: z.string(),
      slug: z.string(),
      display_name: z.string(),
      organization_id: id('Deployment'),
      source_type: z.string(),
      has_autofix: z.boolean(),
      has_deepsemgrep: z.boolean(),
      has_triage_via_comment: z.boolean(),
      has_dependency_query: z.boolean(),
    }),
  },
});

export const getEngine = operation({
  ...writes,
  route: 'GET /api/agent/deployments/deepbinary/{platform}',
  isRead: false,
  summary: 'Refuse the proprietary engine',
  description:
    'This server does not provide it: always replies 403 with the flag to use instead. The scan that asked for it, ' +
    'by the header `X-Semgrep-Scan-ID`, ends as failed, because scanners then stop without a further request.',
  path: { platform: z.string().regex(/^[\w-]{1,64}$/) },
  query: { version: scannerText().optional() },
  reply: {},
  faults: [ENGINE_NOT_SERVED],
});

export const checkVersion = operation({
  route: 'GET /api/check-version',
  summary: 'Get the latest scanner version',
  description: 'This server requires no particular version.',
  maturity: 'beta',
  allow: 'public',
  isExtension: true,
  transaction: 'none',
  reply: {
    latest: z.string(),
    versions: z.object({ latest: z.string(), minimum: z.string() }),
    banners: z.array(z.never()),
    no_findings_msg: z.string(),
  },
});

export const reportFailure = operation({
  route: 'POST /failure',
  summary: 'Accept a failure report of a scanner',
  description:
    'For `SEMGREP_FAIL_OPEN_URL`: keeps tokens and traces from being sent to other servers. Nothing is stored.',
  maturity: 'beta',
  allow: 'public',
  isExtension: true,
  transaction: 'none',
  isRead: true,
  body: { status_code: z.int().nullish(), exit_code: z.int().nullish(), request_id: nullableText() },
  reply: {},
});
