import { z } from 'zod';
import type {
  DeliveryMessage,
  DeliveryOutcome,
  DestinationAdapter,
  ResolvedDestination,
} from '#domain/automations/deliveries/destination-adapter.ts';
import { retryAfterMs } from '#domain/automations/deliveries/retry-schedule.ts';
import { findingEvents } from '#domain/automations/webhooks/finding-event.ts';
import { splitBodies } from '#domain/automations/webhooks/split-bodies.ts';
import { TEST_BODY } from '#domain/automations/webhooks/test-body.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import { encodedSegment, signedHeaders } from './sign-request.ts';
import { findCredential, findStorageSecret, listCredentials } from './storage-credentials.ts';
import type { StorageCredential } from './storage-shape.ts';

export type StorageServices = Pick<Services, 'egress' | 'keys' | 'version'> & { readonly baseUrl: string };

export const S3_DESTINATION = 's3';
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 2048;

/** What the key of a destination names. */
const Target = z.object({ credential: z.string(), bucket: z.string(), prefix: z.string() });
type Target = z.output<typeof Target>;

/** Buckets as Amazon names them; nothing that would change the path. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

async function resolve(
  tx: Tx,
  deployment: string,
  { bucket = '', credential_slug: slug, prefix = '' }: Readonly<Record<string, string>>,
): Promise<ResolvedDestination> {
  const credential = (await listCredentials(tx, deployment)).find((one) => one.slug === slug);
  if (!credential) return { skip: 'The storage credential does not exist any more.' };
  if (!BUCKET.test(bucket)) return { skip: `"${bucket}" is not the name of a bucket.` };
  const key = JSON.stringify({ credential: credential.id, bucket, prefix });
  const name = `s3://${bucket}/${prefix}`;
  const row = await tx.one(RowId)`
    insert into destination (deployment_id, kind, key, name) values (${deployment}, ${S3_DESTINATION}, ${key}, ${name})
    on conflict (deployment_id, kind, key) do update set name = excluded.name returning id`;
  return { destination: returnedId(row) };
}

/** The address of an object. A repeated message has the same one, so that it replaces itself. */
export function objectUrl(endpoint: string, { bucket, prefix }: Pick<Target, 'bucket' | 'prefix'>, name: string): URL {
  const folders = prefix.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const path = [bucket, ...folders, name].map(encodedSegment).join('/');
  return new URL(`/${path}`, endpoint);
}

const REFUSALS = /AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket|AllAccessDisabled/;

interface Bucket extends Target {
  deployment: string;
  storage: StorageCredential;
  secret: Secret;
}

async function put(
  { egress, version }: StorageServices,
  { deployment, storage, secret, ...target }: Bucket,
  { id, body, at }: DeliveryMessage,
): Promise<DeliveryOutcome> {
  const url = objectUrl(storage.endpoint, target, `${id}.json`);
  const headers = { 'content-type': 'application/json', 'user-agent': `Parapet/${version}` };
  const key = { accessKeyId: storage.accessKeyId, secret, region: storage.region, service: 's3' };
  const signed = signedHeaders({ method: 'PUT', url, headers: {}, body, at }, key);
  try {
    const reply = await egress.request({
      ...{ url: url.href, method: 'PUT', headers: { ...headers, ...signed }, body },
      ...{ tenant: deployment, timeoutMs: TIMEOUT_MS },
    });
    const { status } = reply;
    const answer = reply.body.subarray(0, MAX_ANSWER_BYTES).toString('utf8');
    if (status >= 200 && status < 300) return { kind: 'sent', status, reference: url.pathname };
    const [code] = REFUSALS.exec(answer) ?? [];
    const detail = `The storage answered ${status}${code === undefined ? '' : ` ${code}`}.`;
    if (code !== undefined || status === 401) return { kind: 'disabled', status, answer, detail };
    const pause = retryAfterMs(reply.headers['retry-after'], at);
    return { kind: 'failed', status, answer, detail, ...(pause !== undefined && { retryAfterMs: pause }) };
  } catch (error) {
    if (error instanceof EgressFailure) return { kind: 'failed', detail: error.message };
    throw error;
  }
}

const Key = z.object({ key: z.string() });

/** Buckets of S3 and what speaks its protocol: one object for each part of a delivery. */
export function s3Adapter(services: StorageServices): DestinationAdapter {
  return {
    kind: S3_DESTINATION,
    audience: 'machines',
    actions: ['ACTION_TYPE_S3'],

    resolve: (tx, deployment, { config }) => resolve(tx, deployment, config),

    compose: async (tx, { deployment, subject, findings }) =>
      splitBodies(await findingEvents(tx, { deployment, subject, baseUrl: services.baseUrl }, findings)),

    testBody: async () => TEST_BODY,

    connect: async (tx, { deployment, id }) => {
      const row = await tx.one(Key)`
        select key from destination where deployment_id = ${deployment} and id = ${id}`;
      const target = Target.parse(JSON.parse(row?.key ?? 'null'));
      const ref = { deployment, id: target.credential };
      const storage = await findCredential(tx, ref);
      const secret = await findStorageSecret(tx, services.keys, ref);
      return async (message) =>
        storage && secret
          ? put(services, { ...target, deployment, storage, secret }, message)
          : { kind: 'disabled', detail: 'The storage credential does not exist any more.' };
    },
  };
}
