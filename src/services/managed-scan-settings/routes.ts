import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as projectContract from './project-contract.ts';
import * as store from './store.ts';

/** ManagedScanSettingsService: how managed scans of a deployment treat pull requests. */
export const managedScanSettings = group(
  'ManagedScanSettingsService',
  contract,
  {
    getManagedScanSettings: async ({ path, tx }) => ({
      managedScanSettings:
        (await store.findSettings(tx, path.deploymentId)) ?? store.defaultSettings(path.deploymentId),
    }),

    createManagedScanSettings: async ({ path, body, tx, answer }) => {
      const made = await store.insertSettings(tx, path.deploymentId, body.managedScanSettings);
      if (!made) throw contract.MANAGED_SCAN_SETTINGS_EXIST();
      answer.recordEffect({ object: `managed-scan-settings/${made.id}`, after: made });
      return { managedScanSettings: made };
    },

    updateManagedScanSettings: async ({ path, body, tx, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.managedScanSettingsId };
      const before = await store.findSettings(tx, path.deploymentId);
      const after = await store.updateSettings(tx, ref, body.managedScanSettings);
      if (!after) throw NOT_FOUND();
      answer.recordEffect({ object: `managed-scan-settings/${after.id}`, before, after });
      return { managedScanSettings: after };
    },

    deleteManagedScanSettings: async ({ path, tx, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.managedScanSettingsId };
      const before = await store.findSettings(tx, path.deploymentId);
      if ((await store.removeSettings(tx, ref)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `managed-scan-settings/${ref.id}`, before });
      return {};
    },
  },
  {
    objects: {
      managedScanSettingsId: async (tx, { deployment, id }) =>
        (await store.findSettings(tx, deployment))?.id === id ? new Set<string>() : undefined,
    },
  },
);

/** ProjectManagedScanSettingsService: which managed scans projects have. */
export const projectManagedScanSettings = group(
  'ProjectManagedScanSettingsService',
  projectContract,
  {
    bulkGetProjectManagedScanSettings: async ({ body, tx, caller }) => ({
      settingsByProject: await store.listProjectSettings(tx, caller, body.projectIds),
    }),

    getProjectManagedScanSettings: async ({ path, tx, caller }) => {
      const [found] = await store.listProjectSettings(tx, caller, [path.projectId]);
      if (!found) throw NOT_FOUND();
      return { project_managed_scan_settings: found.project_managed_scan_settings };
    },
  },
  {
    objects: {
      projectId: async (tx, { caller, id }) =>
        (await store.listProjectSettings(tx, caller, [id])).length > 0 ? new Set<string>() : undefined,
    },
  },
);
