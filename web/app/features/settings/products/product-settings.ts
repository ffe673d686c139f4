export interface ProductSetting {
  /** The path of the member in the API. */
  path: string;
  group: 'AI' | 'Code' | 'Dependencies' | 'Secrets' | 'Triage';
  label: string;
  description: string;
  kind: 'switch' | 'number' | 'words' | 'policy' | 'text';
  /** Settings that must be on for this one to take effect. */
  requires: readonly string[];
  /** Whether the server acts on it; the others are stored for clients and for later versions. */
  isEffective: boolean;
}

/** The settings that the server acts on. A test compares it with what reads them. */
const EFFECTIVE_SETTINGS: ReadonlySet<string> = new Set([
  'sast.enabled',
  'sca.enabled',
  'secrets.enabled',
  'secrets.global_validation_state_policy.error',
  'secrets.global_validation_state_policy.invalid',
  'hasDeveloperTriage',
]);

const field = (
  group: ProductSetting['group'],
  path: string,
  label: string,
  options: Partial<Pick<ProductSetting, 'description' | 'kind' | 'requires'>> = {},
): ProductSetting => ({
  ...{ group, path, label, description: '', kind: 'switch', requires: [] },
  isEffective: EFFECTIVE_SETTINGS.has(path),
  ...options,
});

const VALIDATION_POLICY = 'Taken over when boards are migrated to policies.';
const SAST_AI = { requires: ['sast.enabled', 'ai.enabled'] };
const AUTOTRIAGE = { requires: ['sast.ai_autotriage.enabled'] };
const SCA = { requires: ['sca.enabled'] };
const SECRETS = { requires: ['secrets.enabled'] };

/** All product settings in display order. */
export const PRODUCT_SETTINGS: readonly ProductSetting[] = [
  field('AI', 'ai.enabled', 'AI features', { description: 'While this is off, no data is sent to AI providers.' }),
  field('AI', 'ai.allowed_providers', 'Allowed providers', {
    kind: 'words',
    description: 'Names, separated by commas.',
    requires: ['ai.enabled'],
  }),
  field('AI', 'ai.legacy_allow_aiprovider_code_sharing', 'Share code with the AI provider', {
    description: 'The older consent setting.',
    requires: ['ai.enabled'],
  }),
  field('AI', 'ai.send_patch_emails', 'Send patches by e-mail', { requires: ['ai.enabled'] }),
  field('Code', 'sast.enabled', 'Code findings', { description: 'Static analysis of source code.' }),
  field('Code', 'sast.human_autofix_enabled', 'Fixes from rules', {
    description: 'Fixes that rule authors have written.',
    requires: ['sast.enabled'],
  }),
  field('Code', 'sast.ai_autofix.enabled', 'AI fixes', SAST_AI),
  field('Code', 'sast.ai_autofix.min_confidence', 'Minimum confidence of AI fixes', {
    kind: 'number',
    description: 'From 0 to 100.',
    requires: ['sast.ai_autofix.enabled'],
  }),
  field('Code', 'sast.ai_autotriage.enabled', 'AI triage', SAST_AI),
  field('Code', 'sast.ai_autotriage.hide_false_positive_comments', 'Hide comments on false positives', AUTOTRIAGE),
  field('Code', 'sast.ai_autotriage.send_to_scm_comments', 'Post to review comments', AUTOTRIAGE),
  field('Code', 'sast.ai_autotriage.send_to_slack', 'Post to Slack', AUTOTRIAGE),
  field('Code', 'sast.ai_detection.enabled', 'AI detection', SAST_AI),
  field('Dependencies', 'sca.enabled', 'Dependency findings', { description: 'Known vulnerabilities in packages.' }),
  field('Dependencies', 'sca.blockPrEnabled', 'Block pull requests', SCA),
  field('Dependencies', 'sca.prCommentsEnabled', 'Comment on pull requests', SCA),
  field('Dependencies', 'sca.maliciousDependencyAdvisoriesEnabled', 'Advisories for malicious packages', SCA),
  field('Dependencies', 'sca.upgradeGuidanceEnabled', 'Upgrade guidance', SCA),
  field('Dependencies', 'sca.malwareFirewallEnabled', 'Malware firewall', SCA),
  field('Secrets', 'secrets.enabled', 'Secret findings', { description: 'Passwords and keys in source code.' }),
  field('Secrets', 'secrets.historical_scan.enabled', 'Scan the history', {
    description: 'Includes past commits.',
    ...SECRETS,
  }),
  field('Secrets', 'secrets.generic_secrets.enabled', 'Generic secrets', {
    description: 'Text that looks like a secret of an unknown type.',
    ...SECRETS,
  }),
  field('Secrets', 'secrets.global_validation_state_policy.error', 'Secrets whose validation failed', {
    kind: 'policy',
    description: VALIDATION_POLICY,
    ...SECRETS,
  }),
  field('Secrets', 'secrets.global_validation_state_policy.invalid', 'Invalid secrets', {
    kind: 'policy',
    description: VALIDATION_POLICY,
    ...SECRETS,
  }),
  field('Triage', 'hasDeveloperTriage', 'Developer triage', {
    description: 'Users other than administrators request to ignore a finding, and an approver decides.',
  }),
  field('Triage', 'approversTag', 'Approver tag', { kind: 'text', requires: ['hasDeveloperTriage'] }),
];

export const SETTING_GROUPS = ['AI', 'Code', 'Dependencies', 'Secrets', 'Triage'] as const;

/** Settings that are derived from others and cannot be edited. */
export const READ_ONLY_SETTINGS: readonly { path: string; label: string }[] = [
  { path: 'ai.mdr_enabled', label: 'Managed detection' },
  { path: 'sast.triagePermission', label: 'Your triage permission for code findings' },
  { path: 'sca.triagePermission', label: 'Your triage permission for dependency findings' },
  { path: 'secrets.triagePermission', label: 'Your triage permission for secret findings' },
];
