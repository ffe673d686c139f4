import * as people from '#domain/people/store.ts';
import { Outage } from '#kernel/contract/fault.ts';
import type { Id } from '#kernel/contract/proto.ts';
import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';

/** MiscService: small questions that clients and load balancers ask. */
export const misc = group('MiscService', contract, {
  getIdentity: async ({ caller, tx }) => {
    const isUser = caller.kind === 'user';
    const deployment = isUser ? (await people.firstRole(tx, caller.userId))?.deployment : caller.deployment;
    return {
      identity: isUser ? caller.email : `token:${caller.name}`,
      userId: (caller.userId || '0') as Id<'User'>,
      deploymentId: (deployment ?? '0') as Id<'Deployment'>,
    };
  },

  getIp: async ({ request }) => ({ ip: request.address, cf: '' }),

  getPing: async () => ({ message: 'pong' }),

  getTenant: async ({ powers }) => ({ tenant: new URL(powers.baseUrl).hostname }),

  healthCheck: async () => ({ status: 'ok', healthy: true }),

  readinessCheck: async ({ tx, powers }) => {
    if (!powers.isReady()) throw new Outage('server', 'it is stopping');
    await tx.rows`select 1`;
    return { status: 'ready', ready: true };
  },
});
