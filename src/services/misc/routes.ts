import * as tokens from '#domain/accounts/api-tokens.ts';
import * as accounts from '#domain/accounts/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { Outage } from '#kernel/contract/fault.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

/** The name comes last: it is free text and must not be mistaken for a field. */
async function describeToken(tx: Tx, { credential, deployment, name }: Caller): Promise<string> {
  const id = credential.replace('token:', '');
  const found = await tokens.find(tx, deployment, id);
  const roles = [found?.role ?? '', ...(found?.webApi ? ['webapi'] : [])];
  const createdAt = found?.createdAt.toISOString() ?? '';
  const fields = `id=${id} deployment_id=${deployment} user_id=0 created_at=${createdAt}`;
  return `token:${id} ${fields} roles=(${roles.join(',')}) name=${name}`;
}

/** MiscService: identity, health and readiness for clients and load balancers. */
export const misc = group('MiscService', contract, {
  getIdentity: async ({ caller, tx }) => {
    const isUser = caller.kind === 'user';
    const deployment = isUser ? (await accounts.findFirstMembership(tx, caller.userId))?.deployment : caller.deployment;
    return {
      identity: isUser ? caller.email : await describeToken(tx, caller),
      userId: (caller.userId || '0') as Id<'User'>,
      deploymentId: (deployment ?? '0') as Id<'Deployment'>,
    };
  },

  getIp: async ({ request }) => ({ ip: request.address, cf: '' }),

  getPing: async () => ({ message: 'pong' }),

  ping: async () => ({}),

  getTenant: async ({ services }) => ({ tenant: new URL(services.baseUrl).hostname }),

  healthCheck: async () => ({ status: 'ok', healthy: true }),

  readinessCheck: async ({ tx, services }) => {
    if (!services.isReady()) throw new Outage('server', 'it is stopping');
    await tx.rows`select 1`;
    return { status: 'ready', ready: true };
  },
});
