import { queryOptions } from '@tanstack/react-query';
import { sso } from '#web/api/services.ts';

export type SsoEntry = Awaited<ReturnType<typeof sso.listDeploymentSsoProviders>>['providers'][number];

export const providersQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'sso'],
    queryFn: async ({ signal }) =>
      (await sso.listDeploymentSsoProviders({ path: { deploymentId } }, { signal })).providers,
  });
