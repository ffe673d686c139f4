import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { VPC_TEMPLATE } from './vpc-template.ts';

/** InfrastructureConfigurationsService: templates for infrastructure around the server. */
export const infraConfig = group('InfrastructureConfigurationsService', contract, {
  getBootstrapSmsVpc: async () => VPC_TEMPLATE,
  getV1BootstrapSmsVpc: async () => VPC_TEMPLATE,
});
