import { redeemSamlResponse, samlAddressesOf } from '#domain/sso/protocols/saml-client.ts';
import { unsolicitedFlow } from '#domain/sso/sign-in-flow.ts';
import type { SignInProvider } from '#domain/sso/sign-in-provider.ts';
import { SamlProvider } from '../world/saml-provider.ts';
import { FORGERIES, forge, mutate } from './forged-responses.ts';
import { randomOf } from './random-of.ts';

const BASE = 'https://parapet.example';
const VICTIM = 'person';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/**
 * Sends every forgery and mutations of it. A mutation that changes nothing of what is signed may be accepted, but only
 * for what the provider has signed: whatever else is accepted is returned.
 */
export async function attackSaml({ mutationsEach, seed }: { mutationsEach: number; seed: number }) {
  const idp = new SamlProvider();
  const provider = {
    ...{
      id: '7',
      deployment: '1',
      type: 'SSO_TYPE_SAML2',
      idpIssuer: idp.issuer,
      idpSsoUrl: 'https://id.acme.example',
    },
    ...{ x509cert: idp.certificate, secondX509cert: '', spEntityId: '', unspecifiedAuthnContext: true },
    ...{ emailClaim: '', groupsClaim: 'groups', allowsIdpInitiated: true },
  } as SignInProvider;
  const { acs, entityId } = samlAddressesOf(BASE, provider);
  const flow = { ...unsolicitedFlow({ deployment: '1', provider: '7', version: 1 }, new Date()), state: 'state' };
  const response = (signs: 'assertion' | 'response' | 'both') =>
    idp.xml({
      ...{ inResponseTo: '_state', acs, audience: entityId, subject: VICTIM, signs },
      attributes: { email: 'person@acme.example', groups: ['staff'] },
    });
  const redeem = async (xml: string) => {
    const encoded = Buffer.from(xml).toString('base64');
    const { claims } = await redeemSamlResponse(BASE, provider, flow, encoded);
    return { who: textOf(claims['sub']), email: textOf(claims['email']), groups: textOf(claims['groups']) };
  };
  const random = randomOf(seed);
  const accepted: string[] = [];
  let tried = 0;
  const isSigned = ({ who, email, groups }: Awaited<ReturnType<typeof redeem>>) =>
    who === VICTIM && email === 'person@acme.example' && groups === 'staff';
  for (const signs of ['assertion', 'both'] as const) {
    const good = response(signs);
    for (const name of Object.keys(FORGERIES)) {
      const forged = forge(name, good, VICTIM, 'attacker');
      const texts = [forged, ...Array.from({ length: mutationsEach }, () => mutate(forged, random))];
      for (const [index, text] of texts.entries()) {
        tried++;
        const result = await redeem(text).catch(() => undefined);
        // A mutation may undo its forgery; then it is the good response again.
        if (result && (index === 0 ? text !== good : !isSigned(result))) accepted.push(`${signs}: ${name} ${index}`);
      }
    }
  }
  const { email } = await redeem(response('assertion'));
  return { accepted, tried, good: email };
}
