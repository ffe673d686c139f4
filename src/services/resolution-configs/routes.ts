import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** SmsScaResolutionConfigService: how dependencies are resolved where no lock file tells. */
export const resolutionConfigs = group(
  'SmsScaResolutionConfigService',
  contract,
  {
    getScaResolutionConfigs: async ({ path, tx }) => ({
      resolutionConfigs: await store.listConfigs(tx, { deployment: path.deploymentId, project: path.projectId }),
    }),

    setScaResolutionConfigs: async ({ path, body, tx, answer }) => {
      const project = { deployment: path.deploymentId, project: path.projectId };
      const before = await store.listConfigs(tx, project);
      await store.replaceConfigs(tx, project, body.resolutionConfigs);
      const after = await store.listConfigs(tx, project);
      answer.recordEffect({ object: `project/${path.projectId}`, before, after });
      return { resolutionConfigs: after };
    },
  },
  {
    objects: {
      projectId: async (tx, { caller, id }) =>
        (await store.isVisibleProject(tx, caller, id)) ? new Set<string>() : undefined,
    },
  },
);
