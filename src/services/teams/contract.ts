import { z } from 'zod';
import { Team, TeamMember, TeamRoleName } from '#domain/teams/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, cursor, deployment, id, limit, name, oneOf } from '#kernel/contract/proto-fields.ts';

export const MAX_TEAM_LIST_ENTRIES = 500;
export const MAX_TEAMS = 1000;
export const MAX_TEAM_DEPTH = 3;

export const TEAM_NAME_TAKEN = fault(
  'TEAM_NAME_TAKEN',
  409,
  'A team named {name} already exists at this level.',
  'Choose another name, or use the existing team.',
);
export const TEAM_HAS_CHILDREN = fault(
  'TEAM_HAS_CHILDREN',
  409,
  'The team has {count} sub-teams and cannot be deleted before them.',
  'Delete the sub-teams first.',
);
export const DEFAULT_TEAM = fault(
  'DEFAULT_TEAM',
  409,
  'The default team cannot be deleted.',
  'New people and projects join it; remove members from it to limit what they see.',
);
export const TEAM_QUOTA = fault(
  'TEAM_QUOTA',
  409,
  'A deployment can have at most {most} teams.',
  'Delete teams first.',
);
export const TEAM_CHANGE_REFUSED = fault(
  'TEAM_CHANGE_REFUSED',
  400,
  'The change to the team has {count}: {first}',
  'Correct each entry listed in `errors`; nothing was changed.',
);

export const TeamListAction = oneOf(['UPDATE_ACTION_ADD', 'UPDATE_ACTION_UPDATE', 'UPDATE_ACTION_REMOVE']);

export const TeamRepositoryChange = z.object({ repositoryId: id('Project'), action: TeamListAction.optional() });
export const TeamUserChange = z.object({
  userId: id('User'),
  action: TeamListAction.optional(),
  role: TeamRoleName.optional(),
});

export const TeamChange = z.object({
  name: name().optional(),
  repositories: z.array(TeamRepositoryChange).max(MAX_TEAM_LIST_ENTRIES).optional(),
  users: z.array(TeamUserChange).max(MAX_TEAM_LIST_ENTRIES).optional(),
});

export const NewTeam = z.object({
  name: name(),
  repositoryIds: z.array(id('Project')).max(MAX_TEAM_LIST_ENTRIES).optional(),
  users: z
    .array(z.object({ userId: id('User'), role: TeamRoleName.optional() }))
    .max(MAX_TEAM_LIST_ENTRIES)
    .optional(),
  parentTeamId: id('Team').optional(),
});

const base = '/api/permissions/v2/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const teamPath = { ...path, teamId: id('Team') };
const paged = { limit: limit(), cursor: cursor() };

export const checkRbacStatus = operation({
  route: `GET ${base}/status`,
  summary: 'Get whether teams control access',
  maturity: 'beta',
  allow: 'team:read',
  path,
  reply: { deploymentId: id('Deployment'), enabled: z.boolean(), selfServeEnabled: z.boolean() },
});

export const createDeploymentTeam = operation({
  route: `POST ${base}/teams`,
  summary: 'Create a team',
  description: 'Teams nest up to three levels. Names are unique among the teams of one parent, ignoring case.',
  maturity: 'beta',
  allow: 'team:manage',
  isStrict: true,
  path,
  body: { team: NewTeam },
  reply: { team: Team },
  faults: [TEAM_NAME_TAKEN, TEAM_QUOTA, TEAM_CHANGE_REFUSED],
});

export const listDeploymentTeams = operation({
  route: `POST ${base}/teams/list`,
  summary: 'List deployment teams',
  description: 'Ordered by name. `filter.name` is an exact match, ignoring case.',
  maturity: 'beta',
  allow: 'team:read',
  path,
  body: { ...paged, filter: z.object({ name: z.string().max(512).optional() }).optional() },
  reply: { teams: z.array(Team), cursor: cursor() },
});

export const getDeploymentTeam = operation({
  route: `GET ${base}/teams/{teamId}`,
  summary: 'Get a team',
  maturity: 'beta',
  allow: 'team:read',
  path: teamPath,
  reply: { team: Team },
  isVersioned: true,
});

export const updateDeploymentTeam = operation({
  route: `PATCH ${base}/teams/{teamId}`,
  summary: 'Update a deployment RBAC team',
  description:
    'A list whose entries have no `action` replaces the whole list, so an empty list clears it; if all entries have ' +
    'an `action`, they are applied to the current list. An absent list is not changed. The change is atomic.',
  maturity: 'beta',
  allow: 'team:manage',
  isStrict: true,
  path: teamPath,
  body: { team: TeamChange },
  reply: { team: Team },
  faults: [TEAM_NAME_TAKEN, TEAM_CHANGE_REFUSED],
  isVersioned: true,
});

export const deleteDeploymentTeam = operation({
  route: `DELETE ${base}/teams/{teamId}`,
  summary: 'Delete a team',
  maturity: 'beta',
  allow: 'team:manage',
  path: teamPath,
  reply: {},
  faults: [TEAM_HAS_CHILDREN, DEFAULT_TEAM],
});

const listed = { deploymentId: id('Deployment'), teamId: id('Team'), limit: count(), cursor: cursor() };

export const listTeamUsers = operation({
  route: `GET ${base}/teams/{teamId}/members`,
  summary: 'List the members of a team',
  maturity: 'beta',
  allow: 'team:read',
  path: teamPath,
  query: paged,
  reply: { ...listed, users: z.array(TeamMember) },
});

export const listTeamRepos = operation({
  route: `GET ${base}/teams/{teamId}/repos`,
  summary: "List an RBAC team's repositories",
  maturity: 'beta',
  allow: 'team:read',
  path: teamPath,
  query: paged,
  reply: { ...listed, repositoryIds: z.array(id('Project')) },
});

export const listTeamChildTeams = operation({
  route: `GET ${base}/teams/{teamId}/teams`,
  summary: 'List the sub-teams of a team',
  maturity: 'experimental',
  allow: 'team:read',
  path: teamPath,
  query: paged,
  reply: { ...listed, childTeamIds: z.array(id('Team')) },
});

export const AccessReason = z.object({
  kind: oneOf(['ROLE', 'TEAM', 'PARENT_TEAM', 'RBAC_OFF']),
  teamId: id('Team').optional(),
  teamName: z.string().optional(),
  teamRole: TeamRoleName.optional(),
  text: z.string(),
});

export const explainAccess = operation({
  route: `GET ${base}/access`,
  summary: 'Explain why a person sees a project',
  description:
    'Each entry of `chain` is one reason; without any the person does not see the project. `permissions` are the ' +
    'permissions of the person on the project.',
  maturity: 'experimental',
  allow: 'audit:read',
  isExtension: true,
  path,
  query: { userId: id('User'), projectId: id('Project') },
  reply: { isVisible: z.boolean(), role: z.string(), chain: z.array(AccessReason), permissions: z.array(z.string()) },
});
