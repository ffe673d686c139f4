import { z } from 'zod';
import { OrgRoleName } from '#domain/deployments/shape.ts';
import { count, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const DeploymentUserGroupRole = oneOf([
  'ROLE_ADMINISTRATOR',
  'ROLE_MANAGER',
  'ROLE_DEVELOPER',
  'ROLE_READ_ONLY',
  'ROLE_NO_ACCESS',
]);

/** A team in the legacy format, which calls it a group. Its lists are always empty, its counts are not. */
export const DeploymentUserGroup = z.object({
  id: z.string(),
  deploymentId: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  repositoryIds: z.array(z.string()),
  users: z.array(z.object({ userId: z.string(), role: DeploymentUserGroupRole })),
  isDefault: z.boolean(),
  projectManagementType: oneOf(['PROJECT_MANAGEMENT_TYPE_UNMANAGED', 'PROJECT_MANAGEMENT_TYPE_ALL_PROJECTS']),
  parentGroupId: z.string(),
  childGroupIds: z.array(z.string()),
  repositoryCount: count(),
  userCount: count(),
  childGroupCount: count(),
});

export const DeploymentUser = z.object({
  id: z.string(),
  orgRole: OrgRoleName,
  authentication: z.array(z.string()),
  since: timestamp(),
  lastUpdatedAt: timestamp(),
  groups: z.array(z.object({ group: DeploymentUserGroup, role: DeploymentUserGroupRole })),
  name: z.string(),
  login: z.string(),
  email: z.string(),
  avatarUrl: z.string(),
  active: z.boolean(),
  scimManaged: z.boolean(),
});
