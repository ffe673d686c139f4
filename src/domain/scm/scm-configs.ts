import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { HostCheck } from './hosts/code-host.ts';
import { SCM_PROVIDERS, type ScmProvider, type TokenScopes } from './hosts/host-shape.ts';

export interface ConfigRef {
  deployment: string;
  id: string;
}

export const StoredScmConfig = z.object({
  id: z.string(),
  provider: z.enum(SCM_PROVIDERS),
  base_url: z.string(),
  namespace: z.string(),
  namespace_kind: z.enum(['org', 'user']),
  namespace_id: z.string(),
  source_id: z.string(),
  app_id: z.string().optional(),
  installation_id: z.string().optional(),
  is_suspended: z.boolean(),
  has_token: z.boolean(),
  token_expires_at: timestamp().optional(),
  host_account_id: z.string(),
  host_account: z.string(),
  scopes: z.array(z.string()),
  is_ok: z.boolean(),
  checked_at: timestamp().optional(),
  error: z.string(),
  is_auto_scan: z.boolean(),
  is_diff_scan: z.boolean(),
  synced_at: timestamp().optional(),
  repository_count: z.int(),
});
export type StoredScmConfig = z.output<typeof StoredScmConfig>;

export const configColumns = sql`config.id, config.provider, config.base_url, config.namespace, config.namespace_kind,
  config.namespace_id, config.source_id, config.app_id, config.installation_id, config.is_suspended,
  config.sealed_token is not null as has_token, config.token_expires_at, config.host_account_id, config.host_account,
  config.scopes, config.is_ok, config.checked_at, config.error, config.is_auto_scan, config.is_diff_scan,
  config.synced_at, (select count(*)::integer from scm_repository
    where scm_repository.deployment_id = config.deployment_id and scm_repository.config_id = config.id
      and scm_repository.gone_at is null) as repository_count`;

export const findConfig = (tx: Tx, { deployment, id }: ConfigRef): Promise<StoredScmConfig | undefined> =>
  tx.one(StoredScmConfig)`
    select ${configColumns} from scm_config as config where deployment_id = ${deployment} and id = ${id}`;

export const lockConfig = (tx: Tx, { deployment, id }: ConfigRef): Promise<StoredScmConfig | undefined> =>
  tx.one(StoredScmConfig)`
    select ${configColumns} from scm_config as config where deployment_id = ${deployment} and id = ${id}
    for no key update`;

export async function countConfigs(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from scm_config where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

export interface ConfigKey {
  provider: ScmProvider;
  baseUrl: string;
  namespace: string;
}

export async function findConfigByKey(tx: Tx, deployment: string, key: ConfigKey): Promise<string | undefined> {
  const row = await tx.one(RowId)`
    select id from scm_config
    where deployment_id = ${deployment} and provider = ${key.provider} and base_url = ${key.baseUrl}
      and namespace_key = ${nameKey(key.namespace)}`;
  return row?.id;
}

export interface NewScmConfig extends ConfigKey {
  kind: 'org' | 'user';
  sourceId: string;
  app?: string | undefined;
  isAutoScan: boolean;
  isDiffScan: boolean;
}

/** Inserts a configuration. The caller has locked their number, and knows that there is none of this key. */
export async function insertConfig(tx: Tx, deployment: string, made: NewScmConfig): Promise<ConfigRef> {
  const row = await tx.one(RowId)`
    insert into scm_config (deployment_id, provider, base_url, namespace, namespace_key, namespace_kind, source_id,
      app_id, is_auto_scan, is_diff_scan)
    values (${deployment}, ${made.provider}, ${made.baseUrl}, ${made.namespace}, ${nameKey(made.namespace)},
      ${made.kind}, ${made.sourceId}, ${made.app ?? null}, ${made.isAutoScan}, ${made.isDiffScan})
    returning id`;
  return { deployment, id: returnedId(row) };
}

const tokenOf = ({ deployment, id }: ConfigRef) => ({
  ...{ deployment, table: 'scm_config', column: 'sealed_token', row: id },
});

export async function setConfigToken(tx: Tx, keys: KeyRing, ref: ConfigRef, token: Secret): Promise<void> {
  const sealed = await sealSecret(tx, keys, tokenOf(ref), token);
  await tx.run`
    update scm_config set sealed_token = ${sealed}, expiry_told_days = null
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

const Sealed = z.object({ sealed: z.string().optional() });

export async function findConfigToken(tx: Tx, keys: KeyRing, ref: ConfigRef): Promise<Secret | undefined> {
  const row = await tx.one(Sealed)`
    select sealed_token as sealed from scm_config where deployment_id = ${ref.deployment} and id = ${ref.id}`;
  return row?.sealed === undefined ? undefined : openSecret(tx, keys, tokenOf(ref), row.sealed);
}

export const scopeNames = (scopes: TokenScopes): string[] =>
  Object.entries(scopes).flatMap(([name, has]) => (has ? [name] : []));

/** Stores what the host said about a credential. */
export async function recordCheck(tx: Tx, { deployment, id }: ConfigRef, check: HostCheck, at: Date): Promise<void> {
  const { account, namespace, scopes, tokenExpiresAt, installation } = check;
  const error = installation?.isSuspended === true ? 'The installation of the app is suspended.' : '';
  await tx.run`
    update scm_config set is_ok = ${error === ''}, error = ${error}, checked_at = ${at},
      host_account_id = ${account.id}, host_account = ${account.login}, namespace_id = ${namespace.id},
      namespace_kind = ${namespace.kind}, scopes = ${scopeNames(scopes)}::text[],
      token_expires_at = ${tokenExpiresAt ?? null}, installation_id = ${installation?.id ?? null},
      is_suspended = ${installation?.isSuspended ?? false}
    where deployment_id = ${deployment} and id = ${id}`;
}

/** Stores why the host could not be asked, or what it refused. Scopes and account stay as they were last known. */
export async function recordFailedCheck(
  tx: Tx,
  { deployment, id }: ConfigRef,
  { error, at, isGone }: { error: string; at: Date; isGone: boolean },
): Promise<void> {
  await tx.run`
    update scm_config set is_ok = false, error = ${error.slice(0, 1000)}, checked_at = ${at},
      installation_id = case when ${isGone}::boolean and app_id is not null then null else installation_id end
    where deployment_id = ${deployment} and id = ${id}`;
}

export async function updateConfig(
  tx: Tx,
  { deployment, id }: ConfigRef,
  settings: { namespace: string; isAutoScan: boolean; isDiffScan: boolean },
): Promise<void> {
  await tx.run`
    update scm_config set namespace = ${settings.namespace}, namespace_key = ${nameKey(settings.namespace)},
      is_auto_scan = ${settings.isAutoScan}, is_diff_scan = ${settings.isDiffScan}
    where deployment_id = ${deployment} and id = ${id}`;
}

/** Deletes a configuration with its repositories. Their projects stay. */
export const deleteConfig = (tx: Tx, { deployment, id }: ConfigRef): Promise<number> =>
  tx.run`delete from scm_config where deployment_id = ${deployment} and id = ${id}`;
