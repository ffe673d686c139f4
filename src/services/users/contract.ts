import { z } from 'zod';
import { LAST_ADMINISTRATOR } from '#domain/accounts/shape.ts';
import { Deployment } from '#domain/deployments/shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const EMAIL_NOT_AVAILABLE = fault(
  'EMAIL_NOT_AVAILABLE',
  400,
  '{email} is not one of your e-mail addresses.',
  'Choose one of `availableEmails` of your settings.',
);

export const TourState = oneOf(['TOUR_STATE_INCOMPLETE', 'TOUR_STATE_COMPLETE', 'TOUR_STATE_SKIPPED']);
export const TourId = oneOf([
  'TOUR_ID_AI_SCAN',
  'TOUR_ID_AUTOFIX_INTRO',
  'TOUR_ID_SCA_AUTOFIX_INTRO',
  'TOUR_ID_MULTIMODAL_BANNER',
  'TOUR_ID_COMBINED_FINDINGS',
  'TOUR_ID_WORKFLOWS_ACTIVATION',
]);
export const TourStates = z.array(z.object({ id: TourId, state: TourState }));

export const AuthorizedResource = z.object({
  sourceId: z.int(),
  name: z.string(),
  sourceType: oneOf(['simple', 'service', 'sso', 'github', 'gitlab']),
  deploymentId: z.int(),
  scmName: z.string(),
});

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  login: z.string(),
  authDetails: z.array(
    z.object({
      providerId: z.string(),
      providerType: z.string(),
      sourceId: z.string(),
      current: z.boolean(),
      expiresAt: timestamp(),
      authProviderId: z.string(),
    }),
  ),
  orgRole: z.string(),
  deletedAt: timestamp().optional(),
});

export const UserSettings = z.object({
  primaryEmail: z.string(),
  hasAcceptedToc: z.boolean(),
  subscribe: z.boolean(),
  contactAboutExperiments: z.boolean(),
  availableEmails: z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })),
  profilePhotoUrl: z.string(),
  hasCompletedFindingsTour: z.boolean(),
  hasCompletedSupplyChainTour: z.boolean(),
  findingsTourState: TourState,
  supplyChainTourState: TourState,
  supplyChainFindingsTourState: TourState,
  tourStates: TourStates,
});
export type UserSettings = z.output<typeof UserSettings>;

const self = { maturity: 'experimental', allow: 'self', credential: 'user' } as const;
const faults = [NOT_FOUND];
const selfQuery = { userId: z.string().max(20).optional() };

export const listUserAuthorizedResources = operation({
  ...self,
  route: 'GET /api/auth/authorized_resources',
  summary: 'List the deployments of the caller',
  reply: {
    current: z.array(AuthorizedResource),
    joinable: z.array(AuthorizedResource),
    scm: z.array(AuthorizedResource),
  },
});

export const getUser = operation({
  ...self,
  route: 'GET /api/auth/users/current',
  summary: 'Get your account',
  description: '`userId` may only be your own id; other people are not found.',
  query: selfQuery,
  faults,
  reply: { user: User },
});

export const listUserOrgs = operation({
  ...self,
  route: 'GET /api/auth/users/current/deployments',
  summary: 'List the deployments you belong to',
  query: selfQuery,
  faults,
  reply: { userId: z.string(), orgs: z.array(Deployment) },
});

export const listUserJoinableOrgs = operation({
  ...self,
  route: 'GET /api/auth/users/current/deployments/joinable',
  summary: 'List the deployments you may join',
  description: 'Deployments that have verified the domain of your e-mail address.',
  query: selfQuery,
  faults,
  reply: { userId: z.string(), orgs: z.array(Deployment) },
});

export const leaveDeployment = operation({
  ...self,
  route: 'DELETE /api/auth/users/current/deployments/{deploymentId}',
  summary: 'Leave a deployment',
  description:
    'You lose all access to it from the next request on. The API tokens that you created there are revoked. The last ' +
    'administrator cannot leave: make somebody else one first.',
  isExtension: true,
  path: { deploymentId: deployment() },
  reply: {},
  faults: [LAST_ADMINISTRATOR],
});

export const getUserSettings = operation({
  ...self,
  route: 'GET /api/auth/users/current/settings',
  summary: 'Get your settings',
  query: selfQuery,
  faults,
  reply: { settings: UserSettings },
});

export const patchUserSettings = operation({
  ...self,
  route: 'PATCH /api/auth/users/current/settings',
  summary: 'Change your settings',
  description: 'Absent members are not changed.',
  body: {
    ...selfQuery,
    primaryEmail: z.string().max(320).optional(),
    hasAcceptedToc: z.boolean().optional(),
    subscribe: z.boolean().optional(),
    contactAboutExperiments: z.boolean().optional(),
    usedCliLogin: z.boolean().optional(),
    hasCompletedFindingsTour: z.boolean().optional(),
    hasCompletedSupplyChainTour: z.boolean().optional(),
    findingsTourState: TourState.optional(),
    supplyChainTourState: TourState.optional(),
    supplyChainFindingsTourState: TourState.optional(),
    eventSource: oneOf([
      'Welcome',
      'Findings',
      'ExistingScaUserVulnsTour',
      'NewScaUserVulnsTour',
      'AccountSettingsPanel',
      'Vulns',
      'useOnboardingTaskData',
      'AiScanTour',
      'AutofixIntro',
      'ScaAutofixIntro',
      'MultimodalBanner',
      'CombinedFindings',
      'WorkflowsActivationBanner',
    ]).optional(),
    tourStates: TourStates.max(50).optional(),
  },
  reply: { user: User },
  faults: [EMAIL_NOT_AVAILABLE, NOT_FOUND],
});
