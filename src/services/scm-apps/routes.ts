import { setAppHookSecret } from '#domain/scm/hosts/github-app.ts';
import { converse } from '#domain/scm/hosts/host-call.ts';
import { HostFailure } from '#domain/scm/hosts/host-failure.ts';
import { accessAsApp } from '#domain/scm/open-host.ts';
import * as apps from '#domain/scm/scm-apps.ts';
import * as hooks from '#domain/scm/scm-hooks.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { RowExists } from '#kernel/db/query/row-schemas.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';
import { completeApp, requestApp } from './create-app.ts';

/** Replaces the secret of an app's webhook; false if the host refuses. */
async function rotate(call: Call<typeof contract.rotateScmAppWebhookSecret>): Promise<boolean> {
  const { path, transact, transactFurther, services, now, answer } = call;
  const { deploymentId: deployment, scmAppId: id } = path;
  const next = hooks.makeHookSecret();
  answer.recordEffect({ object: `scm-app/${id}`, after: { isSecretRotated: true } });
  const { app, key, hookRef } = await transact(async (tx) => {
    const found = await apps.findApp(tx, { deployment, id });
    const hook = await hooks.findHook(tx, { deployment, app: id });
    const appKey = await apps.findAppKey(tx, services.keys, { deployment, id });
    if (!found || !hook || !appKey) throw NOT_FOUND();
    const ref = { deployment, id: hook.id };
    await hooks.beginRotation(tx, services.keys, ref, next);
    return { app: found, key: appKey, hookRef: ref };
  });
  const settings = { deployment, provider: app.provider, baseUrl: app.base_url };
  const credential = { appId: app.host_app_id, slug: app.slug, privateKey: key.privateKey };
  try {
    const { access } = await accessAsApp(services, settings, credential);
    await converse(access, setAppHookSecret(next));
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    if (error.kind !== 'unclear') await transactFurther((tx) => hooks.dropRotation(tx, hookRef));
    return false;
  }
  await transactFurther((tx) => hooks.endRotation(tx, services.keys, hookRef, { next, at: now }));
  return true;
}

/** ScmAppsService: apps of ours at code hosts. */
export const scmApps = group(
  'ScmAppsService',
  contract,
  {
    createAdoScmApp: async () => {
      throw contract.AZURE_DEVOPS_UNSUPPORTED();
    },

    completeAdoScmAppInstall: async () => {
      throw contract.AZURE_DEVOPS_UNSUPPORTED();
    },

    addAdoScmProject: async () => {
      throw contract.AZURE_DEVOPS_UNSUPPORTED();
    },

    createScmAppRequest: (call) => requestApp(call),

    completeScmAppRequest: (call) =>
      withQuantizedDuration(call.services.sleep, async () => ({ app: await completeApp(call) })),

    listScmApps: async ({ path, tx }) => ({ apps: (await apps.listApps(tx, path.deploymentId)).map(apps.shownApp) }),

    getGitHubAppStatus: async ({ path, query, tx }) => {
      const namespace = query.namespace ?? '';
      const row = await tx.one(RowExists)`
        select exists (select from scm_config
          where deployment_id = ${path.deploymentId} and provider = 'github' and app_id is not null
            and installation_id is not null and not is_suspended
            and (${namespace} = '' or namespace_key = lower(${namespace}))) as is_any`;
      return { deploymentId: path.deploymentId, namespace, installed: row?.is_any ?? false };
    },

    getScmApp: async ({ path, tx }) => {
      const { deploymentId: deployment, requestId } = path;
      const app = await apps.findAppByRequest(tx, { deployment, requestId });
      if (!app) throw NOT_FOUND();
      return { app: apps.shownApp(app) };
    },

    deleteScmApp: async ({ path, tx, answer }) => {
      const { deploymentId, scmAppId } = path;
      const before = await apps.findApp(tx, { deployment: deploymentId, id: scmAppId });
      await apps.deleteApp(tx, { deployment: deploymentId, id: scmAppId });
      const { slug, namespace } = before ?? {};
      answer.recordEffect({ object: `scm-app/${scmAppId}`, before: { slug, namespace } });
      return { deploymentId, scmAppId };
    },

    rotateScmAppWebhookSecret: (call) =>
      withQuantizedDuration(call.services.sleep, async () => ({ success: await rotate(call) })),
  },
  {
    objects: {
      scmAppId: async (tx, ref) => ((await apps.findApp(tx, ref)) ? new Set<string>() : undefined),
    },
  },
);
