import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const OrgRoleName = oneOf(['ORG_ROLE_ADMIN', 'ORG_ROLE_MEMBER', 'ORG_ROLE_IMPERSONATOR', 'ORG_ROLE_READONLY']);

export const DEPLOYMENTS_RESTRICTED = fault(
  'DEPLOYMENTS_RESTRICTED',
  403,
  'Only administrators of this server can create deployments.',
  'Ask one of them to create a deployment and invite you.',
);

export const DeploymentFeatures = z.object({
  featureFlags: z.array(z.object({ name: z.string(), expiresAt: timestamp().optional() })),
  hasAutofix: z.boolean(),
  hasDeepscan: z.boolean(),
  hasTriageViaComment: z.boolean(),
  hasDependencyQuery: z.boolean(),
  defaultUserRole: OrgRoleName,
  editorServiceVersion: z.string(),
  noscanDisabled: z.boolean(),
});

/** A deployment as the API returns it. */
export const Deployment = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  slug: z.string(),
  sourceType: z.string(),
  organizationId: z.string(),
  features: DeploymentFeatures,
});
export type Deployment = z.output<typeof Deployment>;

/** What the examples of the API description show. */
export const exampleIds = { Deployment: '1', LeavableDeployment: '1', DeploymentName: 'Acme' };
