import { queryOptions } from '@tanstack/react-query';
import { partner } from '#web/api/services.ts';

export type Credential = Awaited<ReturnType<typeof partner.listPartnerCredentials>>['partnerCredentials'][number];

export const credentialsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'partner'],
    queryFn: async ({ signal }) =>
      (await partner.listPartnerCredentials({ path: { deploymentId } }, { signal })).partnerCredentials,
  });
