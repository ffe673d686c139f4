import type { ProductChange, ProductSettings, TriagePermission } from './shape.ts';

/** What looks for problems is on; what writes to people, blocks them or shows code to others waits to be chosen. */
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

type Branch = Record<string, unknown>;

const isBranch = (value: unknown): value is Branch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function put(base: Branch, change: Branch): Branch {
  const result = { ...base };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const present = result[name];
    result[name] = isBranch(value) ? put(isBranch(present) ? present : {}, value) : value;
  }
  return result;
}

/** The base with every member that the change names; lists are replaced as a whole, and what is absent stays. */
export const mergeProductSettings = <Base extends ProductChange>(base: Base, change: ProductChange): Base =>
  put(base, change) as Base;

/** Who may switch developer triage on needs no approval; who may not triage at all cannot even ask. */
export function triagePermissionOf(
  permissions: ReadonlySet<string>,
  { hasDeveloperTriage }: Pick<ProductSettings, 'hasDeveloperTriage'>,
): TriagePermission {
  if (!permissions.has('issue:triage')) return 'TRIAGE_PERMISSION_NONE';
  if (permissions.has('product:manage') || !hasDeveloperTriage) return 'TRIAGE_PERMISSION_IGNORE';
  return 'TRIAGE_PERMISSION_REQUEST';
}
