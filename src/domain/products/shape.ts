import { z } from 'zod';
import { line, oneOf } from '#kernel/contract/proto-fields.ts';

const flag = z.boolean();

const MAX_PROVIDERS = 50;
/** Allows a fraction of one and a percentage. */
const MAX_CONFIDENCE = 100;

/** The products whose findings, settings and comments are kept apart. */
export const Product = oneOf(['PRODUCT_SAST', 'PRODUCT_SCA', 'PRODUCT_SECRETS', 'PRODUCT_AI_SAST']);
export type Product = z.output<typeof Product>;

export const Switch = z.object({ enabled: flag });
export const ProductPolicy = oneOf(['monitor', 'comment', 'block']);
export const SecretValidationPolicy = z.object({ error: ProductPolicy, invalid: ProductPolicy });

export const AiSettings = z.object({
  legacy_allow_aiprovider_code_sharing: flag,
  enabled: flag,
  send_patch_emails: flag,
  allowed_providers: z.array(line(64, 1)).max(MAX_PROVIDERS),
});
export const AutofixSettings = z.object({ enabled: flag, min_confidence: z.number().min(0).max(MAX_CONFIDENCE) });
export const AutotriageSettings = z.object({
  enabled: flag,
  hide_false_positive_comments: flag,
  send_to_scm_comments: flag,
  send_to_slack: flag,
});
export const SastSettings = z.object({
  enabled: flag,
  human_autofix_enabled: flag,
  ai_autofix: AutofixSettings,
  ai_autotriage: AutotriageSettings,
  ai_detection: Switch,
});
export const ScaSettings = z.object({
  enabled: flag,
  blockPrEnabled: flag,
  prCommentsEnabled: flag,
  maliciousDependencyAdvisoriesEnabled: flag,
  upgradeGuidanceEnabled: flag,
  malwareFirewallEnabled: flag,
});
export const SecretsSettings = z.object({
  enabled: flag,
  global_validation_state_policy: SecretValidationPolicy,
  historical_scan: Switch,
  generic_secrets: Switch,
});

/** The complete product settings of a deployment. */
export const ProductSettings = z.object({
  ai: AiSettings,
  sast: SastSettings,
  sca: ScaSettings,
  secrets: SecretsSettings,
  approversTag: line(256),
  hasDeveloperTriage: flag,
});
export type ProductSettings = z.output<typeof ProductSettings>;

export const AiChange = AiSettings.partial();
export const SastChange = SastSettings.partial().extend({
  ai_autofix: AutofixSettings.partial().optional(),
  ai_autotriage: AutotriageSettings.partial().optional(),
  ai_detection: Switch.partial().optional(),
});
export const ScaChange = ScaSettings.partial();
export const SecretsChange = SecretsSettings.partial().extend({
  global_validation_state_policy: SecretValidationPolicy.partial().optional(),
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
  ai: AiSettings.extend({ mdr_enabled: flag }),
  sast: SastSettings.extend({ triagePermission: TriagePermission }),
  sca: ScaSettings.extend({ triagePermission: TriagePermission }),
  secrets: SecretsSettings.extend({ triagePermission: TriagePermission }),
});
export type ProductConfig = z.output<typeof ProductConfig>;
