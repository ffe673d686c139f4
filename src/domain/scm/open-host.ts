import type { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { hostOf } from './hosts/all-hosts.ts';
import type { CodeHost, HostCheck, HostNamespace } from './hosts/code-host.ts';
import { checkInstallation, createInstallationToken, signAppToken } from './hosts/github-app.ts';
import { githubAppHost } from './hosts/github-host.ts';
import { converse, type HostAccess } from './hosts/host-call.ts';
import { HostFailure } from './hosts/host-failure.ts';
import type { ScmProvider } from './hosts/host-shape.ts';
import { findApp, findAppKey } from './scm-apps.ts';
import { type ConfigRef, findConfig, findConfigToken, type StoredScmConfig } from './scm-configs.ts';

export type ScmServices = Pick<Services, 'egress' | 'keys' | 'version'> & { readonly baseUrl: string };

/** Opens short transactions of one deployment, because calls of hosts happen between them. */
export type ScmTransaction = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** An app of ours at GitHub. */
export interface AppCredential {
  appId: string;
  slug: string;
  privateKey: Secret;
}

export type HostCredential = { kind: 'token'; token: Secret } | { kind: 'app'; app: AppCredential };

/** Where a credential is used, and for what. */
export interface HostSettings {
  deployment: string;
  provider: ScmProvider;
  baseUrl: string;
  namespace: string;
  credential: HostCredential;
}

/** A host that can be asked. */
export interface OpenHost {
  host: CodeHost;
  access: HostAccess;
}

type CallServices = Pick<ScmServices, 'egress' | 'version'>;

/** A host that is asked with this token, or without one. */
export function accessOf(
  { egress, version }: CallServices,
  { deployment, provider, baseUrl, token }: Omit<HostSettings, 'namespace' | 'credential'> & { token?: Secret },
): OpenHost {
  const host = hostOf(provider);
  const headers = token ? host.headersOf(token) : {};
  const access = { egress, version, tenant: deployment, hostName: host.name, base: host.apiBaseOf(baseUrl), headers };
  return { host, access };
}

/** A host that is asked with the credential of an app itself. */
export async function accessAsApp(
  services: CallServices,
  settings: Omit<HostSettings, 'namespace' | 'credential'>,
  app: AppCredential,
): Promise<OpenHost> {
  const token = await signAppToken(app, new Date());
  return { ...accessOf(services, { ...settings, token }), host: githubAppHost };
}

/** Asks the host about a credential: who we are there, what we may do, and whether the namespace exists. */
export async function checkHost(services: CallServices, settings: HostSettings): Promise<HostCheck> {
  const { credential, namespace } = settings;
  if (credential.kind === 'app') {
    const { access } = await accessAsApp(services, settings, credential.app);
    return converse(access, checkInstallation(namespace, credential.app));
  }
  const { host, access } = accessOf(services, { ...settings, token: credential.token });
  return converse(access, host.check(namespace));
}

/** The credential of a configuration; undefined if it has none any more. */
export async function findCredential(
  tx: Tx,
  { keys }: Pick<ScmServices, 'keys'>,
  ref: ConfigRef,
  config: StoredScmConfig,
): Promise<HostCredential | undefined> {
  const token = await findConfigToken(tx, keys, ref);
  if (token) return { kind: 'token', token };
  if (config.app_id === undefined) return undefined;
  const appRef = { deployment: ref.deployment, id: config.app_id };
  const app = await findApp(tx, appRef);
  const key = await findAppKey(tx, keys, appRef);
  if (!app?.is_ready || !key) return undefined;
  return { kind: 'app', app: { appId: app.host_app_id, slug: app.slug, privateKey: key.privateKey } };
}

export interface OpenConfig extends OpenHost {
  config: StoredScmConfig;
  namespace: HostNamespace;
}

export const NO_CREDENTIAL = 'There is no access token, and no app.';

/** The host of a configuration, ready to be asked; undefined if the configuration does not exist any more. */
export async function openConfig(
  transaction: ScmTransaction,
  services: ScmServices,
  ref: ConfigRef,
): Promise<OpenConfig | undefined> {
  const found = await transaction(async (tx) => {
    const config = await findConfig(tx, ref);
    return config && { config, credential: await findCredential(tx, services, ref, config) };
  });
  if (!found) return undefined;
  const { config, credential } = found;
  if (!credential) throw new HostFailure('revoked', NO_CREDENTIAL);
  const { provider, base_url: baseUrl } = config;
  const settings = { deployment: ref.deployment, provider, baseUrl };
  const namespace = { path: config.namespace, kind: config.namespace_kind, id: config.namespace_id };
  if (credential.kind === 'token')
    return { ...accessOf(services, { ...settings, token: credential.token }), config, namespace };
  if (config.installation_id === undefined)
    throw new HostFailure('gone', `The app is not installed in ${config.namespace}.`);
  const { access } = await accessAsApp(services, settings, credential.app);
  const token = await converse(access, createInstallationToken(config.installation_id));
  return { ...accessOf(services, { ...settings, token }), host: githubAppHost, config, namespace };
}
