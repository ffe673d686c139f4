export interface ProductSetting {
  /** The member of the API, to the letter. */
  path: string;
  group: 'AI' | 'Code' | 'Dependencies' | 'Secrets' | 'Triage';
  label: string;
  about: string;
  kind: 'switch' | 'number' | 'words' | 'policy' | 'text';
  /** Switches without which this one has no effect. */
  needs: readonly string[];
}

const field = (
  group: ProductSetting['group'],
  path: string,
  label: string,
  more: Partial<Pick<ProductSetting, 'about' | 'kind' | 'needs'>> = {},
): ProductSetting => ({ group, path, label, about: '', kind: 'switch', needs: [], ...more });

const SAST_AI = { needs: ['sast.enabled', 'ai.enabled'] };
const AUTOTRIAGE = { needs: ['sast.ai_autotriage.enabled'] };
const SCA = { needs: ['sca.enabled'] };
const SECRETS = { needs: ['secrets.enabled'] };

/** Every setting of the products, in the order in which they are shown. */
export const PRODUCT_SETTINGS: readonly ProductSetting[] = [
  field('AI', 'ai.enabled', 'AI features', { about: 'Nothing of yours is shown to an AI provider while this is off.' }),
  field('AI', 'ai.allowed_providers', 'Allowed providers', {
    kind: 'words',
    about: 'Names with commas between them.',
    needs: ['ai.enabled'],
  }),
  field('AI', 'ai.legacy_allow_aiprovider_code_sharing', 'Share code with the AI provider', {
    about: 'The older form of consent.',
    needs: ['ai.enabled'],
  }),
  field('AI', 'ai.send_patch_emails', 'Send patches by mail', { needs: ['ai.enabled'] }),
  field('Code', 'sast.enabled', 'Code findings', { about: 'Static analysis of source code.' }),
  field('Code', 'sast.human_autofix_enabled', 'Fixes written by people', {
    about: 'Fixes that come with rules.',
    needs: ['sast.enabled'],
  }),
  field('Code', 'sast.ai_autofix.enabled', 'Fixes by AI', SAST_AI),
  field('Code', 'sast.ai_autofix.min_confidence', 'Least confidence of a fix by AI', {
    kind: 'number',
    about: 'From 0 to 100.',
    needs: ['sast.ai_autofix.enabled'],
  }),
  field('Code', 'sast.ai_autotriage.enabled', 'Triage by AI', SAST_AI),
  field('Code', 'sast.ai_autotriage.hide_false_positive_comments', 'Hide comments on false positives', AUTOTRIAGE),
  field('Code', 'sast.ai_autotriage.send_to_scm_comments', 'Tell in review comments', AUTOTRIAGE),
  field('Code', 'sast.ai_autotriage.send_to_slack', 'Tell in Slack', AUTOTRIAGE),
  field('Code', 'sast.ai_detection.enabled', 'Detection by AI', SAST_AI),
  field('Dependencies', 'sca.enabled', 'Dependency findings', { about: 'Known problems of packages that are used.' }),
  field('Dependencies', 'sca.blockPrEnabled', 'Block pull requests', SCA),
  field('Dependencies', 'sca.prCommentsEnabled', 'Comment on pull requests', SCA),
  field('Dependencies', 'sca.maliciousDependencyAdvisoriesEnabled', 'Advisories of malicious packages', SCA),
  field('Dependencies', 'sca.upgradeGuidanceEnabled', 'Guidance for upgrades', SCA),
  field('Dependencies', 'sca.malwareFirewallEnabled', 'Malware firewall', SCA),
  field('Secrets', 'secrets.enabled', 'Secret findings', { about: 'Passwords and keys in source code.' }),
  field('Secrets', 'secrets.historical_scan.enabled', 'Scan the history', {
    about: 'Commits of the past too.',
    ...SECRETS,
  }),
  field('Secrets', 'secrets.generic_secrets.enabled', 'Generic secrets', {
    about: 'What looks like a secret of no known kind.',
    ...SECRETS,
  }),
  field('Secrets', 'secrets.global_validation_state_policy.error', 'Secrets that could not be tried', {
    kind: 'policy',
    ...SECRETS,
  }),
  field('Secrets', 'secrets.global_validation_state_policy.invalid', 'Secrets that do not work', {
    kind: 'policy',
    ...SECRETS,
  }),
  field('Triage', 'hasDeveloperTriage', 'Developer triage', {
    about: 'People who are no administrators ask to ignore a finding, and somebody approves.',
  }),
  field('Triage', 'approversTag', 'Tag of the approvers', { kind: 'text', needs: ['hasDeveloperTriage'] }),
];

export const SETTING_GROUPS = ['AI', 'Code', 'Dependencies', 'Secrets', 'Triage'] as const;

/** Members that belong to the answer: they follow from other things. */
export const READ_ONLY_SETTINGS: readonly { path: string; label: string }[] = [
  { path: 'ai.mdr_enabled', label: 'Managed detection' },
  { path: 'sast.triagePermission', label: 'What you may do about code findings' },
  { path: 'sca.triagePermission', label: 'What you may do about dependency findings' },
  { path: 'secrets.triagePermission', label: 'What you may do about secret findings' },
];
