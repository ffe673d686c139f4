import { mergeProductSettings, triagePermissionOf } from '#domain/products/rules.ts';
import { ProductChange, type ProductConfig, type ProductSettings } from '#domain/products/shape.ts';
import * as store from '#domain/products/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

type Body = Call<typeof contract.putDeploymentProductConfig>['body'];

const NAME = 'legacy_allow_aiprovider_code_sharing';
const ALIAS = 'legacy_allow_openai_code_sharing';

/** The settings in a request body, without reply-only members and with aliases resolved. */
function changeIn(body: Body): ProductChange {
  const change = ProductChange.parse(body);
  const { [NAME]: named, [ALIAS]: aliased } = body.ai ?? {};
  if (aliased === undefined) return change;
  if (named !== undefined && named !== aliased)
    throw contract.PRODUCT_NAMES_DISAGREE(
      { name: NAME, alias: ALIAS },
      { errors: [{ pointer: `#/ai/${NAME}`, code: 'TWO_SPELLINGS', detail: `given also as ${ALIAS}` }] },
    );
  return mergeProductSettings(change, { ai: { [NAME]: aliased } });
}

function shownTo({ permissions }: Caller, settings: ProductSettings): ProductConfig {
  const triagePermission = triagePermissionOf(permissions, settings);
  return {
    ...settings,
    ai: { ...settings.ai, mdr_enabled: false },
    sast: { ...settings.sast, triagePermission },
    sca: { ...settings.sca, triagePermission },
    secrets: { ...settings.secrets, triagePermission },
  };
}

/** No operation can suspend scans. */
const notSuspended = { scans_suspended_on: 0, scans_suspended_until: 0, scans_suspended_by: 0 };

/** DeploymentProductsService: the product configuration of a deployment. */
export const deploymentProducts = group('DeploymentProductsService', contract, {
  getDeploymentProductConfig: async ({ path, tx, caller, answer }) => {
    const { settings, version } = await store.find(tx, path.deploymentId);
    answer.setEtag(version);
    return { products: shownTo(caller, settings) };
  },

  putDeploymentProductConfig: async ({ path, body, tx, caller, answer }) => {
    const change = changeIn(body);
    const before = await store.findForUpdate(tx, path.deploymentId);
    answer.expectVersion(before.version);
    const after = await store.save(tx, path.deploymentId, mergeProductSettings(before.chosen, change));
    answer.recordEffect({ object: `products/${path.deploymentId}`, before: before.settings, after: after.settings });
    answer.setEtag(after.version);
    return { products: shownTo(caller, after.settings) };
  },

  getDeploymentAdminProductConfig: async () => ({
    products: {
      sast: notSuspended,
      sca: notSuspended,
      secrets: notSuspended,
      engine: { controlled_rollout_enabled: false },
    },
  }),
});
