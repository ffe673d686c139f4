import type { Id } from '#kernel/contract/proto.ts';
import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';

/** SystemService: how the server is, for those who look after it. */
export const system = group('SystemService', contract, {
  getSystemStatus: async ({ caller, powers }) => {
    const { deadJobs, ...status } = await powers.installation.status(caller.deployment);
    return {
      version: powers.version,
      ...status,
      deadJobs: deadJobs.map((job) => ({ ...job, id: job.id as Id<'Job'> })),
    };
  },
});
