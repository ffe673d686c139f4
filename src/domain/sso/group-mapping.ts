import { ORG_ROLES, type OrgRole } from '#domain/access/roles.ts';

/** What the members of a group at a provider get. */
export interface GroupRule {
  group: string;
  role?: OrgRole | undefined;
  teamIds: readonly string[];
}

/** The role of new members, unless a rule gives another. */
export const LEAST_ROLE: OrgRole = 'ORG_ROLE_READONLY';

/** From the strongest to the weakest. */
const RANKED: readonly OrgRole[] = ['ORG_ROLE_ADMIN', 'ORG_ROLE_MEMBER', 'ORG_ROLE_READONLY'];

/** The roles that a rule can give. */
export const MAPPABLE_ROLES = RANKED.filter((role) => ORG_ROLES.includes(role));

export interface MappedAccess {
  /** The strongest role of the rules that match; undefined if none gives a role. */
  role: OrgRole | undefined;
  teamIds: string[];
  /** The groups that a rule names. */
  matched: string[];
}

/** What the rules give somebody in these groups. Names of groups are compared exactly. */
export function mapGroups(rules: readonly GroupRule[], groups: readonly string[]): MappedAccess {
  const present = new Set(groups);
  const matching = rules.filter(({ group }) => present.has(group));
  const roles = new Set(matching.map(({ role }) => role));
  return {
    role: RANKED.find((role) => roles.has(role)),
    teamIds: [...new Set(matching.flatMap(({ teamIds }) => teamIds))],
    matched: matching.map(({ group }) => group),
  };
}

/**
 * The role after a sign-in. A rule that matches decides; a role that came from a rule ends with it; a role that was
 * given by hand stays; newcomers get the least role.
 */
export function roleAfterSignIn({
  mapped,
  current,
  previouslyMapped,
}: {
  mapped: OrgRole | undefined;
  current: string | undefined;
  previouslyMapped: string | undefined;
}): string {
  if (mapped !== undefined) return mapped;
  if (current === undefined) return LEAST_ROLE;
  return previouslyMapped !== undefined && previouslyMapped === current ? LEAST_ROLE : current;
}
