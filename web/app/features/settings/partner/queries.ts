import { queryOptions } from '@tanstack/react-query';
import { partner } from '#web/foundation/api/services.ts';

export type PartnerCredential = Awaited<
  ReturnType<typeof partner.listPartnerCredentials>
>['partnerCredentials'][number];

export const partnerCredentialsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'partner'],
    queryFn: async ({ signal }) =>
      (await partner.listPartnerCredentials({ path: { deploymentId } }, { signal })).partnerCredentials,
  });
