import { z } from 'zod';
import { ScmType } from '#domain/projects/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { ScmProvider, TokenScopes } from './hosts/host-shape.ts';

export const ScmApp = z.object({
  id: id('ScmApp'),
  slug: z.string(),
  appId: z.string(),
  scmType: ScmType,
  baseUrl: z.string(),
  requestId: z.string(),
  scmName: z.string(),
  codeAccess: z.boolean(),
  tenantId: z.string(),
});
export type ScmApp = z.output<typeof ScmApp>;

export const ScmStatus = z.object({ checked: timestamp().optional(), ok: z.boolean(), error: z.string() });
export type ScmStatus = z.output<typeof ScmStatus>;

export const ScmSubscription = z.object({ scmUrl: z.string(), events: z.array(z.string()) });
export type ScmSubscription = z.output<typeof ScmSubscription>;

export const GithubEntityType = oneOf(['GITHUB_ENTITY_TYPE_ORG', 'GITHUB_ENTITY_TYPE_USER']);

export const AutoScanSettings = z.object({ diffEnabled: z.boolean() });

export const ScmConfig = z.object({
  id: id('ScmConfig'),
  type: ScmType,
  provider: ScmProvider,
  namespace: z.string(),
  sourceId: z.string(),
  baseUrl: z.string(),
  app: ScmApp.optional(),
  status: ScmStatus,
  installed: z.boolean(),
  suspended: z.boolean(),
  githubEntityType: GithubEntityType.optional(),
  autoScan: z.boolean(),
  useNetworkBroker: z.boolean(),
  tokenScopes: TokenScopes,
  tokenExpiresAt: timestamp().optional(),
  subscriptions: z.array(ScmSubscription),
  lastSuccessfulSyncAt: timestamp().optional(),
  repositoryCount: z.int(),
  autoScanSettings: AutoScanSettings,
  hasAccessToken: z.boolean(),
  scmId: z.string(),
});
export type ScmConfig = z.output<typeof ScmConfig>;

export const SCM_UNAVAILABLE = fault(
  'SCM_UNAVAILABLE',
  502,
  'The code host could not be asked: {reason}',
  'Check the address and the state of the host, then try again.',
);
export const SCM_REFUSED = fault(
  'SCM_REFUSED',
  400,
  'The code host refuses it: {reason}',
  'Check the token, its permissions and the namespace at the host.',
);

/** What the examples of the API description show. */
export const exampleIds = {
  ScmConfig: '12',
  ScmSubscription: '12',
  ScmHook: 'q4Zp0mYt9sLw1xVb3nKc2A',
  ScmApp: '3',
  ScmAppRequest: '7.q4Zp0mYt9sLw1xVb3nKc2A',
};
