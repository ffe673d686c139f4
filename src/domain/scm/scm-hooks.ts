import { z } from 'zod';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { freshBytes } from '#kernel/crypto/random.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const HOOK_KEY_BYTES = 16;
const SECRET_BYTES = 32;
const OLD_VALID_MS = 24 * 3_600_000;

export type HookOwner = { deployment: string } & ({ config: string } | { app: string });
export interface HookRef {
  deployment: string;
  id: string;
}

const StoredHook = z.object({
  id: z.string(),
  key: z.string(),
  config_id: z.string().optional(),
  app_id: z.string().optional(),
  is_active: z.boolean(),
  is_per_repository: z.boolean(),
  version: z.int(),
  host_hook_id: z.string().optional(),
});
export type StoredHook = z.output<typeof StoredHook>;

const columns = sql`id, key, config_id, app_id, is_active, is_per_repository, version, host_hook_id`;

const ownedBy = (owner: HookOwner) =>
  sql`scm_hook.deployment_id = ${owner.deployment} and ${
    'config' in owner ? sql`scm_hook.config_id = ${owner.config}` : sql`scm_hook.app_id = ${owner.app}`
  }`;

export const hookUrl = (baseUrl: string, key: string): string => `${baseUrl}/hooks/scm/${key}`;

export const makeHookSecret = (): Secret => new Secret(freshBytes(SECRET_BYTES).toString('base64url'));
export const makeHookKey = (): string => freshBytes(HOOK_KEY_BYTES).toString('base64url');

type SecretColumn = 'sealed_secret' | 'sealed_next_secret' | 'sealed_old_secret';
const locationOf = ({ deployment, id }: HookRef, column: SecretColumn) => ({
  ...{ deployment, table: 'scm_hook', column, row: id },
});

export const findHook = (tx: Tx, owner: HookOwner): Promise<StoredHook | undefined> =>
  tx.one(StoredHook)`select ${columns} from scm_hook where ${ownedBy(owner)}`;

/** Inserts a hook that is not active yet. Its secret is bound to its row, so that it is stored second. */
export async function insertHook(
  tx: Tx,
  keys: KeyRing,
  owner: HookOwner,
  { key, secret }: { key: string; secret: Secret },
): Promise<HookRef> {
  const { deployment } = owner;
  const row = await tx.one(RowId)`
    insert into scm_hook (deployment_id, key, config_id, app_id, sealed_secret)
    values (${deployment}, ${key}, ${'config' in owner ? owner.config : null}, ${'app' in owner ? owner.app : null}, '')
    returning id`;
  const ref = { deployment, id: returnedId(row) };
  await setHookSecret(tx, keys, ref, secret);
  return ref;
}

export async function setHookSecret(tx: Tx, keys: KeyRing, ref: HookRef, secret: Secret): Promise<void> {
  const sealed = await sealSecret(tx, keys, locationOf(ref, 'sealed_secret'), secret);
  await tx.run`
    update scm_hook set sealed_secret = ${sealed}
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

export async function activateHook(
  tx: Tx,
  { deployment, id }: HookRef,
  { hostHookId, isPerRepository }: { hostHookId: string | undefined; isPerRepository: boolean },
): Promise<void> {
  await tx.run`
    update scm_hook set is_active = true, is_per_repository = ${isPerRepository}, host_hook_id = ${hostHookId ?? null}
    where deployment_id = ${deployment} and id = ${id}`;
}

export const deleteHook = (tx: Tx, { deployment, id }: HookRef): Promise<number> =>
  tx.run`delete from scm_hook where deployment_id = ${deployment} and id = ${id}`;

/** Begins a rotation: from now on both secrets are valid. One that was begun before is given up. */
export async function beginRotation(tx: Tx, keys: KeyRing, ref: HookRef, next: Secret): Promise<void> {
  const sealed = await sealSecret(tx, keys, locationOf(ref, 'sealed_next_secret'), next);
  await tx.run`
    update scm_hook set sealed_next_secret = ${sealed} where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

/** Ends a rotation: the next secret becomes the current one, and the old one is valid for another day. */
export async function endRotation(tx: Tx, keys: KeyRing, ref: HookRef, { next, at }: { next: Secret; at: Date }) {
  const current = await openHookSecret(tx, keys, ref);
  if (!current) return;
  const sealed = await sealSecret(tx, keys, locationOf(ref, 'sealed_secret'), next);
  const old = await sealSecret(tx, keys, locationOf(ref, 'sealed_old_secret'), current);
  await tx.run`
    update scm_hook set sealed_secret = ${sealed}, sealed_next_secret = null, sealed_old_secret = ${old},
      old_valid_until = ${new Date(at.getTime() + OLD_VALID_MS)}, version = version + 1
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

/** Gives a rotation up: only the current secret stays valid. */
export const dropRotation = (tx: Tx, { deployment, id }: HookRef): Promise<number> =>
  tx.run`update scm_hook set sealed_next_secret = null where deployment_id = ${deployment} and id = ${id}`;

const Sealed = z.object({
  secret: z.string(),
  next: z.string().optional(),
  old: z.string().optional(),
});

const findSealed = (tx: Tx, { deployment, id }: HookRef, at: Date) =>
  tx.one(Sealed)`
    select sealed_secret as secret, sealed_next_secret as next,
      case when old_valid_until > ${at} then sealed_old_secret end as old
    from scm_hook where deployment_id = ${deployment} and id = ${id}`;

export async function openHookSecret(tx: Tx, keys: KeyRing, ref: HookRef): Promise<Secret | undefined> {
  const row = await findSealed(tx, ref, new Date(0));
  return row && openSecret(tx, keys, locationOf(ref, 'sealed_secret'), row.secret);
}

/** All secrets that a delivery may be signed with. */
export async function listHookSecrets(tx: Tx, keys: KeyRing, ref: HookRef, at: Date): Promise<Secret[]> {
  const row = await findSealed(tx, ref, at);
  if (!row) return [];
  const open = (column: SecretColumn, sealed: string | undefined) =>
    sealed === undefined ? [] : [openSecret(tx, keys, locationOf(ref, column), sealed)];
  return Promise.all([
    ...open('sealed_secret', row.secret),
    ...open('sealed_next_secret', row.next),
    ...open('sealed_old_secret', row.old),
  ]);
}

const HookPlace = z.object({ deployment_id: z.string(), id: z.string() });

/** The hook that an address names. Runs as the role that identifies callers. */
export async function findHookByKey(tx: Tx, key: string): Promise<HookRef | undefined> {
  const row = await tx.one(HookPlace)`select deployment_id, id from scm_hook where key = ${key}`;
  return row && { deployment: row.deployment_id, id: row.id };
}

const HookHost = StoredHook.extend({ provider: z.string() });
export type HookHost = z.output<typeof HookHost>;

/** A hook with the provider whose deliveries it takes. */
export const findHookById = (tx: Tx, { deployment, id }: HookRef): Promise<HookHost | undefined> =>
  tx.one(HookHost)`
    select scm_hook.id, scm_hook.key, scm_hook.config_id, scm_hook.app_id, scm_hook.is_active,
      scm_hook.is_per_repository,
      scm_hook.version, scm_hook.host_hook_id, coalesce(config.provider, app.provider) as provider
    from scm_hook
      left join scm_config as config
        on config.deployment_id = scm_hook.deployment_id and config.id = scm_hook.config_id
      left join scm_app as app on app.deployment_id = scm_hook.deployment_id and app.id = scm_hook.app_id
    where scm_hook.deployment_id = ${deployment} and scm_hook.id = ${id}`;
