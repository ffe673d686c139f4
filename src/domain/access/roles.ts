/**
 * Roles and their permissions: the one page that a security reviewer reads.
 * A permission is `noun:verb`. Each operation names the one it needs; a test compares this table with all operations.
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
  'TOKEN_ROLE_SCIM',
] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

const READ = [
  'automation:read',
  'checklist:read',
  'deployment:read',
  // Exports only what the caller may read anyway, but creates a task, so it is not a `:read` permission.
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
/** Changes to the caller's own state, which nobody else sees. */
const OWN = ['notification:update'] as const;
/** Everyday work: it changes neither permissions nor policies. */
const WORK = ['issue:triage', 'issue:report', 'scan:write', 'survey:submit', 'support:create', 'support:read'] as const;
const MANAGE = [
  'audit:read',
  'automation:manage',
  'checklist:manage',
  'credential:read',
  'credential:manage',
  // What automations sent, with findings of all projects.
  'delivery:read',
  'deployment:manage',
  'invitation:read',
  'policy:manage',
  'product:manage',
  'project:manage',
  'sso:read',
  'sso:manage',
  // For identity providers, whose tokens have no other permission.
  'scim:read',
  'scim:manage',
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
  // For a vendor's staff acting as a user. This product has no such staff, so the role has no permissions.
  ORG_ROLE_IMPERSONATOR: [],
  ORG_ROLE_READONLY: [...READ, ...OWN],
};

/** A scanner fetches its rules and uploads its results, and may do nothing else. */
const SCANNER: readonly PermissionName[] = ['scan:read', 'scan:write'];

/** An identity provider provisions people and groups, and may do nothing else. */
const PROVISIONER: readonly PermissionName[] = ['scim:read', 'scim:manage'];

/**
 * A token has the role it was given, whoever created it. The roles of scanners and identity providers exist only for
 * tokens.
 */
const TOKENS: Record<TokenRole, OrgRole | 'TOKEN_ROLE_AGENT_CLI' | 'TOKEN_ROLE_SCIM'> = {
  TOKEN_ROLE_WEBAPI: 'ORG_ROLE_ADMIN',
  TOKEN_ROLE_MEMBER: 'ORG_ROLE_MEMBER',
  TOKEN_ROLE_AGENT_CLI: 'TOKEN_ROLE_AGENT_CLI',
  TOKEN_ROLE_READ_ONLY: 'ORG_ROLE_READONLY',
  TOKEN_ROLE_SCIM: 'TOKEN_ROLE_SCIM',
};

/** The permissions of a team role, on that team and on the teams below it. */
const TEAMS: Record<TeamRole, readonly PermissionName[]> = {
  TEAM_ROLE_MANAGER: ['team:manage'],
  TEAM_ROLE_MEMBER: [],
  TEAM_ROLE_READONLY: [],
};

/** Roles in ascending order: nobody can grant a role above their own. */
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
  ['TOKEN_ROLE_SCIM', new Set(PROVISIONER)],
]);

export const permissionsOf = (role: string): ReadonlySet<string> => byRole.get(role) ?? none;

export const orgRoleOfToken = (role: string): string => (isIn(TOKEN_ROLES, role) ? TOKENS[role] : '');

export const teamPermissionsOf = (role: string): ReadonlySet<string> =>
  isIn(TEAM_ROLES, role) ? new Set(TEAMS[role]) : none;

/** Administrators see all projects; others see the projects of their teams. */
export const seesEverything = (role: string): boolean => role === 'ORG_ROLE_ADMIN';

export const canGrant = (granter: string, role: string): boolean =>
  isIn(ORG_ROLES, granter) && isIn(ORG_ROLES, role) && RANK[granter] >= RANK[role];

/** All permissions, for the tests that iterate over the table. */
export const PERMISSIONS: readonly PermissionName[] = [...READ, ...OWN, ...WORK, ...MANAGE];
