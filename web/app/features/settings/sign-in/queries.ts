import { queryOptions } from '@tanstack/react-query';
import { sso } from '#web/foundation/api/services.ts';

export type SsoProvider = Awaited<ReturnType<typeof sso.listDeploymentSsoProviders>>['providers'][number];

export const ssoProvidersQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'sso'],
    queryFn: async ({ signal }) =>
      (await sso.listDeploymentSsoProviders({ path: { deploymentId } }, { signal })).providers,
  });
