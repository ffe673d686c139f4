import * as automations from '#domain/automations/store.ts';
import * as comments from '#domain/review-comments/store.ts';
import { saveSettings } from '#domain/sso/sso-settings.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import { draftOf } from '#services/deployment-sso-providers/rules.ts';
import * as sso from '#services/deployment-sso-providers/store.ts';
import { EMPTY_SETTINGS } from '#services/package-manager-configs/rules.ts';
import { insertPackageManager } from '#services/package-manager-configs/store.ts';
import * as partner from '#services/partner-credential/store.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';

export async function makeAutomation({ world, place }: Scenario): Promise<string> {
  const condition = { type: 'CONDITION_TYPE_SEVERITY', mode: 'MODE_ANY', values: ['critical'] } as const;
  const made = await world.inDeployment(place, (tx) =>
    automations.insert(tx, place.id, {
      name: uniqueName('Automation '),
      description: '',
      active: true,
      triggerSource: 'TRIGGER_SOURCE_SCAN',
      filters: { mode: 'MODE_ALL', conditions: [{ ...condition, values: [...condition.values] }] },
      actions: [{ type: 'ACTION_TYPE_PR_COMMENT', config: {}, id: '1' }],
      lastActionId: 1,
      by: 'somebody',
    }),
  );
  return made.id;
}

export async function makeDeletedAutomation({ world, place }: Scenario): Promise<string> {
  const id = await makeAutomation({ world, place });
  return world.inDeployment(place, (tx) => automations.remove(tx, place.id, id)).then(() => id);
}

/** A product has at most one content: removes that of another test. */
export async function makeProductWithoutContent({ world, place }: Scenario): Promise<string> {
  await world.queryAsOwner('delete from review_comment_content where deployment_id = $1', [place.id]);
  return 'PRODUCT_SAST';
}

export async function makeReviewCommentContent(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const product = await makeProductWithoutContent(scene);
  const wanted = { product, contentType: 'REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM', content: uniqueName('Ask us ') };
  return (await world.inDeployment(place, (tx) => comments.insert(tx, place.id, wanted)))?.id ?? '';
}

export function makePartnerCredential({ world, place }: Scenario): Promise<string> {
  return world.inDeployment(place, (tx) =>
    partner.insert(tx, world.keys, {
      deployment: place.id,
      recipient: {
        clientId: 'parapet',
        apiUrl: 'https://api.vendor.example/graphql',
        tokenUrl: 'https://auth.vendor.example/oauth/token',
      },
      secret: new Secret('made for a test'),
    }),
  );
}

export function makeSsoProvider({ world, place }: Scenario): Promise<string> {
  return world.inDeployment(place, async (tx) => {
    const draft = draftOf({
      name: uniqueName('provider '),
      type: 'SSO_TYPE_OPENID',
      openidData: { clientId: 'parapet', wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration' },
    });
    const provider = (await sso.insert(tx, place.id, { draft, isEnabled: true })) ?? '';
    const groups = [{ group: 'security', role: 'ORG_ROLE_MEMBER' as const, teamIds: [] }];
    const settings = {
      ...{ groupsClaim: 'groups', idTokenAlg: '', isEmailTrusted: false, groups },
      ...{ emailClaim: '', secondCertificate: '', allowsIdpInitiated: false },
    };
    await saveSettings(tx, { deployment: place.id, provider }, settings);
    return provider;
  });
}

/** The settings of managed scans, by their id. */
export async function makeManagedScanSettings({ world, place }: Scenario): Promise<string> {
  const [row] = await world.queryAsOwner<{ id: string }>(
    `insert into managed_scan_settings (deployment_id, fail_open, fail_open_timeout_seconds) values ($1, true, 600)
     on conflict (deployment_id) do update set fail_open = true returning id`,
    [place.id],
  );
  return row?.id ?? '';
}

export async function makeDeploymentWithoutScanSettings({ world, place }: Scenario): Promise<string> {
  await world.queryAsOwner('delete from managed_scan_settings where deployment_id = $1', [place.id]);
  return place.id;
}

/** A package registry without a credential, by its id. */
export async function makePackageManagerConfig({ world, place }: Scenario): Promise<string> {
  const settings = { ...EMPTY_SETTINGS, name: uniqueName('Packages '), url: 'https://go.example.com/' };
  return world.inDeployment(place, (tx) => insertPackageManager(tx, place.id, { ...settings, ecosystem: 'gomod' }));
}
