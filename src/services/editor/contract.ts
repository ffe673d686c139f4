import { z } from 'zod';
import { RULE_QUOTA, RULE_REFUSED } from '#domain/rules/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment } from '#kernel/contract/proto-fields.ts';

export const MAX_PATTERN_LENGTH = 64 * 1024;
export const MAX_TARGET_LENGTH = 1024 * 1024;
export const MAX_RUN_SECONDS = 10;
export const MAX_RUNS_PER_USER = 2;
/** A target of the largest size with every character escaped. */
const BODY_LIMIT_BYTES = 8 * 1024 ** 2;

export const SCANNER_MISSING = fault(
  'SCANNER_MISSING',
  503,
  'This server cannot run rules: {reason}.',
  'Ask the operator to install semgrep, or to set PARAPET_SEMGREP to its path. The guide playground.md says more.',
);

export const ScanResult = z.object({
  /** 0, 7 for a rule that cannot be used, 124 for a run that was stopped, or another status of the engine. */
  status_code: z.int(),
  /** The JSON report of the engine. */
  output: z.record(z.string(), z.unknown()),
  run_error: z
    .object({
      message: z.string(),
      type: z.string(),
      extra: z.record(z.string(), z.unknown()),
      uid: z.string(),
    })
    .optional(),
  /** In seconds. */
  run_time: z.number(),
  environment: z.string(),
});
export type ScanResult = z.output<typeof ScanResult>;

export const RuleTestResult = z.object({
  must_match: z.boolean(),
  /** The line of code that the annotation is about. */
  line_no: z.int(),
  rule_id: z.string(),
  /** passed, failed or todo */
  status: z.string(),
  message: z.string(),
});
export type RuleTestResult = z.output<typeof RuleTestResult>;

const facts = { maturity: 'experimental', allow: 'policy:read' } as const;

export const runPattern = operation({
  ...facts,
  route: 'POST /api/run',
  summary: 'Run a rule on code',
  description:
    `Runs for at most ${MAX_RUN_SECONDS} seconds, ${MAX_RUNS_PER_USER} at once for each user; nothing is stored. ` +
    '`pattern` is YAML with `rules`, or one pattern. A rule with errors is answered with 200 and `run_error`. ' +
    '`test_result` has one entry for each annotation of the code, such as `# ruleid: ID` or `# ok: ID`. `isDebug` ' +
    'adds explanations of matches. `isDeep` is not available.',
  deployment: 'credential',
  transaction: 'manual',
  isRead: true,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  body: {
    pattern: z.string().min(1).max(MAX_PATTERN_LENGTH),
    target: z.string().max(MAX_TARGET_LENGTH),
    language: z
      .string()
      .regex(/^[\w+#.-]{0,40}$/, { error: 'expected the name of a language, such as python' })
      .default(''),
    isDeep: z.boolean().default(false),
    isDebug: z.boolean().default(false),
  },
  reply: { scan_result: ScanResult, test_result: z.array(RuleTestResult), ai_autofixes: z.array(z.string()) },
  faults: [SCANNER_MISSING],
});

export const getEditorEngine = operation({
  ...facts,
  route: 'GET /api/run',
  summary: 'Get the engine that runs rules',
  description: '`reason` says what is missing if there is none.',
  deployment: 'credential',
  transaction: 'manual',
  isExtension: true,
  reply: { isAvailable: z.boolean(), version: z.string(), sandbox: z.string(), reason: z.string() },
});

export const saveRule = operation({
  maturity: 'experimental',
  route: 'POST /api/editor/deployments/{deploymentId}/rules',
  summary: 'Save a rule of the deployment',
  description:
    'One rule, under its own id; a changed rule becomes its next version. Scanners and boards can use it at once.',
  allow: 'policy:manage',
  isExtension: true,
  path: { deploymentId: deployment() },
  bodyLimitBytes: BODY_LIMIT_BYTES,
  body: {
    definition: z.record(z.string(), z.unknown()),
    test_target: z.string().max(MAX_TARGET_LENGTH).default(''),
  },
  reply: { path: z.string(), id: z.string(), isNew: z.boolean() },
  faults: [RULE_REFUSED, RULE_QUOTA],
});
