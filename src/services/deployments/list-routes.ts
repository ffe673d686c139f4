import * as deployments from '#domain/deployments/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './list-contract.ts';
import * as v1 from './v1-contract.ts';

/** The deployments of the credential: all of an account's, or that of a token. */
async function listOwn({ tx, caller, services }: Pick<Call, 'tx' | 'caller' | 'services'>) {
  if (caller.kind === 'user') return deployments.listByMember(tx, caller.userId, services.version);
  const found = await deployments.find(tx, caller.deployment, services.version);
  return found ? [found.deployment] : [];
}

/** DeploymentsService: the deployments of a credential. */
export const deploymentListGroup = group('DeploymentsService', contract, {
  listDeployments: async (call) => ({
    deployments: (await listOwn(call)).map(({ id, name }) => ({ id: id as Id<'Deployment'>, name })),
  }),
});

/** DeploymentsService of v1: also with the slug and a link to the findings. */
export const v1DeploymentListGroup = group('V1DeploymentsService', v1, {
  listDeployments: async (call) => ({
    deployments: (await listOwn(call)).map(({ id, name, slug }) => ({
      id: id as Id<'Deployment'>,
      name,
      slug,
      findings: { url: `${call.services.baseUrl}/api/v1/deployments/${id}/findings` },
    })),
  }),
});
