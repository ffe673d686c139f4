import { HostFailure } from '#domain/scm/hosts/host-failure.ts';
import { subscriptionOf } from '#domain/scm/list-configs.ts';
import { type ConfigRef, findConfig } from '#domain/scm/scm-configs.ts';
import { findHook } from '#domain/scm/scm-hooks.ts';
import { hookRepositoriesJob } from '#domain/scm/scm-jobs.ts';
import { SCM_REFUSED, SCM_UNAVAILABLE } from '#domain/scm/scm-shape.ts';
import { rotateSecret, subscribe, unsubscribe } from '#domain/scm/subscribe.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { enqueue } from '#kernel/jobs/job.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';

interface ConfigPath {
  deploymentId: Id<'Deployment'>;
  configId: Id<'ScmConfig'>;
}

const refOf = ({ deploymentId: deployment, configId: id }: ConfigPath): ConfigRef => ({ deployment, id });

async function configOf(tx: Tx, path: ConfigPath) {
  const config = await findConfig(tx, refOf(path));
  if (!config) throw NOT_FOUND();
  return config;
}

/** The webhook that brings deliveries of a configuration: its own, or that of its app. */
async function hookOf(tx: Tx, path: ConfigPath) {
  const { deploymentId: deployment, configId } = path;
  const { app_id: app } = await configOf(tx, path);
  const own = await findHook(tx, { deployment, config: configId });
  return own ?? (app === undefined ? undefined : findHook(tx, { deployment, app }));
}

async function orRefused<Result>(asking: Promise<Result>): Promise<Result> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    const isRefusal = error.kind === 'refused' || error.kind === 'gone' || error.kind === 'revoked';
    throw (isRefusal ? SCM_REFUSED : SCM_UNAVAILABLE)({ reason: error.message });
  }
}

/** A job gives the hook to all repositories, where the host has none for the namespace. */
const hookOthers = ({ transactFurther }: Pick<Call, 'transactFurther'>, { deployment, id }: ConfigRef) =>
  transactFurther((tx) => enqueue(tx, hookRepositoriesJob, { deployment, payload: { config: id }, uniqueKey: id }));

/** ScmSubscriptionsService: webhooks at code hosts. */
export const scmSubscriptions = group(
  'ScmSubscriptionsService',
  contract,
  {
    listScmWebhookSubscription: async ({ path, tx }) => {
      const config = await configOf(tx, path);
      const isActive = (await hookOf(tx, path))?.is_active === true;
      return { ...path, subscriptions: isActive ? [subscriptionOf(config)] : [] };
    },

    scmWebhookSubscriptionSubscribe: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, read, transact, transactFurther, services, answer } = call;
        const ref = refOf(path);
        answer.recordEffect({ object: `scm-config/${ref.id}`, after: { isSubscribed: true } });
        if ((await read((tx) => hookOf(tx, path)))?.is_active === true) throw contract.SCM_SUBSCRIBED();
        const result = await orRefused(subscribe(transactFurther, services, ref, transact));
        if (result === 'gone') throw NOT_FOUND();
        if (result === 'already') throw contract.SCM_SUBSCRIBED();
        await hookOthers(call, ref);
        return { ...path, subscription: subscriptionOf(await read((tx) => configOf(tx, path))) };
      }),

    scmWebhookSubscriptionUnsubscribe: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, transact, transactFurther, services, answer } = call;
        answer.recordEffect({ object: `scm-config/${path.configId}`, after: { isSubscribed: false } });
        const config = await transact(async (tx) => {
          const hook = await findHook(tx, { deployment: path.deploymentId, config: path.configId });
          if (!hook) throw NOT_FOUND();
          return configOf(tx, path);
        });
        await unsubscribe(transactFurther, services, refOf(path));
        return { ...path, subscription: subscriptionOf(config) };
      }),

    rotateScmWebhookSecret: (call) =>
      withQuantizedDuration(call.services.sleep, async () => {
        const { path, transact, transactFurther, services, now, answer } = call;
        const ref = refOf(path);
        answer.recordEffect({ object: `scm-config/${ref.id}`, after: { isSecretRotated: true } });
        await transact(async (tx) => {
          const hook = await findHook(tx, { deployment: ref.deployment, config: ref.id });
          if (!hook?.is_active) throw NOT_FOUND();
        });
        const success = await rotateSecret(transactFurther, services, { ref, at: now });
        if (success === undefined) throw NOT_FOUND();
        if (success) await hookOthers(call, ref);
        return { success };
      }),
  },
  {
    objects: {
      configId: async (tx, ref) => ((await findConfig(tx, ref)) ? new Set<string>() : undefined),
    },
  },
);
