import { queryOptions } from '@tanstack/react-query';
import { sso, ssoSettings } from '#web/foundation/api/services.ts';
import { readWithVersion } from '../parts/etag.ts';

export type SsoProvider = Awaited<ReturnType<typeof sso.listDeploymentSsoProviders>>['providers'][number];

export const ssoProvidersQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'sso'],
    queryFn: async ({ signal }) =>
      (await sso.listDeploymentSsoProviders({ path: { deploymentId } }, { signal })).providers,
  });

export type SsoAttempt = Awaited<ReturnType<typeof ssoSettings.listSsoAttempts>>['attempts'][number];
export type SsoDomain = Awaited<ReturnType<typeof ssoSettings.listSsoDomains>>['domains'][number];
export type SignInSettings = Awaited<ReturnType<typeof ssoSettings.getSsoSignIn>>['signIn'];
export type GroupRule = SignInSettings['groups'][number];

export const ssoAttemptsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'sso-attempts'],
    queryFn: async ({ signal }) => (await ssoSettings.listSsoAttempts({ path: { deploymentId } }, { signal })).attempts,
  });

export const ssoDomainsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'sso-domains'],
    queryFn: async ({ signal }) => (await ssoSettings.listSsoDomains({ path: { deploymentId } }, { signal })).domains,
  });

export const signInSettingsQuery = (deploymentId: string, providerId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'sso-sign-in', providerId],
    queryFn: ({ signal }) =>
      readWithVersion(
        async (options) => (await ssoSettings.getSsoSignIn({ path: { deploymentId, providerId } }, options)).signIn,
        signal,
      ),
    refetchOnWindowFocus: false,
  });
