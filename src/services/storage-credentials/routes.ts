import { deleteDestinationsByKey } from '#domain/automations/deliveries/destination-store.ts';
import { pauseDependents } from '#domain/automations/store.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import { S3_DESTINATION } from '#domain/storage/s3-adapter.ts';
import * as store from '#domain/storage/storage-credentials.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

/** StorageCredentialsService: credentials for the buckets that automations write to. */
export const storageCredentials = group(
  'StorageCredentialsService',
  contract,
  {
    listStorageCredentials: async ({ path, tx }) => ({
      credentials: await store.listCredentials(tx, path.deploymentId),
    }),

    createStorageCredential: async ({ path, body, tx, services, answer }) => {
      const deployment = path.deploymentId;
      const { name, region, accessKeyId, endpoint = `https://s3.${region}.amazonaws.com` } = body;
      if (!services.egress.accepts(endpoint)) throw contract.STORAGE_URL_REFUSED();
      await lockLimit(tx, { deployment, limit: 'storage-credentials' });
      if ((await store.listCredentials(tx, deployment)).length >= contract.MAX_STORAGE_CREDENTIALS)
        throw contract.STORAGE_QUOTA({ most: contract.MAX_STORAGE_CREDENTIALS });
      const secret = new Secret(body.secretAccessKey);
      const settings = { name: name.trim(), endpoint: new URL(endpoint).origin, region, accessKeyId, secret };
      const made = await store.insertCredential(tx, services.keys, deployment, settings);
      answer.recordEffect({ object: `storage-credential/${made.id}`, after: made });
      return { credential: made };
    },

    deleteStorageCredential: async ({ path, tx, caller, now, answer }) => {
      const { deploymentId: deployment, storageCredentialId: id } = path;
      const before = await store.findCredential(tx, { deployment, id });
      if (!before || (await store.removeCredential(tx, { deployment, id })) === 0) throw NOT_FOUND();
      const by = actorOf(caller);
      const paused = await pauseDependents(tx, deployment, {
        ...{ actions: ['ACTION_TYPE_S3'], keys: ['credential_slug'], values: [before.slug], by },
        reason: `The storage credential ${before.name} was deleted.`,
      });
      const keyPrefix = `{"credential":"${id}",`;
      await deleteDestinationsByKey(tx, { deployment, kind: S3_DESTINATION, keyPrefix }, { by, at: now });
      answer.recordEffect({ object: `storage-credential/${id}`, before });
      return { pausedAutomations: paused.map((one) => ({ id: one.id as Id<'Automation'>, name: one.name })) };
    },
  },
  {
    objects: {
      storageCredentialId: async (tx, { deployment, id }) =>
        (await store.findCredential(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
