import type { Id } from '#kernel/contract/proto-fields.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import * as contract from './contract.ts';

const stalledMessage = (minutes: number) =>
  `Jobs have been due for ${minutes} minutes and no process runs them, so mail, exports and other background work ` +
  'wait. Start `parapet worker`, or set PARAPET_JOBS=worker on a server; the log of a worker says why it ended.';

const COPY_MESSAGE =
  'The database is in another place than before, so it may be a copy: webhooks, messages, mails and tickets wait. ' +
  'If the original no longer runs, run `parapet release`.';

/** An embedded database that this process cannot see is no reason to fail. */
const isCopy = ({ instance }: Pick<Services, 'instance'>) => instance.isCopy().catch(() => false);

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

  listSystemWarnings: async ({ services }) => {
    const minutes = await services.serverStatus.stalledMinutes();
    const stalled = minutes === undefined ? [] : [{ code: 'JOBS_STALLED' as const, message: stalledMessage(minutes) }];
    const copied = (await isCopy(services)) ? [{ code: 'DATABASE_COPY' as const, message: COPY_MESSAGE }] : [];
    return { warnings: [...(await services.diskSpace.warnings()), ...stalled, ...copied] };
  },
});
