import { z } from 'zod';
import { LAST_ADMINISTRATOR } from '#domain/accounts/shape.ts';
import { DEPLOYMENTS_RESTRICTED, Deployment, OrgRoleName } from '#domain/deployments/shape.ts';
import { INVITATION_QUOTA } from '#domain/invitations/shape.ts';
import { INVALID_CURSOR, NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { cursor, deployment, id, name, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { DeploymentUser } from './user-shape.ts';

export const DEPLOYMENT_QUOTA = fault(
  'DEPLOYMENT_QUOTA',
  409,
  'A person can create at most {most} deployments.',
  'Use one of your deployments, or ask somebody else to create one and invite you.',
);
export const ROLE_ABOVE_OWN = fault(
  'ROLE_ABOVE_OWN',
  403,
  'The role {role} is above yours.',
  'Nobody can grant or revoke a role above their own: ask somebody who has it.',
);
export const ALREADY_MEMBER = fault(
  'ALREADY_MEMBER',
  409,
  '{email} already belongs to this deployment.',
  'Change the role with PATCH …/users/{userId}/roles.',
);

/** A deployment in the legacy format: snake case, ids as numbers. */
export const PlainDeployment = z.object({
  id: plain.id('Deployment'),
  name: z.string(),
  display_name: z.string(),
  slug: z.string(),
  source_type: z.string(),
  has_autofix: z.boolean(),
  has_deepscan: z.boolean(),
  has_triage_via_comment: z.boolean(),
  has_dependency_query: z.boolean(),
  default_user_role: z.string(),
  features: z.array(z.object({ name: z.string(), expires_at: timestamp().optional() })),
  organization_id: plain.id('Deployment'),
  scm_name: z.string(),
});

const base = '/api/agent/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const userPath = { ...path, userId: id('User') };
const repeated = { deploymentId: id('Deployment').optional() };
const experimental = { maturity: 'experimental' } as const;

export const getDeploymentByToken = operation({
  ...experimental,
  route: 'GET /api/agent/deployment',
  summary: 'Get the deployment of the credential',
  description: 'For an API token its own deployment, for a user the one they joined first.',
  allow: 'self',
  reply: { deployment: PlainDeployment },
  faults: [NOT_FOUND],
});

export const createDeployment = operation({
  ...experimental,
  route: 'POST /api/agent/deployments',
  summary: 'Create deployment',
  description:
    'You become its first administrator. The slug is made from the name; a taken one gets a number. Only ' +
    'administrators of the server can create deployments, unless the operator allows everybody a number of them.',
  allow: 'self',
  credential: 'user',
  body: { deploymentName: name() },
  reply: { deployment: Deployment },
  faults: [DEPLOYMENTS_RESTRICTED, DEPLOYMENT_QUOTA],
});

export const getDeployment = operation({
  ...experimental,
  route: `GET ${base}`,
  summary: 'Get a deployment',
  allow: 'deployment:read',
  path,
  reply: { deployment: PlainDeployment },
  isVersioned: true,
});

export const updateDeployment = operation({
  ...experimental,
  route: `PATCH ${base}`,
  summary: 'Change a deployment',
  description: 'Absent members are unchanged. The name and the slug cannot be changed.',
  allow: 'deployment:manage',
  isStrict: true,
  path,
  body: { ...repeated, displayName: name().optional(), defaultUserRole: OrgRoleName.optional() },
  reply: { deployment: Deployment },
  faults: [ROLE_ABOVE_OWN],
  isVersioned: true,
});

export const getDeploymentAuthorizedActions = operation({
  ...experimental,
  route: `GET ${base}/authorized_actions`,
  summary: 'List your permissions in a deployment',
  description: 'The permissions of your role; see the reference of permissions.',
  allow: 'deployment:read',
  credential: 'user',
  path,
  reply: { authorized_actions: z.array(z.string()) },
});

export const getDeploymentDefaultUserRole = operation({
  ...experimental,
  route: `GET ${base}/default_user_role`,
  summary: 'Get the default role of new users',
  allow: 'deployment:read',
  path,
  reply: { defaultUserRole: OrgRoleName },
});

export const getDeploymentGitHubAppStatus = operation({
  ...experimental,
  route: `GET ${base}/github_app_status`,
  summary: 'Get whether a GitHub app is connected',
  allow: 'deployment:read',
  path,
  query: { withCodeAccess: z.boolean().optional() },
  reply: { github_app_status: z.boolean() },
});

const toggle = { ...experimental, allow: 'deployment:manage', path, isVersioned: true } as const;

export const updateDeploymentHasDeepscan = operation({
  ...toggle,
  route: `POST ${base}/has_deepscan`,
  summary: 'Switch deep scans on or off',
  body: { ...repeated, has_deepscan: z.boolean() },
  reply: { has_deepscan: z.boolean() },
});

export const updateDeploymentHasDependencyQuery = operation({
  ...toggle,
  route: `POST ${base}/has_dependency_query`,
  summary: 'Switch the search for dependencies on or off',
  body: { ...repeated, hasDependencyQuery: z.boolean() },
  reply: { hasDependencyQuery: z.boolean() },
});

export const updateDeploymentHasTriageViaComment = operation({
  ...toggle,
  route: `POST ${base}/has_triage_via_comment`,
  summary: 'Switch triage by review comments on or off',
  body: { ...repeated, hasTriageViaComment: z.boolean() },
  reply: { hasTriageViaComment: z.boolean() },
});

export const sendDeploymentToggleFeedback = operation({
  ...experimental,
  route: `POST ${base}/products/feedback`,
  summary: 'Send feedback about switching a product on or off',
  allow: 'survey:submit',
  path,
  body: { ...repeated, featureAction: name(200), feedback: z.string().max(3000) },
  reply: {},
});

const usersQuery = { pruneGithub: z.boolean().optional(), showActive: z.boolean().optional() };

export const getDeploymentUsers = operation({
  ...experimental,
  route: `GET ${base}/users`,
  summary: 'List all users of a deployment',
  description:
    'In order of their names; use `POST …/users/list` for pages. `showActive` omits accounts that cannot sign in. ' +
    'The groups of a user are the teams that you can see.',
  allow: 'user:read',
  path,
  query: usersQuery,
  reply: { users: z.array(DeploymentUser) },
});

export const addDeploymentUser = operation({
  ...experimental,
  route: `POST ${base}/users`,
  summary: 'Add a user to a deployment',
  description:
    'Invites the person: they become a member when they accept the link that is mailed to them. If the server sends ' +
    'no mail, `invitationLink` is the link. The role is by default the default role of the deployment. Without ' +
    '`email`, nothing changes.',
  allow: 'user:manage',
  credential: 'user',
  isStrict: true,
  path,
  body: { ...repeated, email: z.email().max(320).optional(), name: name().optional(), role: OrgRoleName.optional() },
  reply: { deployment: Deployment, invitationLink: z.string().optional() },
  faults: [ALREADY_MEMBER, INVITATION_QUOTA, ROLE_ABOVE_OWN],
});

export const USER_SORTS = ['name', '-name', 'email', '-email', 'since', '-since'] as const;

export const listDeploymentUsers = operation({
  ...experimental,
  route: `POST ${base}/users/list`,
  summary: 'List users of a deployment in pages',
  description:
    '`query` searches names and e-mail addresses, ignoring case. A minus before `sortBy` reverses the order.',
  allow: 'user:read',
  path,
  body: {
    ...repeated,
    options: z
      .object({
        pageToken: cursor(),
        pageSize: plain.pageSize({ fallback: 100, min: 1, max: 1000 }),
        sortBy: oneOf(USER_SORTS).optional(),
      })
      .optional(),
    filters: z
      .object({
        query: z.string().max(320).optional(),
        ...usersQuery,
        filterMembers: oneOf(['MEMBER_FILTER_TYPE_ADMIN_ONLY', 'MEMBER_FILTER_TYPE_NON_ADMIN_ONLY']).optional(),
        memberIds: z.array(id('User')).max(1000).optional(),
      })
      .optional(),
  },
  reply: { users: z.array(DeploymentUser), pageToken: cursor() },
  faults: [INVALID_CURSOR],
});

export const removeDeploymentUser = operation({
  ...experimental,
  route: `DELETE ${base}/users/{userId}`,
  summary: 'Remove a user from a deployment',
  description:
    'They lose all access from the next request on; their account and their other deployments are kept. Their ' +
    'sessions end unless `keepSessions` is true. The API tokens that they created are revoked unless `keepTokens` is ' +
    'true: then they become yours. Invitations that they sent, and tokens and logins of their command lines, end.',
  allow: 'user:manage',
  credential: 'user',
  isStrict: true,
  path: userPath,
  query: { keepTokens: z.boolean().optional(), keepSessions: z.boolean().optional() },
  reply: { deployment: Deployment },
  faults: [LAST_ADMINISTRATOR, ROLE_ABOVE_OWN],
});

export const patchDeploymentUser = operation({
  ...experimental,
  route: `PATCH ${base}/users/{userId}/roles`,
  summary: 'Change the role of a user',
  description: 'Effective from the next request. The last administrator cannot be demoted.',
  allow: 'user:manage',
  isStrict: true,
  path: userPath,
  body: { ...repeated, userId: id('User').optional(), newRole: OrgRoleName },
  reply: {},
  faults: [LAST_ADMINISTRATOR, ROLE_ABOVE_OWN],
});
