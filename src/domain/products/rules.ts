import type { ProductChange, ProductSettings, TriagePermission } from './shape.ts';

/** Scanning is on by default; comments, blocking and sharing code with third parties are off until chosen. */
export const DEFAULT_PRODUCT_SETTINGS: ProductSettings = {
  ai: {
    legacy_allow_aiprovider_code_sharing: false,
    enabled: false,
    send_patch_emails: false,
    allowed_providers: [],
  },
  sast: {
    enabled: true,
    human_autofix_enabled: true,
    ai_autofix: { enabled: false, min_confidence: 0 },
    ai_autotriage: {
      enabled: false,
      hide_false_positive_comments: false,
      send_to_scm_comments: false,
      send_to_slack: false,
    },
    ai_detection: { enabled: false },
  },
  sca: {
    enabled: true,
    blockPrEnabled: false,
    prCommentsEnabled: false,
    maliciousDependencyAdvisoriesEnabled: true,
    upgradeGuidanceEnabled: false,
    malwareFirewallEnabled: false,
  },
  secrets: {
    enabled: false,
    global_validation_state_policy: { error: 'monitor', invalid: 'monitor' },
    historical_scan: { enabled: false },
    generic_secrets: { enabled: false },
  },
  approversTag: '',
  hasDeveloperTriage: false,
};

type SettingsNode = Record<string, unknown>;

const isNode = (value: unknown): value is SettingsNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(base: SettingsNode, change: SettingsNode): SettingsNode {
  const result = { ...base };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const present = result[name];
    result[name] = isNode(value) ? merge(isNode(present) ? present : {}, value) : value;
  }
  return result;
}

/** The base with the members of the change merged in; lists are replaced as a whole. */
export const mergeProductSettings = <Base extends ProductChange>(base: Base, change: ProductChange): Base =>
  merge(base, change) as Base;

/** Product managers need no approval. A caller without `issue:triage` cannot even request one. */
export function triagePermissionOf(
  permissions: ReadonlySet<string>,
  { hasDeveloperTriage }: Pick<ProductSettings, 'hasDeveloperTriage'>,
): TriagePermission {
  if (!permissions.has('issue:triage')) return 'TRIAGE_PERMISSION_NONE';
  if (permissions.has('product:manage') || !hasDeveloperTriage) return 'TRIAGE_PERMISSION_IGNORE';
  return 'TRIAGE_PERMISSION_REQUEST';
}
