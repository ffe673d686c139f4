import * as people from '#domain/accounts/store.ts';
import type { Deployment } from '#domain/deployments/shape.ts';
import * as deployments from '#domain/deployments/store.ts';
import { endMembership } from '#domain/provisioning/end-membership.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { changedTours, NAMED_TOURS, type TourStateName } from './rules.ts';
import * as store from './store.ts';

/** The paths say "current": the id of another person is not found, whether it exists or not. */
function requireSelf(userId: string | undefined, caller: Caller): void {
  if (userId !== undefined && userId !== '' && userId !== 'current' && userId !== caller.userId) throw NOT_FOUND();
}

const sessionOf = (caller: Caller) => caller.credential.replace('session:', '');

function userOf(row: store.UserAccountRow, session: string) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    login: row.email,
    authDetails: [
      {
        providerId: row.id,
        providerType: 'simple',
        sourceId: session,
        current: true,
        expiresAt: row.session_expires_at ?? new Date(0),
        authProviderId: 'password',
      },
    ],
    orgRole: row.org_role ?? '',
    deletedAt: row.deleted_at,
  };
}

function settingsOf(row: store.UserAccountRow): contract.UserSettings {
  const stateOf = (tour: string) => (row.tours[tour] ?? 'TOUR_STATE_INCOMPLETE') as TourStateName;
  const named: string[] = Object.values(NAMED_TOURS);
  return {
    primaryEmail: row.email,
    hasAcceptedToc: row.has_accepted_toc,
    subscribe: row.has_subscribed,
    contactAboutExperiments: row.can_be_contacted,
    availableEmails: [{ email: row.email, primary: true, verified: false }],
    profilePhotoUrl: '',
    hasCompletedFindingsTour: stateOf('FINDINGS') === 'TOUR_STATE_COMPLETE',
    hasCompletedSupplyChainTour: stateOf('SUPPLY_CHAIN') === 'TOUR_STATE_COMPLETE',
    findingsTourState: stateOf(NAMED_TOURS.findingsTourState),
    supplyChainTourState: stateOf(NAMED_TOURS.supplyChainTourState),
    supplyChainFindingsTourState: stateOf(NAMED_TOURS.supplyChainFindingsTourState),
    tourStates: Object.keys(row.tours)
      .filter((tour) => !named.includes(tour))
      .sort()
      .map((tour) => ({ id: tour as contract.UserSettings['tourStates'][number]['id'], state: stateOf(tour) })),
  };
}

const resourceOf = ({ id, name }: Deployment) => ({
  sourceId: Number(id),
  name,
  sourceType: 'simple' as const,
  deploymentId: Number(id),
  scmName: '',
});

/** UsersService: the account, settings and deployments of the caller. */
export const users = group('UsersService', contract, {
  listUserAuthorizedResources: async ({ caller, tx, services }) => {
    const who = { account: caller.userId, email: caller.email };
    const current = await deployments.listByMember(tx, caller.userId, services.version);
    const joinable = await deployments.listJoinable(tx, who, services.version);
    return { current: current.map(resourceOf), joinable: joinable.map(resourceOf), scm: [] };
  },

  getUser: async ({ caller, query, tx }) => {
    requireSelf(query.userId, caller);
    const row = await store.find(tx, caller.userId, sessionOf(caller));
    return { user: userOf(row, sessionOf(caller)) };
  },

  listUserOrgs: async ({ caller, query, tx, services }) => {
    requireSelf(query.userId, caller);
    return { userId: caller.userId, orgs: await deployments.listByMember(tx, caller.userId, services.version) };
  },

  listUserJoinableOrgs: async ({ caller, query, tx, services }) => {
    requireSelf(query.userId, caller);
    const who = { account: caller.userId, email: caller.email };
    return { userId: caller.userId, orgs: await deployments.listJoinable(tx, who, services.version) };
  },

  leaveDeployment: async ({ path, caller, tx, answer }) => {
    const member = { deployment: path.deploymentId, account: caller.userId };
    const ended = await endMembership(tx, { ...member, endsSessions: false });
    answer.recordEffect({ object: `membership/${caller.userId}`, before: { role: caller.role }, after: ended });
    return {};
  },

  getUserSettings: async ({ caller, query, tx }) => {
    requireSelf(query.userId, caller);
    return { settings: settingsOf(await store.find(tx, caller.userId, sessionOf(caller))) };
  },

  patchUserSettings: async ({ caller, body, tx, answer }) => {
    requireSelf(body.userId, caller);
    const { primaryEmail } = body;
    if (primaryEmail !== undefined && people.emailKey(primaryEmail) !== people.emailKey(caller.email))
      throw contract.EMAIL_NOT_AVAILABLE({ email: primaryEmail });
    await store.update(tx, caller.userId, {
      hasAcceptedToc: body.hasAcceptedToc,
      subscribe: body.subscribe,
      contactAboutExperiments: body.contactAboutExperiments,
      usedCliLogin: body.usedCliLogin,
    });
    await store.updateTours(tx, caller.userId, changedTours(body));
    answer.recordEffect({ object: `account/${caller.userId}`, after: body });
    return { user: userOf(await store.find(tx, caller.userId, sessionOf(caller)), sessionOf(caller)) };
  },
});
