import type { Id } from '#kernel/contract/proto-fields.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

/** SystemService: the status of the server. */
export const system = group('SystemService', contract, {
  getSystemStatus: async ({ caller, services }) => {
    const { deadJobs, ...status } = await services.serverStatus.read(caller.deployment);
    return {
      version: services.version,
      ...status,
      deadJobs: deadJobs.map((job) => ({ ...job, id: job.id as Id<'Job'> })),
    };
  },

  listSystemWarnings: async ({ services }) => ({ warnings: await services.diskSpace.warnings() }),
});
