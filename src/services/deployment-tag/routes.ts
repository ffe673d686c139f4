import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** DeploymentTagService: the project tags of a deployment. */
export const deploymentTags = group(
  'DeploymentTagService',
  contract,
  {
    listDeploymentTags: async ({ path, tx, caller }) => ({
      deployment_id: path.deploymentId,
      repository_tags: await store.listNames(tx, caller),
    }),

    findDeploymentTags: async ({ body, tx, caller }) => ({
      tags: await store.find(tx, caller, { hasCounts: body.includeCounts === true }),
    }),

    getDeploymentTag: async ({ path }) => ({ deployment_id: path.deploymentId, repository_tag: path.repositoryTag }),

    updateDeploymentTag: async ({ path, body, tx, answer }) => {
      const names = { from: path.repositoryTag, to: body.name.trim() };
      const result = await store.rename(tx, path.deploymentId, names);
      if (result === 'absent') throw NOT_FOUND();
      if (result === 'taken') throw contract.TAG_TAKEN({ name: names.to });
      answer.recordEffect({ object: `tag/${names.from}`, before: names.from, after: names.to });
      return { deployment_id: path.deploymentId, repository_tag: names.to };
    },

    deleteDeploymentTag: async ({ path, tx, answer }) => {
      if ((await store.remove(tx, path.deploymentId, path.repositoryTag)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `tag/${path.repositoryTag}`, before: path.repositoryTag });
      return {};
    },
  },
  {
    objects: {
      repositoryTag: async (tx, { caller, id }) =>
        (await store.exists(tx, caller, id)) ? new Set<string>() : undefined,
    },
  },
);
