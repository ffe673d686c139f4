import * as people from '#domain/people/store.ts';
import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** FeatureRolloutsService: what is switched on for a deployment before everybody gets it. */
export const featureRollouts = group('FeatureRolloutsService', contract, {
  listAvailableFeatureRollouts: async ({ tx, caller }) => {
    const deployment = caller.deployment || (await people.firstRole(tx, caller.userId))?.deployment;
    return { features: deployment === undefined ? [] : await store.list(tx, deployment) };
  },
});
