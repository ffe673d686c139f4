/**
 * Who may do what: the one page a security reviewer reads.
 * A permission is `noun:verb`; operations name the one they need, and a test holds this table against them all.
 */

export const ORG_ROLES = ['ORG_ROLE_ADMIN', 'ORG_ROLE_MEMBER', 'ORG_ROLE_IMPERSONATOR', 'ORG_ROLE_READONLY'] as const;
export type OrgRole = (typeof ORG_ROLES)[number];

export const TEAM_ROLES = ['TEAM_ROLE_MEMBER', 'TEAM_ROLE_MANAGER', 'TEAM_ROLE_READONLY'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

export const TOKEN_ROLES = [
  'TOKEN_ROLE_AGENT_CLI',
  'TOKEN_ROLE_WEBAPI',
  'TOKEN_ROLE_MEMBER',
  'TOKEN_ROLE_READ_ONLY',
] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

const READ = [
  'automation:read',
  'checklist:read',
  'deployment:read',
  // Makes a file of what its reader may see anyway; it leaves a task behind, so it is no `:read`.
  'export:create',
  'issue:read',
  'notification:read',
  'policy:read',
  'product:read',
  'project:read',
  'report:read',
  'scan:read',
  'tag:read',
  'team:read',
  'user:read',
] as const;
/** What a person keeps for themselves: nobody else sees a change of it. */
const OWN = ['notification:update'] as const;
/** What everybody who works here does: none of it changes who may do what, or what is looked for. */
const WORK = ['issue:triage', 'issue:report', 'scan:write', 'survey:submit', 'support:create', 'support:read'] as const;
const MANAGE = [
  'audit:read',
  'automation:manage',
  'checklist:manage',
  'credential:read',
  'credential:manage',
  'deployment:manage',
  'policy:manage',
  'product:manage',
  'project:manage',
  'sso:read',
  'sso:manage',
  'system:read',
  'tag:manage',
  'team:manage',
  'token:read',
  'token:manage',
  'user:manage',
] as const;

export type PermissionName =
  | (typeof READ)[number]
  | (typeof OWN)[number]
  | (typeof WORK)[number]
  | (typeof MANAGE)[number];

const ROLES: Record<OrgRole, readonly PermissionName[]> = {
  ORG_ROLE_ADMIN: [...READ, ...OWN, ...WORK, ...MANAGE],
  ORG_ROLE_MEMBER: [...READ, ...OWN, ...WORK],
  // Staff of a vendor who looks through somebody's eyes: this product has none, so the role may do nothing.
  ORG_ROLE_IMPERSONATOR: [],
  ORG_ROLE_READONLY: [...READ, ...OWN],
};

/** A scanner asks for its rules and brings its results, and may do nothing else. */
const SCANNER: readonly PermissionName[] = ['scan:read', 'scan:write'];

/** A token acts as the role it was given, whoever made it; that of a scanner is no role that people have. */
const TOKENS: Record<TokenRole, OrgRole | 'TOKEN_ROLE_AGENT_CLI'> = {
  TOKEN_ROLE_WEBAPI: 'ORG_ROLE_ADMIN',
  TOKEN_ROLE_MEMBER: 'ORG_ROLE_MEMBER',
  TOKEN_ROLE_AGENT_CLI: 'TOKEN_ROLE_AGENT_CLI',
  TOKEN_ROLE_READ_ONLY: 'ORG_ROLE_READONLY',
};

/** What a team's role gives on that team and on the teams below it. */
const TEAMS: Record<TeamRole, readonly PermissionName[]> = {
  TEAM_ROLE_MANAGER: ['team:manage'],
  TEAM_ROLE_MEMBER: [],
  TEAM_ROLE_READONLY: [],
};

/** From least to most: nobody gives away more than they have. */
const RANK: Record<OrgRole, number> = {
  ORG_ROLE_IMPERSONATOR: 0,
  ORG_ROLE_READONLY: 1,
  ORG_ROLE_MEMBER: 2,
  ORG_ROLE_ADMIN: 3,
};

const isIn = <Name extends string>(names: readonly Name[], text: string): text is Name =>
  (names as readonly string[]).includes(text);

const none: ReadonlySet<string> = new Set();
const byRole = new Map<string, ReadonlySet<string>>([
  ...ORG_ROLES.map((role) => [role, new Set(ROLES[role])] as const),
  ['TOKEN_ROLE_AGENT_CLI', new Set(SCANNER)],
]);

export const permissionsOf = (role: string): ReadonlySet<string> => byRole.get(role) ?? none;

export const orgRoleOfToken = (role: string): string => (isIn(TOKEN_ROLES, role) ? TOKENS[role] : '');

export const teamPermissionsOf = (role: string): ReadonlySet<string> =>
  isIn(TEAM_ROLES, role) ? new Set(TEAMS[role]) : none;

/** Administrators are not bound to teams; everybody else sees what their teams see. */
export const seesEverything = (role: string): boolean => role === 'ORG_ROLE_ADMIN';

export const canGrant = (granter: string, role: string): boolean =>
  isIn(ORG_ROLES, granter) && isIn(ORG_ROLES, role) && RANK[granter] >= RANK[role];

/** Every permission there is, for the tests that walk the table. */
export const PERMISSIONS: readonly PermissionName[] = [...READ, ...OWN, ...WORK, ...MANAGE];
