import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { deployments, users } from '#web/foundation/api/services.ts';

/** The current organization (a deployment in the API), and whether the user has a permission in it. */
export interface Org {
  id: string;
  slug: string;
  name: string;
  may: (permission: string) => boolean;
}

export const orgsQuery = queryOptions({
  queryKey: ['orgs'],
  queryFn: async ({ signal }) => (await users.listUserOrgs({}, { signal })).orgs,
  staleTime: 60_000,
});

export const permissionsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'permissions'],
    queryFn: async ({ signal }) =>
      (await deployments.getDeploymentAuthorizedActions({ path: { deploymentId } }, { signal })).authorized_actions,
    staleTime: 60_000,
  });

export const OrgContext = createContext<Org | undefined>(undefined);

export function useOrg(): Org {
  const org = use(OrgContext);
  if (!org) throw new Error('useOrg must be used on a page of an organization.');
  return org;
}

const LAST_ORG_KEY = 'parapet-last-org';

/** The organization that was open last in this browser. */
export const lastOrgSlug = (): string | undefined => localStorage.getItem(LAST_ORG_KEY) ?? undefined;
export const rememberOrg = (slug: string): void => localStorage.setItem(LAST_ORG_KEY, slug);
