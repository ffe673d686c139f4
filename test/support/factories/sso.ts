import { sealWay } from '#domain/sso/sign-in-flow.ts';
import * as domains from '#domain/sso/sso-domains.ts';
import { draftOf } from '#services/deployment-sso-providers/rules.ts';
import * as sso from '#services/deployment-sso-providers/store.ts';
import { CERTIFICATE } from '../world/certificates.ts';
import type { Scenario } from '../world/scenario.ts';
import { type TestDeployment, uniqueName, type World } from '../world/world.ts';

/** A provider with which a sign-in starts without asking it anything. */
export function makeStartableSsoProvider({ world, place }: Scenario): Promise<string> {
  return world.inDeployment(place, async (tx) => {
    const openidData = { clientId: 'parapet' };
    const draft = draftOf({ name: uniqueName('provider '), type: 'SSO_TYPE_SCMHOST', openidData });
    return (await sso.insert(tx, place.id, { draft, isEnabled: true })) ?? '';
  });
}

export function makeSamlProvider({ world, place }: Scenario): Promise<string> {
  return world.inDeployment(place, async (tx) => {
    const saml2Data = { idpIssuer: 'acme', idpSsoUrl: 'https://id.acme.example/sso', x509cert: CERTIFICATE };
    const draft = draftOf({ name: uniqueName('provider '), type: 'SSO_TYPE_SAML2', saml2Data });
    return (await sso.insert(tx, place.id, { draft, isEnabled: true })) ?? '';
  });
}

export const makeSignInWay = async (scene: Scenario): Promise<string> =>
  sealWay(scene.world.keys, { deployment: scene.place.id, provider: await makeStartableSsoProvider(scene) });

/** A domain that is not proved yet, with the record that proves it. */
export async function makeSsoDomain({ world, place }: Scenario): Promise<string> {
  const ref = { deployment: place.id, domain: `${uniqueName('domain')}.example` };
  const added = await world.inDeployment(place, async (tx) => {
    await domains.addDomain(tx, ref);
    return domains.findDomain(tx, world.keys, ref);
  });
  if (added) world.txtRecords.set(added.recordName, added.recordValue);
  return ref.domain;
}

/** Adds a domain to a deployment as a proved one. */
export async function proveDomain(world: World, place: Pick<TestDeployment, 'id'>, domain: string): Promise<void> {
  const ref = { deployment: place.id, domain };
  await world.inDeployment(place, async (tx) => {
    await domains.addDomain(tx, ref);
    if (!(await domains.proveDomain(tx, ref, new Date()))) throw new Error('Another deployment has this domain.');
  });
}

/** The cookies that a reply set, as a browser sends them back. */
export const cookiesOf = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
