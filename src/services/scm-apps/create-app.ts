import { type CheckResult, checkConfig } from '#domain/scm/check-config.ts';
import { githubManifest, manifestFormUrl } from '#domain/scm/github-manifest.ts';
import { type ConvertedApp, convertManifest } from '#domain/scm/hosts/github-app.ts';
import { converse } from '#domain/scm/hosts/host-call.ts';
import { HostFailure } from '#domain/scm/hosts/host-failure.ts';
import { accessOf } from '#domain/scm/open-host.ts';
import * as apps from '#domain/scm/scm-apps.ts';
import * as configs from '#domain/scm/scm-configs.ts';
import * as hooks from '#domain/scm/scm-hooks.ts';
import { syncScmConfig } from '#domain/scm/scm-jobs.ts';
import { SCM_REFUSED, SCM_UNAVAILABLE, type ScmApp } from '#domain/scm/scm-shape.ts';
import { baseUrlOf } from '#domain/scm/scm-types.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { enqueue } from '#kernel/jobs/job.ts';
import * as contract from './contract.ts';

const LIFETIME_MS = 3_600_000;
const PUBLIC_GITHUB = 'https://github.com';
const RETURN_PATH = '/settings/code-hosts';

type RequestCall = Call<typeof contract.createScmAppRequest>;

function hostUrlIn({ body, services }: RequestCall): string {
  const baseUrl = body.baseUrl === undefined ? PUBLIC_GITHUB : baseUrlOf(body.baseUrl);
  if (baseUrl === undefined || !services.egress.accepts(baseUrl))
    throw contract.SCM_APP_REFUSED({ reason: 'this server does not call `baseUrl`.' });
  return baseUrl;
}

/** The connection that will use the app must be one to the same namespace of the same host. */
async function refuseOtherConfig(tx: Tx, { body, path: _, caller }: RequestCall, baseUrl: string): Promise<void> {
  const id = body.deploymentScmConfigId;
  if (id === undefined) return;
  const config = await configs.findConfig(tx, { deployment: caller.deployment, id });
  if (!config) throw NOT_FOUND();
  const isSame =
    config.provider === 'github' &&
    config.base_url === baseUrl &&
    config.namespace.toLowerCase() === body.namespace.toLowerCase();
  if (!isSame) throw contract.SCM_APP_REFUSED({ reason: '`deploymentScmConfigId` is a connection to something else.' });
}

/** Starts the creation of an app: its webhook has an address before the app exists, because the manifest names it. */
export async function requestApp(call: RequestCall) {
  const { body, tx, caller, services, now, answer } = call;
  const { deployment } = caller;
  const baseUrl = hostUrlIn(call);
  await refuseOtherConfig(tx, call, baseUrl);
  await lockLimit(tx, { deployment, limit: 'scm-apps' });
  if ((await apps.countApps(tx, deployment)) >= contract.MAX_SCM_APPS)
    throw contract.SCM_APP_QUOTA({ most: contract.MAX_SCM_APPS });
  const entity = body.githubEntityType === 'GITHUB_ENTITY_TYPE_USER' ? 'user' : 'org';
  const requestId = `${deployment}.${hooks.makeHookKey()}`;
  const { namespace } = body;
  const ref = await apps.insertAppRequest(tx, deployment, {
    ...{ provider: 'github', baseUrl, namespace, entity, requestId, by: caller.userId, at: now },
    config: body.deploymentScmConfigId,
  });
  const key = hooks.makeHookKey();
  await hooks.insertHook(tx, services.keys, { deployment, app: ref.id }, { key, secret: hooks.makeHookSecret() });
  answer.recordEffect({ object: `scm-app/${ref.id}`, after: { baseUrl, namespace } });
  return {
    requestId,
    manifest: githubManifest({
      ...{ baseUrl: services.baseUrl, namespace, hookUrl: hooks.hookUrl(services.baseUrl, key) },
      returnUrl: `${services.baseUrl}${RETURN_PATH}`,
    }),
    formUrl: manifestFormUrl(baseUrl, { namespace, entity, state: requestId }),
  };
}

/** Connects the namespace of an app, or gives the app to the connection that there is. */
async function connectApp(tx: Tx, ref: apps.AppRef, app: apps.StoredScmApp): Promise<configs.ConfigRef> {
  const { deployment, id } = ref;
  const key = { provider: 'github', baseUrl: app.base_url, namespace: app.namespace } as const;
  await lockLimit(tx, { deployment, limit: 'scm-configs' });
  const existing = await configs.findConfigByKey(tx, deployment, key);
  if (existing === undefined)
    return configs.insertConfig(tx, deployment, {
      ...{ ...key, kind: app.entity, sourceId: '', app: id, isAutoScan: false, isDiffScan: false },
    });
  await tx.run`
    update scm_config set app_id = ${id}, sealed_token = null, token_expires_at = null
    where deployment_id = ${deployment} and id = ${existing}`;
  return { deployment, id: existing };
}

async function convert(
  { services, body }: Call<typeof contract.completeScmAppRequest>,
  app: apps.StoredScmApp,
  deployment: string,
): Promise<ConvertedApp> {
  try {
    const { access } = accessOf(services, { deployment, provider: 'github', baseUrl: app.base_url });
    return await converse(access, convertManifest(body.code));
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    const isRefusal = ['refused', 'gone', 'revoked'].includes(error.kind);
    throw (isRefusal ? SCM_REFUSED : SCM_UNAVAILABLE)({ reason: error.message });
  }
}

/** Finishes the creation: the code goes only to the host that the request named, and works once. */
export async function completeApp(call: Call<typeof contract.completeScmAppRequest>): Promise<ScmApp> {
  const { body, read, transact, transactFurther, caller, services, now, answer } = call;
  const { deployment } = caller;
  const request = { deployment, requestId: body.requestId };
  const asked = await read((tx) => apps.findAppByRequest(tx, request));
  const isOwn = asked?.requested_by === caller.userId;
  if (!asked || !isOwn) throw contract.SCM_APP_REQUEST_REFUSED();
  if (asked.is_ready) return apps.shownApp(asked);
  if (now.getTime() - asked.requested_at.getTime() > LIFETIME_MS) throw contract.SCM_APP_REQUEST_REFUSED();
  const made = await convert(call, asked, deployment);
  const ref = { deployment, id: asked.id };
  const config = await transact(async (tx) => {
    await apps.setAppKey(tx, services.keys, ref, { privateKey: made.privateKey });
    await apps.markAppReady(tx, ref, made);
    const hook = await hooks.findHook(tx, { deployment, app: ref.id });
    if (!hook) throw contract.SCM_APP_REQUEST_REFUSED();
    const hookRef = { deployment, id: hook.id };
    await hooks.setHookSecret(tx, services.keys, hookRef, made.webhookSecret);
    await hooks.activateHook(tx, hookRef, { hostHookId: undefined, isPerRepository: false });
    const { appId, slug } = made;
    answer.recordEffect({ object: `scm-app/${ref.id}`, after: { appId, slug, namespace: asked.namespace } });
    return connectApp(tx, ref, asked);
  });
  const result: CheckResult | undefined = await checkConfig(transactFurther, services, config, now);
  if (result?.kind === 'checked')
    await transactFurther((tx) =>
      enqueue(tx, syncScmConfig, { deployment, payload: { config: config.id }, uniqueKey: config.id }),
    );
  const app = await read((tx) => apps.findApp(tx, ref));
  if (!app) throw contract.SCM_APP_REQUEST_REFUSED();
  return apps.shownApp(app);
}
