import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id } from '#kernel/contract/plain-fields.ts';
import { id as pathId } from '#kernel/contract/proto-fields.ts';
import { nullableFlag, nullableText, ScannerProduct, scannerText, scanStartFields } from './start-shape.ts';

/**
 * What the unmodified Semgrep and opengrep command lines say to their platform. Their decoder dies on null and on ids
 * that are text: members without a value are left out, and ids are numbers.
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
  'Send them as the scanner makes them; nothing was changed.',
);

export const SCAN_ENDED = fault(
  'SCAN_ENDED',
  409,
  'The scan has ended, and takes no more results.',
  'Start a new scan.',
);

const Info = z.object({
  id: id('Scan').optional(),
  enabled_products: z.array(ScannerProduct),
  deployment_id: id('Deployment'),
  deployment_name: z.string(),
});

const rule = z.record(z.string(), z.unknown());
const Config = z.object({
  rules: z.object({ rules: z.array(rule) }),
  triage_ignored_syntactic_ids: z.array(z.string()),
  triage_ignored_match_based_ids: z.array(z.string()),
});
const EngineParams = z.object({
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
  description: 'For scanners from 1.49 on and opengrep. The same `unique_id` again is the same scan.',
  path: {},
  body: scanStartFields,
  reply: { info: Info, config: Config, engine_params: EngineParams },
});

export const requestScan = operation({
  ...writes,
  route: 'POST /api/cli/v2/scans',
  summary: 'Start a scan',
  description: 'For scanners from about 1.153 on; they ask for the rules next.',
  path: {},
  body: scanStartFields,
  reply: { info: Info },
});

export const getRequestedConfig = operation({
  ...reads,
  route: 'GET /api/cli/v2/scans/{scanRequestId}/config',
  summary: 'Get the rules of a scan that was started',
  description: "The id is the client's own `unique_id`.",
  path: { scanRequestId: z.string().max(128) },
  query: { include_rules: z.boolean().optional() },
  reply: { status: z.enum(['pending', 'success', 'failure']), config: Config, engine_params: EngineParams },
});

export const startLegacyScan = operation({
  ...writes,
  route: 'POST /api/agent/deployments/scans',
  summary: 'Start a scan (scanners up to 1.48)',
  path: {},
  body: scanStartFields,
  reply: { scan: z.object({ id: id('Scan'), enabled_products: z.array(ScannerProduct) }) },
});

const LegacyConfig = {
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
  reply: LegacyConfig,
});

const wish = {
  repo_name: scannerText().optional(),
  sca: scannerText().optional(),
  is_secrets_scan: scannerText().optional(),
  is_code_scan: scannerText().optional(),
  full_scan: scannerText().optional(),
  dry_run: scannerText().optional(),
  semgrep_version: scannerText().optional(),
};

export const getRulesToScan = operation({
  ...reads,
  route: 'GET /api/agent/deployments/scans/config',
  summary: 'Get the rules for a project without starting a scan',
  description: 'For editors and dry runs.',
  path: {},
  query: wish,
  reply: LegacyConfig,
});

export const getFallbackConfig = operation({
  ...reads,
  route: 'GET /config',
  summary: 'Get the rules for a project when the start failed',
  description: 'For `SEMGREP_FAIL_OPEN_URL`.',
  path: {},
  query: wish,
  reply: LegacyConfig,
});

export const sendResults = operation({
  ...writes,
  route: 'POST /api/agent/scans/{scanId}/results',
  summary: 'Hand in what a scan found',
  description:
    'Sending the same again changes nothing. A credential of a source-code host in the body is dropped at the door.',
  path: { scanId: pathId('Scan') },
  upload: { types: ['application/json'], limitBytes: UPLOAD_LIMIT_BYTES },
  reply: { errors: z.array(z.object({ message: z.string() })) },
  faults: [RESULTS_UNREADABLE, SCAN_ENDED],
});

const FoundDependency = z.object({
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
  summary: 'Say that a scan has ended',
  path: { scanId: pathId('Scan') },
  bodyLimitBytes: COMPLETE_LIMIT_BYTES,
  body: {
    exit_code: z.int().min(-1000).max(1000).nullish(),
    stats: z.record(z.string(), z.unknown()).nullish(),
    dependencies: z.record(z.string(), z.array(FoundDependency)).nullish(),
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
  summary: 'Say that a scan has failed',
  path: { scanId: pathId('Scan') },
  body: { exit_code: z.int().min(-1000).max(1000).nullish(), stderr: z.string().nullish() },
  reply: {},
});

export const getCurrentDeployment = operation({
  ...reads,
  route: 'GET /api/agent/deployments/current',
  summary: 'Tell which deployment the credential belongs to',
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
  ...reads,
  route: 'GET /api/agent/deployments/deepbinary/{platform}',
  summary: 'Refuse the proprietary engine',
  description: 'There is none to serve: always a 403 that says which flag to use.',
  path: { platform: z.string().regex(/^[\w-]{1,64}$/) },
  query: { version: scannerText().optional() },
  reply: {},
  faults: [ENGINE_NOT_SERVED],
});

export const checkVersion = operation({
  route: 'GET /api/check-version',
  summary: 'Tell scanners which version is the newest',
  description: 'This server asks for no particular one.',
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
  summary: 'Take what a scanner says about its own failure',
  description: 'For `SEMGREP_FAIL_OPEN_URL`: it keeps tokens and traces from other servers. Nothing is kept.',
  maturity: 'beta',
  allow: 'public',
  isExtension: true,
  transaction: 'none',
  isRead: true,
  body: { status_code: z.int().nullish(), exit_code: z.int().nullish(), request_id: nullableText() },
  reply: {},
});

export const showOrganization = operation({
  route: 'GET /orgs/{place...}',
  summary: 'Tell people where to look for what a scanner has found',
  description: 'Scanners print links to here.',
  maturity: 'beta',
  allow: 'public',
  isExtension: true,
  transaction: 'none',
  path: { place: scannerText() },
  raw: { types: ['text/plain'] },
  reply: {},
});
