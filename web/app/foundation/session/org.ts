import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { deployments, users } from '#web/foundation/api/services.ts';

/** The organization whose pages are open, and what the person may do in it. */
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
  if (!org) throw new Error('This part belongs on a page of an organization.');
  return org;
}

const LAST = 'parapet-last-org';

/** Where the person was last: a convenience of this browser, nothing depends on it. */
export const lastOrgSlug = (): string | undefined => localStorage.getItem(LAST) ?? undefined;
export const rememberOrg = (slug: string): void => localStorage.setItem(LAST, slug);
