import { type CheckResult, recordResult, resultOf } from '#domain/scm/check-config.ts';
import { findHost } from '#domain/scm/hosts/all-hosts.ts';
import { HostFailure } from '#domain/scm/hosts/host-failure.ts';
import { showConfig } from '#domain/scm/list-configs.ts';
import { checkHost } from '#domain/scm/open-host.ts';
import * as configs from '#domain/scm/scm-configs.ts';
import { hookRepositoriesJob, syncScmConfig } from '#domain/scm/scm-jobs.ts';
import type { ScmConfig } from '#domain/scm/scm-shape.ts';
import { baseUrlOf, hostOfType } from '#domain/scm/scm-types.ts';
import { subscribe } from '#domain/scm/subscribe.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { enqueue } from '#kernel/jobs/job.ts';
import * as contract from './contract.ts';

type CreateCall = Call<typeof contract.createScmConfig>;

/** The host that a request means, if this server can and may call it. */
export function hostIn({ body, services }: Pick<CreateCall, 'body' | 'services'>): configs.ConfigKey {
  const { type, namespace } = body;
  const known = hostOfType(type);
  const provider = body.provider ?? known?.provider;
  if (known === undefined || provider !== known.provider || !findHost(provider))
    throw contract.SCM_TYPE_UNSUPPORTED({ type: body.provider ?? type });
  const given = body.baseUrl === undefined ? undefined : baseUrlOf(body.baseUrl);
  const baseUrl = known.baseUrl ?? given;
  if (baseUrl === undefined)
    throw contract.SCM_CONFIG_REFUSED({ reason: '`baseUrl` must be the web address of the host.' });
  if (given !== undefined && given !== baseUrl)
    throw contract.SCM_CONFIG_REFUSED({
      reason: `\`baseUrl\` must be ${baseUrl} for this type; self-managed hosts have a type of their own.`,
    });
  if (!services.egress.accepts(baseUrl))
    throw contract.SCM_CONFIG_REFUSED({
      reason:
        'this server does not call `baseUrl`. Use https on port 443 or 8443; the operator can allow other targets.',
    });
  return { provider, baseUrl, namespace };
}

/** The token of the request, or that of the connection it names. */
async function tokenFor({ body, path, read, services }: CreateCall, key: configs.ConfigKey): Promise<Secret> {
  if (body.accessToken !== undefined) return new Secret(body.accessToken);
  const id = body.scmConfigId;
  if (id === undefined) throw contract.SCM_CONFIG_REFUSED({ reason: '`accessToken` is missing.' });
  const ref = { deployment: path.deploymentId, id };
  return read(async (tx) => {
    const other = await configs.findConfig(tx, ref);
    const isSame = other?.provider === key.provider && other.base_url === key.baseUrl;
    const token = isSame ? await configs.findConfigToken(tx, services.keys, ref) : undefined;
    if (!token) throw contract.SCM_CONFIG_REFUSED({ reason: '`scmConfigId` has no token for this host.' });
    return token;
  });
}

async function refuseExisting(tx: Tx, deployment: string, key: configs.ConfigKey, own?: string): Promise<void> {
  const existing = await configs.findConfigByKey(tx, deployment, key);
  if (existing !== undefined && existing !== own) throw contract.SCM_CONFIG_EXISTS({ namespace: key.namespace });
}

/** What follows from a connection that works: its list is read, and its webhook registered. */
async function followUp(
  call: Pick<Call, 'transactFurther' | 'services' | 'now'>,
  ref: configs.ConfigRef,
  { result, isToSubscribe }: { result: CheckResult; isToSubscribe: boolean },
): Promise<void> {
  if (result.kind === 'failed') return;
  const { deployment, id } = ref;
  await call.transactFurther((tx) =>
    enqueue(tx, syncScmConfig, { deployment, payload: { config: id }, uniqueKey: id }),
  );
  if (!isToSubscribe) return;
  try {
    await subscribe(call.transactFurther, call.services, ref);
    await call.transactFurther((tx) =>
      enqueue(tx, hookRepositoriesJob, { deployment, payload: { config: id }, uniqueKey: id }),
    );
  } catch (error) {
    // The connection works without webhooks; that it has none is visible, and why is asked for by subscribing.
    if (!(error instanceof HostFailure)) throw error;
  }
}

async function shown(call: Pick<Call, 'read'>, ref: configs.ConfigRef): Promise<ScmConfig> {
  const config = await call.read((tx) => showConfig(tx, ref));
  if (!config) throw NOT_FOUND();
  return config;
}

/** Connects a host: the credential is tried first, and saved with what the host says. */
export async function createConfig(call: CreateCall): Promise<ScmConfig> {
  const { path, body, read, transact, services, now, answer } = call;
  const deployment = path.deploymentId;
  const key = hostIn(call);
  await read((tx) => refuseExisting(tx, deployment, key));
  const token = await tokenFor(call, key);
  const settings = { deployment, ...key, credential: { kind: 'token', token } as const };
  const result = await resultOf(checkHost(services, settings));
  const ref = await transact(async (tx) => {
    await lockLimit(tx, { deployment, limit: 'scm-configs' });
    await refuseExisting(tx, deployment, key);
    if ((await configs.countConfigs(tx, deployment)) >= contract.MAX_SCM_CONFIGS)
      throw contract.SCM_QUOTA({ most: contract.MAX_SCM_CONFIGS });
    const made = await configs.insertConfig(tx, deployment, {
      ...{ ...key, kind: 'org', sourceId: body.sourceId ?? '', isAutoScan: body.autoScan ?? false },
      isDiffScan: body.autoScanSettings?.diffEnabled ?? body.autoScan ?? false,
    });
    await configs.setConfigToken(tx, services.keys, made, token);
    await recordResult((work) => work(tx), { ref: made, before: { is_ok: false, namespace: '' }, at: now }, result);
    answer.recordEffect({ object: `scm-config/${made.id}`, after: { ...key, isOk: result.kind === 'checked' } });
    return made;
  });
  await followUp(call, ref, { result, isToSubscribe: body.subscribe ?? false });
  return shown(call, ref);
}

/** Changes a connection. A new token is tried for the namespace that it will be used for. */
export async function changeConfig(call: Call<typeof contract.patchScmConfig>): Promise<ScmConfig> {
  const { path, body, read, transact, services, now, answer } = call;
  const deployment = path.deploymentId;
  const ref = { deployment, id: path.configId };
  const before = await read((tx) => configs.findConfig(tx, ref));
  if (!before) throw NOT_FOUND();
  if (body.useNetworkBroker === true)
    throw contract.SCM_CONFIG_REFUSED({
      reason: '`useNetworkBroker` is not available. Hosts in private networks are allowed with PARAPET_EGRESS_ALLOW.',
    });
  const namespace = body.namespace ?? before.namespace;
  if (namespace !== before.namespace && body.accessToken === undefined)
    throw contract.SCM_CONFIG_REFUSED({ reason: 'another `namespace` needs a new `accessToken`.' });
  const key = { provider: before.provider, baseUrl: before.base_url, namespace };
  const token = body.accessToken === undefined ? undefined : new Secret(body.accessToken);
  const result =
    token && (await resultOf(checkHost(services, { deployment, ...key, credential: { kind: 'token', token } })));
  await transact(async (tx) => {
    await lockLimit(tx, { deployment, limit: 'scm-configs' });
    const current = await configs.lockConfig(tx, ref);
    if (!current) throw NOT_FOUND();
    await refuseExisting(tx, deployment, key, ref.id);
    const settings = {
      namespace,
      isAutoScan: body.autoScan ?? current.is_auto_scan,
      isDiffScan: body.autoScanSettings?.diffEnabled ?? current.is_diff_scan,
    };
    await configs.updateConfig(tx, ref, settings);
    if (token) await configs.setConfigToken(tx, services.keys, ref, token);
    if (result) await recordResult((work) => work(tx), { ref, before: { is_ok: false, namespace }, at: now }, result);
    const { namespace: name, is_auto_scan: isAutoScan, is_diff_scan: isDiffScan } = current;
    answer.recordEffect({
      object: `scm-config/${ref.id}`,
      before: { namespace: name, isAutoScan, isDiffScan },
      after: { ...settings, hasNewToken: token !== undefined },
    });
  });
  const checked = result ?? { kind: 'checked', check: undefined as never };
  if (result || body.subscribe === true)
    await followUp(call, ref, { result: checked, isToSubscribe: body.subscribe ?? false });
  return shown(call, ref);
}
