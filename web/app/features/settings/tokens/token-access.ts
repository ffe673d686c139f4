export const TOKEN_ROLES = [
  'TOKEN_ROLE_AGENT_CLI',
  'TOKEN_ROLE_READ_ONLY',
  'TOKEN_ROLE_MEMBER',
  'TOKEN_ROLE_WEBAPI',
] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** The access of a token: its role, the Web API permission and limited scopes. */
export interface TokenAccess {
  role: TokenRole;
  webApi: boolean;
  scopes: string[];
}

export interface TokenPreset extends TokenAccess {
  id: 'ci' | 'read' | 'full';
  name: string;
  description: string;
}

export const TOKEN_PRESETS: readonly TokenPreset[] = [
  {
    id: 'ci',
    name: 'CI upload',
    description: 'Fetches rules and uploads results, nothing else. Use it in CI.',
    role: 'TOKEN_ROLE_AGENT_CLI',
    webApi: false,
    scopes: [],
  },
  {
    id: 'read',
    name: 'Read only',
    description: 'Reads all findings, projects and reports. For dashboards and exports.',
    role: 'TOKEN_ROLE_READ_ONLY',
    webApi: true,
    scopes: [],
  },
  {
    id: 'full',
    name: 'Full API',
    description: 'Full API access of an administrator. For integrations that you trust.',
    role: 'TOKEN_ROLE_WEBAPI',
    webApi: true,
    scopes: [],
  },
];

export const findTokenPreset = (id: string | undefined): TokenPreset | undefined =>
  id === undefined ? undefined : (TOKEN_PRESETS.find((preset) => preset.id === id) ?? TOKEN_PRESETS[0]);

export const EXPIRY_DAYS = [7, 30, 90, 180, 365] as const;
export const DEFAULT_EXPIRY_DAYS = 90;

export interface TokenCapability {
  what: string;
  isAllowed: boolean;
  /** Why it is not allowed; empty if it is. */
  why: string;
}

/** What a token can be used for; mirrors the checks of the server's authenticator. */
export function tokenCapabilities({ role, webApi, scopes }: TokenAccess): TokenCapability[] {
  const limited = scopes.length > 0 ? 'limited scopes are not accepted' : '';
  const noApi = webApi ? '' : 'requires the Web API permission';
  const reads = role === 'TOKEN_ROLE_AGENT_CLI' ? 'the role can only scan' : '';
  const changes = role === 'TOKEN_ROLE_READ_ONLY' ? 'the role is read-only' : reads;
  const manages = role === 'TOKEN_ROLE_MEMBER' ? 'the role can triage but not change settings' : changes;
  const use = (what: string, ...reasons: string[]): TokenCapability => {
    const why = reasons.find((reason) => reason !== '') ?? '';
    return { what, isAllowed: why === '', why };
  };
  return [
    use('CI scans and uploads', limited, role === 'TOKEN_ROLE_READ_ONLY' ? 'the role is read-only' : ''),
    use('reading with the API', limited, noApi, reads),
    use('triage with the API', limited, noApi, changes),
    use('settings with the API', limited, noApi, manages),
    use('tokens, sign-in and partner credentials', 'requires a signed-in user'),
  ];
}

/** Parses scopes separated by spaces or commas, without duplicates. */
export const parseScopes = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((scope) => scope !== '')),
];

const DAY_MS = 86_400_000;
const EXPIRES_SOON_DAYS = 14;

export const expiryDate = (days: number, now: Date): string => new Date(now.getTime() + days * DAY_MS).toISOString();

/** Whether a token has expired, expires within two weeks, or neither. */
export function expiryStatus(expiresAt: string, now: Date): 'expired' | 'soon' | 'later' {
  const left = new Date(expiresAt).getTime() - now.getTime();
  if (left <= 0) return 'expired';
  return left <= EXPIRES_SOON_DAYS * DAY_MS ? 'soon' : 'later';
}
