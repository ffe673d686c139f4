import { z } from 'zod';
import { line, oneOf } from '#kernel/contract/proto-fields.ts';

const flag = z.boolean();

const MAX_PROVIDERS = 50;
/** Allows a fraction of one and a percentage. */
const MAX_CONFIDENCE = 100;

const Switch = z.object({ enabled: flag });
const Policy = oneOf(['monitor', 'comment', 'block']);
const ValidationPolicy = z.object({ error: Policy, invalid: Policy });

const Ai = z.object({
  legacy_allow_aiprovider_code_sharing: flag,
  enabled: flag,
  send_patch_emails: flag,
  allowed_providers: z.array(line(64, 1)).max(MAX_PROVIDERS),
});
const Autofix = z.object({ enabled: flag, min_confidence: z.number().min(0).max(MAX_CONFIDENCE) });
const Autotriage = z.object({
  enabled: flag,
  hide_false_positive_comments: flag,
  send_to_scm_comments: flag,
  send_to_slack: flag,
});
const Sast = z.object({
  enabled: flag,
  human_autofix_enabled: flag,
  ai_autofix: Autofix,
  ai_autotriage: Autotriage,
  ai_detection: Switch,
});
const Sca = z.object({
  enabled: flag,
  blockPrEnabled: flag,
  prCommentsEnabled: flag,
  maliciousDependencyAdvisoriesEnabled: flag,
  upgradeGuidanceEnabled: flag,
  malwareFirewallEnabled: flag,
});
const Secrets = z.object({
  enabled: flag,
  global_validation_state_policy: ValidationPolicy,
  historical_scan: Switch,
  generic_secrets: Switch,
});

/** The complete product settings of a deployment. */
export const ProductSettings = z.object({
  ai: Ai,
  sast: Sast,
  sca: Sca,
  secrets: Secrets,
  approversTag: line(256),
  hasDeveloperTriage: flag,
});
export type ProductSettings = z.output<typeof ProductSettings>;

export const AiChange = Ai.partial();
export const SastChange = Sast.partial().extend({
  ai_autofix: Autofix.partial().optional(),
  ai_autotriage: Autotriage.partial().optional(),
  ai_detection: Switch.partial().optional(),
});
export const ScaChange = Sca.partial();
export const SecretsChange = Secrets.partial().extend({
  global_validation_state_policy: ValidationPolicy.partial().optional(),
  historical_scan: Switch.partial().optional(),
  generic_secrets: Switch.partial().optional(),
});

/** Some of the settings: one change, or all changes so far. */
export const ProductChange = ProductSettings.extend({
  ai: AiChange,
  sast: SastChange,
  sca: ScaChange,
  secrets: SecretsChange,
}).partial();
export type ProductChange = z.output<typeof ProductChange>;

/** What the caller may do about findings: ignore them, request that, or neither. */
export const TriagePermission = oneOf([
  'TRIAGE_PERMISSION_IGNORE',
  'TRIAGE_PERMISSION_REQUEST',
  'TRIAGE_PERMISSION_NONE',
]);
export type TriagePermission = z.output<typeof TriagePermission>;

/** The settings with the triage permission of the caller. */
export const ProductConfig = ProductSettings.extend({
  ai: Ai.extend({ mdr_enabled: flag }),
  sast: Sast.extend({ triagePermission: TriagePermission }),
  sca: Sca.extend({ triagePermission: TriagePermission }),
  secrets: Secrets.extend({ triagePermission: TriagePermission }),
});
export type ProductConfig = z.output<typeof ProductConfig>;
