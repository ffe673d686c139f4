import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { deployments, invitations } from '#web/foundation/api/services.ts';

export type OrgMember = Awaited<ReturnType<typeof deployments.listDeploymentUsers>>['users'][number];
export type OrgRole = OrgMember['orgRole'];

/** Roles that can be assigned, from most to least privileged. */
export const ASSIGNABLE_ROLES: readonly OrgRole[] = ['ORG_ROLE_ADMIN', 'ORG_ROLE_MEMBER', 'ORG_ROLE_READONLY'];

export interface PeopleFilter {
  q: string;
  who: 'admins' | 'others' | undefined;
}

export const peopleKey = (deploymentId: string) => [deploymentId, 'settings', 'people'];

/** The request body for one page of members. */
export const listUsersBody = ({ q, who }: PeopleFilter, pageToken: string) => ({
  options: { pageSize: 100, pageToken },
  filters: {
    ...(q === '' ? {} : { query: q }),
    ...(who === undefined
      ? {}
      : {
          filterMembers:
            who === 'admins'
              ? ('MEMBER_FILTER_TYPE_ADMIN_ONLY' as const)
              : ('MEMBER_FILTER_TYPE_NON_ADMIN_ONLY' as const),
        }),
  },
});

export const orgMembersQuery = (deploymentId: string, filter: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey(deploymentId), filter],
    queryFn: ({ pageParam, signal }) =>
      deployments.listDeploymentUsers({ path: { deploymentId }, body: listUsersBody(filter, pageParam) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pageToken }) => (pageToken ? pageToken : undefined),
    placeholderData: keepPreviousData,
  });

export type PendingInvitation = Awaited<ReturnType<typeof invitations.listInvitations>>['invitations'][number];

export const invitationsQuery = (deploymentId: string) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey(deploymentId), 'invitations'],
    queryFn: ({ pageParam, signal }) =>
      invitations.listInvitations({ path: { deploymentId }, query: { limit: '100', cursor: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
  });
