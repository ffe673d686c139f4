import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fieldErrorsFault } from '#kernel/contract/field-errors.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { type PackageManagerPlan, planPackageManager, type StoredPackageManager } from './rules.ts';
import * as store from './store.ts';

function planOf({ egress }: Call['services'], change: contract.PackageManagerChange, stored?: StoredPackageManager) {
  const plan = planPackageManager(change, stored, (url) => egress.accepts(url));
  if (plan.errors.length > 0) throw fieldErrorsFault(contract.PACKAGE_MANAGER_REFUSED, plan.errors);
  return plan;
}

async function finish(call: Pick<Call, 'tx' | 'services'>, ref: store.PackageManagerRef, plan: PackageManagerPlan) {
  if (plan.credential !== undefined)
    await store.setPackageCredential(call.tx, call.services.keys, ref, plan.credential);
  const found = await store.findPackageManager(call.tx, ref);
  if (!found) throw NOT_FOUND();
  return found.config;
}

/** SmsPackageManagerConfigService: package registries for managed scans, with their credentials. */
export const packageManagerConfigs = group(
  'SmsPackageManagerConfigService',
  contract,
  {
    getPackageManagerAuthConfigs: async ({ path, tx }) => ({
      packageManagerConfigsWithCredentials: await store.listPackageManagers(tx, path.deploymentId),
    }),

    postPackageManagerAuthCredentials: async (call) => {
      const { path, body, tx, services, answer } = call;
      const deployment = path.deploymentId;
      const plan = planOf(services, body.packageManagerConfigForInsert);
      await lockLimit(tx, { deployment, limit: 'package-managers' });
      if ((await store.countPackageManagers(tx, deployment)) >= contract.MAX_PACKAGE_MANAGER_CONFIGS)
        throw contract.PACKAGE_MANAGER_QUOTA({ most: contract.MAX_PACKAGE_MANAGER_CONFIGS });
      const id = await store.insertPackageManager(tx, deployment, plan.settings);
      const made = await finish(call, { deployment, id }, plan);
      answer.recordEffect({ object: `package-manager/${id}`, after: made });
      return { packageManagerConfig: made };
    },

    updatePackageManagerAuthCredentials: async (call) => {
      const { path, body, tx, services, answer } = call;
      const ref = { deployment: path.deploymentId, id: path.packageManagerConfigId };
      const before = await store.findPackageManager(tx, ref, true);
      if (!before) throw NOT_FOUND();
      const plan = planOf(services, body.packageManagerConfigForInsert, before);
      await store.updatePackageManager(tx, ref, plan.settings);
      const after = await finish(call, ref, plan);
      answer.recordEffect({
        object: `package-manager/${ref.id}`,
        before: before.config,
        after: { ...after, hasNewCredential: plan.credential !== undefined },
      });
      return { packageManagerConfig: after };
    },

    deletePackageManagerAuthConfigs: async ({ path, tx, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.packageManagerConfigId };
      const before = await store.findPackageManager(tx, ref);
      if (!before || (await store.removePackageManager(tx, ref)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `package-manager/${ref.id}`, before: before.config });
      return { packageManagerConfigId: path.packageManagerConfigId };
    },
  },
  {
    objects: {
      packageManagerConfigId: async (tx, ref) =>
        (await store.findPackageManager(tx, ref)) ? new Set<string>() : undefined,
    },
  },
);
