export const TOKEN_ROLES = [
  'TOKEN_ROLE_AGENT_CLI',
  'TOKEN_ROLE_READ_ONLY',
  'TOKEN_ROLE_MEMBER',
  'TOKEN_ROLE_WEBAPI',
] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** What a token may do, as it is asked for. */
export interface TokenAccess {
  role: TokenRole;
  webApi: boolean;
  scopes: string[];
}

export interface TokenPreset extends TokenAccess {
  id: 'ci' | 'read' | 'full';
  name: string;
  about: string;
}

export const TOKEN_PRESETS: readonly TokenPreset[] = [
  {
    id: 'ci',
    name: 'CI upload',
    about: 'Gets rules and brings results, nothing else: the one to put into CI.',
    role: 'TOKEN_ROLE_AGENT_CLI',
    webApi: false,
    scopes: [],
  },
  {
    id: 'read',
    name: 'Read only',
    about: 'Reads all findings, projects and reports: for dashboards and exports.',
    role: 'TOKEN_ROLE_READ_ONLY',
    webApi: true,
    scopes: [],
  },
  {
    id: 'full',
    name: 'Full API',
    about: 'Does what an administrator may do, as far as programs may: for integrations that you trust.',
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
  /** What stands in the way; empty where nothing does. */
  why: string;
}

/** What a token with these rights works with, by the rules of the server's door. */
export function tokenCapabilities({ role, webApi, scopes }: TokenAccess): TokenCapability[] {
  const limited = scopes.length > 0 ? 'limited scopes are not accepted' : '';
  const noApi = webApi ? '' : 'needs the Web API permission';
  const reads = role === 'TOKEN_ROLE_AGENT_CLI' ? 'the role only scans' : '';
  const changes = role === 'TOKEN_ROLE_READ_ONLY' ? 'the role only reads' : reads;
  const manages = role === 'TOKEN_ROLE_MEMBER' ? 'the role triages, but changes no settings' : changes;
  const use = (what: string, ...reasons: string[]): TokenCapability => {
    const why = reasons.find((reason) => reason !== '') ?? '';
    return { what, isAllowed: why === '', why };
  };
  return [
    use('CI scans and uploads', limited, role === 'TOKEN_ROLE_READ_ONLY' ? 'the role only reads' : ''),
    use('reading by the API', limited, noApi, reads),
    use('triage by the API', limited, noApi, changes),
    use('settings by the API', limited, noApi, manages),
    use('tokens, sign-in and partner credentials', 'needs a signed-in person'),
  ];
}

/** The scopes in a text of words, each once. */
export const parseScopes = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((scope) => scope !== '')),
];

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

export const expiryDate = (days: number, now: Date): string => new Date(now.getTime() + days * DAY_MS).toISOString();

/** Whether a token has ended, ends within two weeks, or neither. */
export function expiryStatus(expiresAt: string, now: Date): 'over' | 'soon' | 'later' {
  const left = new Date(expiresAt).getTime() - now.getTime();
  if (left <= 0) return 'over';
  return left <= SOON_DAYS * DAY_MS ? 'soon' : 'later';
}
