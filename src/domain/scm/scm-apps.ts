import { z } from 'zod';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ScmApp } from './scm-shape.ts';
import { typeOfHost } from './scm-types.ts';

export interface AppRef {
  deployment: string;
  id: string;
}

const StoredScmApp = z.object({
  id: z.string(),
  provider: z.enum(['github', 'azure_devops']),
  base_url: z.string(),
  namespace: z.string(),
  entity: z.enum(['org', 'user']),
  request_id: z.string(),
  requested_by: z.string(),
  requested_at: timestamp(),
  for_config_id: z.string().optional(),
  is_ready: z.boolean(),
  name: z.string(),
  slug: z.string(),
  host_app_id: z.string(),
  client_id: z.string(),
  tenant_id: z.string(),
});
export type StoredScmApp = z.output<typeof StoredScmApp>;

const columns = sql`id, provider, base_url, namespace, entity, request_id, requested_by, requested_at, for_config_id,
  is_ready, name, slug, host_app_id, client_id, tenant_id`;

export const listApps = (tx: Tx, deployment: string): Promise<StoredScmApp[]> =>
  tx.all(StoredScmApp)`
    select ${columns} from scm_app where deployment_id = ${deployment} and is_ready order by id`;

export const findApp = (tx: Tx, { deployment, id }: AppRef): Promise<StoredScmApp | undefined> =>
  tx.one(StoredScmApp)`select ${columns} from scm_app where deployment_id = ${deployment} and id = ${id}`;

export const findAppByRequest = (
  tx: Tx,
  { deployment, requestId }: { deployment: string; requestId: string },
): Promise<StoredScmApp | undefined> =>
  tx.one(StoredScmApp)`
    select ${columns} from scm_app where deployment_id = ${deployment} and request_id = ${requestId}`;

/** Apps and requests that have not been finished. */
export async function countApps(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from scm_app where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

export interface NewAppRequest {
  provider: StoredScmApp['provider'];
  baseUrl: string;
  namespace: string;
  entity: StoredScmApp['entity'];
  requestId: string;
  by: string;
  at: Date;
  config?: string | undefined;
  tenantId?: string | undefined;
  clientId?: string | undefined;
}

export async function insertAppRequest(tx: Tx, deployment: string, made: NewAppRequest): Promise<AppRef> {
  const row = await tx.one(RowId)`
    insert into scm_app (deployment_id, provider, base_url, namespace, entity, request_id, requested_by, requested_at,
      for_config_id, tenant_id, client_id)
    values (${deployment}, ${made.provider}, ${made.baseUrl}, ${made.namespace}, ${made.entity}, ${made.requestId},
      ${made.by}, ${made.at}, ${made.config ?? null}, ${made.tenantId ?? ''}, ${made.clientId ?? ''})
    returning id`;
  return { deployment, id: returnedId(row) };
}

const keyOf = ({ deployment, id }: AppRef) => ({
  ...{ deployment, table: 'scm_app', column: 'sealed_private_key', row: id },
});

export async function setAppKey(
  tx: Tx,
  keys: KeyRing,
  ref: AppRef,
  { privateKey, certificatePem }: { privateKey: Secret; certificatePem?: string },
): Promise<void> {
  const sealed = await sealSecret(tx, keys, keyOf(ref), privateKey);
  await tx.run`
    update scm_app set sealed_private_key = ${sealed}, certificate_pem = ${certificatePem ?? null}
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

export async function markAppReady(
  tx: Tx,
  { deployment, id }: AppRef,
  app: { appId: string; slug: string; name: string; clientId: string },
): Promise<void> {
  await tx.run`
    update scm_app set is_ready = true, host_app_id = ${app.appId}, slug = ${app.slug}, name = ${app.name},
      client_id = ${app.clientId}
    where deployment_id = ${deployment} and id = ${id}`;
}

const Sealed = z.object({ sealed: z.string().optional(), certificate_pem: z.string().optional() });

export interface AppKey {
  privateKey: Secret;
  certificatePem: string;
}

export async function findAppKey(tx: Tx, keys: KeyRing, ref: AppRef): Promise<AppKey | undefined> {
  const row = await tx.one(Sealed)`
    select sealed_private_key as sealed, certificate_pem from scm_app
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
  if (row?.sealed === undefined) return undefined;
  return {
    privateKey: await openSecret(tx, keys, keyOf(ref), row.sealed),
    certificatePem: row.certificate_pem ?? '',
  };
}

/** Deletes an app. Configurations that used it stay, without a credential. */
export const deleteApp = (tx: Tx, { deployment, id }: AppRef): Promise<number> =>
  tx.run`delete from scm_app where deployment_id = ${deployment} and id = ${id}`;

/** Requests that nobody finished. */
export const deleteOldRequests = (tx: Tx): Promise<number> =>
  tx.run`delete from scm_app where not is_ready and requested_at < now() - interval '7 days'`;

/** What people see of an app. */
export const shownApp = (app: StoredScmApp): ScmApp => ({
  id: app.id as Id<'ScmApp'>,
  slug: app.slug,
  appId: app.host_app_id,
  scmType: typeOfHost({ provider: app.provider, baseUrl: app.base_url }),
  baseUrl: app.base_url,
  requestId: app.request_id,
  scmName: app.name,
  codeAccess: app.is_ready,
  tenantId: app.tenant_id,
});
