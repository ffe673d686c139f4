import { z } from 'zod';
import { GithubEntityType, SCM_REFUSED, SCM_UNAVAILABLE, ScmApp } from '#domain/scm/scm-shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';

export const MAX_SCM_APPS = 50;

export const SCM_APP_QUOTA = fault(
  'SCM_APP_QUOTA',
  409,
  'A deployment can have at most {most} apps at code hosts.',
  'Delete those that are not used any more; requests that nobody finished are deleted after a week.',
);
export const SCM_APP_REQUEST_REFUSED = fault(
  'SCM_APP_REQUEST_REFUSED',
  400,
  'The request was made by somebody else, or more than an hour ago.',
  'Start again, and finish it within an hour in the same session.',
);
export const SCM_APP_REFUSED = fault(
  'SCM_APP_REFUSED',
  400,
  'The app cannot be saved: {reason}',
  'Correct the members that the sentence names.',
);
export const AZURE_DEVOPS_UNSUPPORTED = fault(
  'AZURE_DEVOPS_UNSUPPORTED',
  400,
  'Azure DevOps cannot be connected yet.',
  'Scan its repositories in pipelines, or import their reports.',
);

const base = '/api/scm/deployments/{deploymentId}/scm_apps';
const path = { deploymentId: deployment() };
const appPath = { ...path, scmAppId: id('ScmApp') };
const facts = { maturity: 'experimental' } as const;
const managing = { ...facts, allow: 'credential:manage' } as const;
const byBody = { deployment: { bodyMember: 'deploymentId' } } as const;
const name = () => z.string().regex(/^[\w.-]{1,100}$/, { error: 'expected the name of an organization or user' });

/** `<deployment>.<128 random bits>` */
const requestId = () =>
  z.string().regex(/^[1-9]\d{0,18}\.[\w-]{22}$/, { error: 'expected the id that the request for the app gave' });

export const createAdoScmApp = operation({
  ...managing,
  ...byBody,
  route: 'POST /api/scm/ado_app',
  summary: 'Create an app for Azure DevOps',
  body: {
    deploymentId: id('Deployment'),
    baseUrl: webUrl().optional(),
    tenantId: z.string().max(100).optional(),
    clientId: z.string().max(100).optional(),
    organizationName: z.string().max(255).optional(),
    projectName: z.string().max(255).optional(),
  },
  reply: { scmAppId: id('ScmApp'), publicCertificatePem: z.string() },
  faults: [AZURE_DEVOPS_UNSUPPORTED],
});

export const completeAdoScmAppInstall = operation({
  ...managing,
  ...byBody,
  route: 'PUT /api/scm/ado_app_install',
  summary: 'Finish the app for Azure DevOps',
  body: { deploymentId: id('Deployment'), scmAppId: id('ScmApp').optional() },
  reply: { app: ScmApp },
  faults: [AZURE_DEVOPS_UNSUPPORTED],
});

export const createScmAppRequest = operation({
  ...managing,
  ...byBody,
  credential: 'user',
  route: 'POST /api/scm/app_request',
  summary: 'Start creating an app at GitHub',
  description:
    'The browser then posts `manifest` to `formUrl` at GitHub, with `requestId` as its `state`; it returns with a ' +
    '`code`. The request is valid for an hour, for the person who made it. `deploymentScmConfigId` names one ' +
    'connection of this namespace that will use the app instead of its token.',
  body: {
    deploymentId: id('Deployment'),
    deploymentScmConfigId: id('ScmConfig').optional(),
    baseUrl: webUrl().optional(),
    namespace: name(),
    githubEntityType: GithubEntityType.optional(),
  },
  reply: { requestId: z.string(), manifest: z.string(), formUrl: z.string() },
  faults: [NOT_FOUND, SCM_APP_QUOTA, SCM_APP_REFUSED],
});

export const completeScmAppRequest = operation({
  ...managing,
  deployment: { bodyMember: 'requestId', until: '.' },
  credential: 'user',
  transaction: 'manual',
  limitPolicy: 'check',
  route: 'PUT /api/scm/app_request_complete',
  summary: 'Finish creating an app at GitHub',
  description:
    'Exchanges `code` for the key of the app, which is stored sealed and never shown, and connects the namespace. A ' +
    'request that was finished answers with its app again.',
  body: { requestId: requestId(), code: z.string().regex(/^[\w-]{1,255}$/, { error: 'expected a code' }) },
  reply: { app: ScmApp },
  faults: [SCM_APP_REQUEST_REFUSED, SCM_REFUSED, SCM_UNAVAILABLE],
});

export const listScmApps = operation({
  ...facts,
  allow: 'credential:read',
  route: `GET ${base}`,
  summary: 'List apps at code hosts',
  path,
  reply: { apps: z.array(ScmApp) },
});

export const getGitHubAppStatus = operation({
  ...facts,
  allow: 'credential:read',
  credential: 'user',
  route: `GET ${base}/public_gha`,
  summary: 'Get whether an app of GitHub is installed',
  description: 'Answers from the apps of this deployment. Without `namespace` it is true if any of them is installed.',
  path,
  query: { namespace: z.string().max(255).optional() },
  reply: { deploymentId: id('Deployment'), namespace: z.string(), installed: z.boolean() },
});

export const getScmApp = operation({
  ...facts,
  allow: 'credential:read',
  credential: 'user',
  route: `GET ${base}/{requestId}`,
  summary: 'Get the app of a request',
  path: { ...path, requestId: requestId() },
  reply: { app: ScmApp },
  faults: [NOT_FOUND],
});

export const deleteScmApp = operation({
  ...managing,
  route: `DELETE ${base}/{scmAppId}`,
  summary: 'Delete an app',
  description:
    'Deletes its key and its webhook here. Connections that used it stay, without a credential. Delete the app at the ' +
    'host too: nobody else can.',
  path: appPath,
  reply: { deploymentId: id('Deployment'), scmAppId: id('ScmApp') },
});

export const addAdoScmProject = operation({
  ...managing,
  route: `POST ${base}/{scmAppId}/add_ado_project`,
  summary: 'Connect another project of Azure DevOps',
  path: appPath,
  body: {
    deploymentId: id('Deployment').optional(),
    scmAppId: id('ScmApp').optional(),
    organizationName: z.string().max(255).optional(),
    projectName: z.string().max(255).optional(),
  },
  reply: {},
  faults: [AZURE_DEVOPS_UNSUPPORTED],
});

export const rotateScmAppWebhookSecret = operation({
  ...managing,
  credential: 'user',
  transaction: 'manual',
  limitPolicy: 'check',
  route: `POST ${base}/{scmAppId}/rotate_webhook_secret`,
  summary: 'Replace the secret of the webhook of an app',
  description:
    'Deliveries that are signed with the old secret are accepted for another day. `success` is false if the host does ' +
    'not take the new one.',
  path: appPath,
  reply: { success: z.boolean() },
  faults: [NOT_FOUND],
});
