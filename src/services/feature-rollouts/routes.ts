import * as accounts from '#domain/accounts/store.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** FeatureRolloutsService: features that are enabled for a deployment before their general release. */
export const featureRollouts = group('FeatureRolloutsService', contract, {
  listAvailableFeatureRollouts: async ({ tx, caller }) => {
    const deployment = caller.deployment || (await accounts.findFirstMembership(tx, caller.userId))?.deployment;
    return { features: deployment === undefined ? [] : await store.list(tx, deployment) };
  },
});
