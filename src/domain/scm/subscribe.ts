import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import type { HookSettings, HookTarget } from './hosts/code-host.ts';
import { converse } from './hosts/host-call.ts';
import { HostFailure } from './hosts/host-failure.ts';
import { type OpenConfig, openConfig, type ScmServices, type ScmTransaction } from './open-host.ts';
import type { ConfigRef } from './scm-configs.ts';
import * as hooks from './scm-hooks.ts';

const HookedRepository = z.object({
  host: z.string(),
  external_id: z.string(),
  name: z.string(),
  host_hook_id: z.string().optional(),
});
type HookedRepository = z.output<typeof HookedRepository>;

/** Repositories that do not have the current secret of the hook, those of which it is known first. */
const listToHook = (tx: Tx, { deployment, id }: ConfigRef, limit: number) =>
  tx.all(HookedRepository)`
    select repository.host, repository.external_id, repository.name, repository.host_hook_id
    from scm_repository as repository join scm_hook as hook
      on hook.deployment_id = repository.deployment_id and hook.config_id = repository.config_id
    where repository.deployment_id = ${deployment} and repository.config_id = ${id}
      and repository.gone_at is null and not repository.is_archived
      and repository.hook_version <> hook.version and repository.hook_version <> -hook.version
    order by repository.hook_version desc, repository.external_id limit ${limit}`;

const targetOf = ({ external_id: id, name }: HookedRepository): HookTarget => ({ kind: 'repository', id, name });

async function settingsOf(
  transaction: ScmTransaction,
  { keys, baseUrl }: ScmServices,
  { deployment, hook }: { deployment: string; hook: hooks.StoredHook },
): Promise<HookSettings> {
  const secret = await transaction((tx) => hooks.openHookSecret(tx, keys, { deployment, id: hook.id }));
  if (!secret) throw new HostFailure('gone', 'The webhook was deleted.');
  return { url: hooks.hookUrl(baseUrl, hook.key), secret, isTlsVerified: true };
}

/** Stores that a repository has the hook, or, as a negative version, that its host refuses to have it. */
const recordHooked = (
  transaction: ScmTransaction,
  { deployment, repository, version }: { deployment: string; repository: HookedRepository; version: number },
  hostHookId: string | undefined,
) =>
  transaction(
    (tx) => tx.run`
      update scm_repository set host_hook_id = coalesce(${hostHookId ?? null}, host_hook_id),
        hook_version = ${hostHookId === undefined ? -version : version}
      where deployment_id = ${deployment} and host = ${repository.host}
        and external_id = ${repository.external_id}`,
  );

const isRefusal = (error: unknown): error is HostFailure =>
  error instanceof HostFailure && (error.kind === 'refused' || error.kind === 'gone');

/** Gives repositories the hook, at most so many; how many were tried. The first refusal is thrown if asked for. */
async function hookRepositories(
  transaction: ScmTransaction,
  services: ScmServices,
  {
    ref,
    open,
    hook,
    most,
    isStrict,
  }: {
    ref: ConfigRef;
    open: OpenConfig;
    hook: hooks.StoredHook;
    most: number;
    isStrict: boolean;
  },
): Promise<number> {
  const { deployment } = ref;
  const settings = await settingsOf(transaction, services, { deployment, hook });
  const repositories = await transaction((tx) => listToHook(tx, ref, most));
  for (const repository of repositories) {
    const at = { deployment, repository, version: hook.version };
    try {
      const exchange = open.host.putHook(targetOf(repository), settings, repository.host_hook_id);
      await recordHooked(transaction, at, await converse(open.access, exchange));
    } catch (error) {
      if (!isRefusal(error) || isStrict) throw error;
      await recordHooked(transaction, at, undefined);
    }
  }
  return repositories.length;
}

const BATCH = 50;

/** Gives all repositories of a configuration the current hook, if its host has none for the whole namespace. */
export async function hookAllRepositories(
  transaction: ScmTransaction,
  services: ScmServices,
  ref: ConfigRef,
  signal?: AbortSignal,
): Promise<void> {
  const hook = await transaction((tx) => hooks.findHook(tx, { deployment: ref.deployment, config: ref.id }));
  if (!hook?.is_active || !hook.is_per_repository) return;
  const open = await openConfig(transaction, services, ref);
  if (!open) return;
  const order = { ref, open, hook, most: BATCH, isStrict: false };
  while (signal?.aborted !== true && (await hookRepositories(transaction, services, order)) > 0);
}

export type SubscribeResult = 'subscribed' | 'already' | 'gone';

/**
 * Registers a webhook at the host: one for the namespace, or where the host has none, one in each repository. If the
 * host refuses, nothing stays here. `commit` stores the end of it, with the audit record.
 */
export async function subscribe(
  transaction: ScmTransaction,
  services: ScmServices,
  ref: ConfigRef,
  commit: ScmTransaction = transaction,
): Promise<SubscribeResult> {
  const { deployment, id: config } = ref;
  const open = await openConfig(transaction, services, ref);
  if (!open) return 'gone';
  if (open.config.app_id !== undefined && !open.config.has_token) return 'already';
  const hook = await transaction(async (tx) => {
    const before = await hooks.findHook(tx, { deployment, config });
    if (before) return before;
    const made = { key: hooks.makeHookKey(), secret: hooks.makeHookSecret() };
    await hooks.insertHook(tx, services.keys, { deployment, config }, made);
    return hooks.findHook(tx, { deployment, config });
  });
  if (!hook) return 'gone';
  if (hook.is_active) return 'already';
  const hookRef = { deployment, id: hook.id };
  try {
    const hostHookId = await hookNamespace(transaction, services, open, { deployment, hook });
    const isPerRepository = hostHookId === undefined;
    // The first repository tells whether the credential suffices; a job does the others.
    if (isPerRepository) await hookRepositories(transaction, services, { ref, open, hook, most: 1, isStrict: true });
    await commit((tx) => hooks.activateHook(tx, hookRef, { hostHookId, isPerRepository }));
    return 'subscribed';
  } catch (error) {
    // An answer that was lost may have had an effect: the address is kept, so that the next attempt finds it.
    const isRefused = isRefusal(error) || (error instanceof HostFailure && error.kind === 'revoked');
    if (isRefused) await transaction((tx) => hooks.deleteHook(tx, hookRef));
    throw error;
  }
}

/** The id of a webhook for the whole namespace; undefined if the host has none, or not for us. */
async function hookNamespace(
  transaction: ScmTransaction,
  services: ScmServices,
  { host, access, namespace }: OpenConfig,
  order: { deployment: string; hook: hooks.StoredHook },
): Promise<string | undefined> {
  if (!host.canHookNamespace(namespace)) return undefined;
  const settings = await settingsOf(transaction, services, order);
  try {
    return await converse(access, host.putHook({ kind: 'namespace', namespace }, settings));
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Removes the webhook at the host as far as it lets us, and here. False if the host could not be told. */
export async function unsubscribe(
  transaction: ScmTransaction,
  services: ScmServices,
  ref: ConfigRef,
): Promise<boolean> {
  const { deployment, id: config } = ref;
  const hook = await transaction((tx) => hooks.findHook(tx, { deployment, config }));
  if (!hook) return true;
  let isTold = true;
  try {
    await deleteAtHost(transaction, services, ref, hook);
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    isTold = false;
  }
  await transaction(async (tx) => {
    await tx.run`
      update scm_repository set host_hook_id = null, hook_version = 0
      where deployment_id = ${deployment} and config_id = ${config} and hook_version <> 0`;
    await hooks.deleteHook(tx, { deployment, id: hook.id });
  });
  return isTold;
}

const MAX_DELETED = 200;

async function deleteAtHost(
  transaction: ScmTransaction,
  services: ScmServices,
  ref: ConfigRef,
  hook: hooks.StoredHook,
): Promise<void> {
  const open = await openConfig(transaction, services, ref);
  if (!open) return;
  const { host, access, namespace } = open;
  if (hook.host_hook_id !== undefined)
    await converse(access, host.deleteHook({ kind: 'namespace', namespace }, hook.host_hook_id));
  if (!hook.is_per_repository) return;
  const repositories = await transaction(
    (tx) => tx.all(HookedRepository)`
      select host, external_id, name, host_hook_id from scm_repository
      where deployment_id = ${ref.deployment} and config_id = ${ref.id} and host_hook_id is not null
      order by external_id limit ${MAX_DELETED}`,
  );
  for (const repository of repositories)
    if (repository.host_hook_id !== undefined)
      await converse(access, host.deleteHook(targetOf(repository), repository.host_hook_id));
}

/** Replaces the secret. Deliveries signed with either one are accepted meanwhile; false if the host refuses. */
export async function rotateSecret(
  transaction: ScmTransaction,
  services: ScmServices,
  { ref, at }: { ref: ConfigRef; at: Date },
): Promise<boolean | undefined> {
  const { deployment, id: config } = ref;
  const hook = await transaction((tx) => hooks.findHook(tx, { deployment, config }));
  if (!hook?.is_active) return undefined;
  const hookRef = { deployment, id: hook.id };
  const next = hooks.makeHookSecret();
  await transaction((tx) => hooks.beginRotation(tx, services.keys, hookRef, next));
  try {
    const open = await openConfig(transaction, services, ref);
    if (!open) return undefined;
    // Hooks of repositories get the new secret from a job, within the day in which the old one is valid.
    if (!hook.is_per_repository) {
      const settings = { url: hooks.hookUrl(services.baseUrl, hook.key), secret: next, isTlsVerified: true };
      const target: HookTarget = { kind: 'namespace', namespace: open.namespace };
      const hostHookId = await converse(open.access, open.host.putHook(target, settings, hook.host_hook_id));
      await transaction((tx) => hooks.activateHook(tx, hookRef, { hostHookId, isPerRepository: false }));
    }
    await transaction((tx) => hooks.endRotation(tx, services.keys, hookRef, { next, at }));
    return true;
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    // It may have been changed although the answer was lost: then both stay valid until the next rotation.
    if (error.kind !== 'unclear') await transaction((tx) => hooks.dropRotation(tx, hookRef));
    return false;
  }
}
