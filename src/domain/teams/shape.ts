import { z } from 'zod';
import { count, id, oneOf } from '#kernel/contract/proto-fields.ts';

export const TeamRoleName = oneOf(['TEAM_ROLE_MEMBER', 'TEAM_ROLE_MANAGER', 'TEAM_ROLE_READONLY']);

/** A team as a caller sees it. */
export const Team = z.object({
  id: id('Team'),
  deploymentId: id('Deployment'),
  name: z.string(),
  slug: z.string(),
  /** 0 for a team without a parent. */
  parentTeamId: id('Team'),
  repositoryCount: count(),
  userCount: count(),
  childTeamCount: count(),
  isProjectDefault: z.boolean(),
  isUserDefault: z.boolean(),
  authorizedScopes: z.array(oneOf(['TEAM_SCOPE_UNSPECIFIED', 'TEAM_SCOPE_DIRECT_MEMBER', 'TEAM_SCOPE_MANAGE'])),
});
export type Team = z.output<typeof Team>;

export const TeamMember = z.object({ userId: id('User'), role: TeamRoleName });
export type TeamMember = z.output<typeof TeamMember>;

/** What the examples of the API description show. */
export const exampleIds = { Team: '7' };
