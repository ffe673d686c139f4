import * as deployments from '#domain/deployments/store.ts';
import type { Id } from '#kernel/contract/proto.ts';
import { type Call, group } from '#kernel/http/group.ts';
import * as contract from './listing-contract.ts';
import * as v1 from './v1-contract.ts';

/** The deployments of the credential: all that a person belongs to, or the one of a token. */
async function listOwn({ tx, caller, powers }: Pick<Call, 'tx' | 'caller' | 'powers'>) {
  if (caller.kind === 'user') return deployments.listOfMember(tx, caller.userId, powers.version);
  const found = await deployments.find(tx, caller.deployment, powers.version);
  return found ? [found.deployment] : [];
}

/** DeploymentsService: which deployments a credential is for. */
export const deploymentListGroup = group('DeploymentsService', contract, {
  listDeployments: async (call) => ({
    deployments: (await listOwn(call)).map(({ id, name }) => ({ id: id as Id<'Deployment'>, name })),
  }),
});

/** DeploymentsService of v1: the same, with the slug and a link to the findings. */
export const v1DeploymentListGroup = group('V1DeploymentsService', v1, {
  listDeployments: async (call) => ({
    deployments: (await listOwn(call)).map(({ id, name, slug }) => ({
      id: id as Id<'Deployment'>,
      name,
      slug,
      findings: { url: `${call.powers.baseUrl}/api/v1/deployments/${id}/findings` },
    })),
  }),
});
