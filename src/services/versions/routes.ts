import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** VersionsService: scanner versions in use. */
export const versions = group('VersionsService', contract, {
  getProjectVersionInfo: async ({ path, tx, caller }) => ({ projectInfo: await store.list(tx, caller, path.product) }),
});
