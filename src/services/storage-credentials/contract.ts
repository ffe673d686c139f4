import { z } from 'zod';
import { StorageCredential } from '#domain/storage/storage-shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, name } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';

export const MAX_STORAGE_CREDENTIALS = 20;

export const STORAGE_QUOTA = fault(
  'STORAGE_QUOTA',
  409,
  'A deployment can have at most {most} storage credentials.',
  'Delete credentials that no automation uses.',
);
export const STORAGE_URL_REFUSED = fault(
  'STORAGE_URL_REFUSED',
  400,
  'This server does not call the endpoint.',
  'Use https on port 443 or 8443; the operator can allow other targets.',
);

const base = '/api/notifications/deployments/{deploymentId}/storage_credentials';
const path = { deploymentId: deployment() };
const facts = { maturity: 'experimental', credential: 'user', isExtension: true } as const;

export const listStorageCredentials = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'List storage credentials',
  description: 'Secrets are never shown.',
  allow: 'credential:read',
  path,
  reply: { credentials: z.array(StorageCredential) },
});

export const createStorageCredential = operation({
  ...facts,
  route: `POST ${base}`,
  summary: 'Create a storage credential',
  description:
    'For buckets of Amazon S3 and what speaks its protocol. Actions of type ACTION_TYPE_S3 and rules with CHANNEL_S3 ' +
    'name it by its slug. The key needs only s3:PutObject. Without `endpoint` it is that of Amazon in the region.',
  allow: 'credential:manage',
  path,
  body: {
    name: name(),
    endpoint: webUrl().optional(),
    region: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'expected a region, such as eu-central-1' }),
    accessKeyId: z.string().regex(/^\w{1,128}$/, { error: 'expected an access key id' }),
    secretAccessKey: z.string().regex(/^[!-~]{1,256}$/, { error: 'expected a secret access key' }),
  },
  reply: { credential: StorageCredential },
  faults: [STORAGE_QUOTA, STORAGE_URL_REFUSED],
});

export const deleteStorageCredential = operation({
  ...facts,
  route: `DELETE ${base}/{storageCredentialId}`,
  summary: 'Delete a storage credential',
  description: 'Automations that use it are paused, and named in the reply; what waits is cancelled.',
  allow: 'credential:manage',
  path: { ...path, storageCredentialId: id('StorageCredential') },
  reply: { pausedAutomations: z.array(z.object({ id: id('Automation'), name: z.string() })) },
});
