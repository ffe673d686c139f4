import { z } from 'zod';
import { PackageEcosystem } from '#domain/dependencies/shape.ts';
import { sealSecret } from '#domain/deployments/secrets.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { keyVersionOf } from '#kernel/crypto/keys/envelope.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import {
  AdditionalPackageConfig,
  type PackageManagerConfig,
  type PackageManagerWithCredentials,
  RegistryType,
} from './contract.ts';
import type { PackageManagerSettings } from './rules.ts';

export interface PackageManagerRef {
  deployment: string;
  id: string;
}

const ConfigRow = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  requiresAuth: z.boolean(),
  ecosystem: PackageEcosystem,
  useNetworkBroker: z.boolean(),
  additionalConfig: AdditionalPackageConfig,
  registryType: RegistryType,
  sealed: z.string(),
});
type ConfigRow = z.output<typeof ConfigRow>;

const columns = sql`
  id, name, url, requires_auth as "requiresAuth", ecosystem, use_network_broker as "useNetworkBroker",
  additional_config as "additionalConfig", registry_type as "registryType", sealed_credential as sealed`;

export interface FoundPackageManager {
  config: PackageManagerConfig;
  settings: PackageManagerSettings;
  hasCredential: boolean;
}

function foundOf(deployment: string, { id, sealed, ...settings }: ConfigRow): FoundPackageManager {
  const ids = { id: id as Id<'PackageManagerConfig'>, deploymentId: deployment as Id<'Deployment'> };
  return { config: { ...ids, ...settings }, settings, hasCredential: sealed !== '' };
}

export async function listPackageManagers(tx: Tx, deployment: string): Promise<PackageManagerWithCredentials[]> {
  const rows = await tx.all(ConfigRow)`
    select ${columns} from package_manager_config where deployment_id = ${deployment} order by id`;
  return rows.map((row) => ({
    config: foundOf(deployment, row).config,
    credentials: { nonce: '', ciphertext: '', tag: '', keyVersion: `${keyVersionOf(row.sealed) ?? ''}` },
  }));
}

export async function countPackageManagers(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(z.object({ count: z.int() }))`
    select count(*)::integer as count from package_manager_config where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

/** Locks the row, so that of two changes each sees what the other has left. */
export async function findPackageManager(
  tx: Tx,
  { deployment, id }: PackageManagerRef,
  isLocked = false,
): Promise<FoundPackageManager | undefined> {
  const row = await tx.one(ConfigRow)`
    select ${columns} from package_manager_config
    where deployment_id = ${deployment} and id = ${id} ${isLocked ? sql`for update` : sql``}`;
  return row && foundOf(deployment, row);
}

export async function insertPackageManager(
  tx: Tx,
  deployment: string,
  settings: PackageManagerSettings,
): Promise<string> {
  const row = await tx.one(z.object({ id: z.string() }))`
    insert into package_manager_config (
      deployment_id, name, url, requires_auth, ecosystem, use_network_broker, additional_config, registry_type
    )
    values (
      ${deployment}, ${settings.name}, ${settings.url}, ${settings.requiresAuth}, ${settings.ecosystem},
      ${settings.useNetworkBroker}, ${JSON.stringify(settings.additionalConfig)}, ${settings.registryType}
    )
    returning id`;
  if (!row) throw new Error('A package manager was not inserted.');
  return row.id;
}

export const updatePackageManager = (
  tx: Tx,
  { deployment, id }: PackageManagerRef,
  settings: PackageManagerSettings,
): Promise<number> =>
  tx.run`
    update package_manager_config
    set name = ${settings.name}, url = ${settings.url}, requires_auth = ${settings.requiresAuth},
        ecosystem = ${settings.ecosystem}, use_network_broker = ${settings.useNetworkBroker},
        additional_config = ${JSON.stringify(settings.additionalConfig)}, registry_type = ${settings.registryType}
    where deployment_id = ${deployment} and id = ${id}`;

export async function setPackageCredential(
  tx: Tx,
  keys: KeyRing,
  { deployment, id }: PackageManagerRef,
  credential: string,
): Promise<void> {
  const location = { deployment, table: 'package_manager_config', column: 'sealed_credential', row: id };
  const sealed = await sealSecret(tx, keys, location, new Secret(credential));
  await tx.run`
    update package_manager_config set sealed_credential = ${sealed}
    where deployment_id = ${deployment} and id = ${id}`;
}

export const removePackageManager = (tx: Tx, { deployment, id }: PackageManagerRef): Promise<number> =>
  tx.run`delete from package_manager_config where deployment_id = ${deployment} and id = ${id}`;
