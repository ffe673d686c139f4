import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createRequire } from 'node:module';

/** Without its types, which declare the globals of browsers. */
const { SamlLib } = createRequire(import.meta.url)('samlify') as {
  SamlLib: { constructSAMLSignature(options: object): string };
};

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
};
const SHA256_WITH_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** A self-signed certificate that is valid from 2020 to 2049. */
function selfSigned(publicKey: KeyObject, privateKey: KeyObject): string {
  const name = tlv(0x30, tlv(0x31, tlv(0x30, COMMON_NAME, tlv(0x0c, Buffer.from('id.acme.example')))));
  const time = (text: string) => tlv(0x17, Buffer.from(text));
  const content = tlv(
    0x30,
    tlv(0x02, Buffer.of(1)),
    SHA256_WITH_RSA,
    name,
    tlv(0x30, time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = tlv(0x30, content, SHA256_WITH_RSA, tlv(0x03, Buffer.of(0), signature));
  return certificate.toString('base64');
}

export interface SamlAnswer {
  /** The id of the request; empty if the provider begins. */
  inResponseTo: string;
  acs: string;
  audience: string;
  subject: string;
  attributes: Readonly<Record<string, string | readonly string[]>>;
  issuer?: string;
  nameIdFormat?: string;
  /** How old the assertion is. */
  ageMs?: number;
  signs?: 'assertion' | 'response' | 'both' | 'nothing';
  algorithm?: string;
}

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const xmlOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const part = (name: string) => `/*[local-name(.)='Response']${name}`;

/** A SAML identity provider, whose responses samlify signs. */
export class SamlProvider {
  readonly issuer = 'https://id.acme.example/saml';
  readonly certificate: string;
  readonly #privateKey: string;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.certificate = selfSigned(publicKey, privateKey);
    this.#privateKey = privateKey.export({ format: 'pem', type: 'pkcs1' }) as string;
  }

  /** The response as XML, signed as asked. */
  xml(answer: SamlAnswer): string {
    const { signs = 'assertion' } = answer;
    let text = this.#plain(answer);
    if (signs === 'assertion' || signs === 'both')
      text = this.#sign(text, part("/*[local-name(.)='Assertion']"), answer);
    if (signs === 'response' || signs === 'both') text = this.#sign(text, part(''), answer);
    return text;
  }

  respond = (answer: SamlAnswer): string => Buffer.from(this.xml(answer)).toString('base64');

  #sign(text: string, at: string, { algorithm = RSA_SHA256 }: SamlAnswer): string {
    return SamlLib.constructSAMLSignature({
      rawSamlMessage: text,
      referenceTagXPath: at,
      privateKey: this.#privateKey,
      signatureAlgorithm: algorithm,
      signingCert: this.certificate,
      isBase64Output: false,
      signatureConfig: {
        prefix: 'ds',
        location: { reference: `${at}/*[local-name(.)='Issuer']`, action: 'after' },
      },
    });
  }

  #plain({ ageMs = 0, issuer = this.issuer, ...answer }: SamlAnswer): string {
    const at = (ms: number) => new Date(Date.now() - ageMs + ms).toISOString();
    const answers = answer.inResponseTo === '' ? '' : ` InResponseTo="${answer.inResponseTo}"`;
    const values = (value: string | readonly string[]) =>
      [value].flat().map((text) => `<saml:AttributeValue>${xmlOf(text)}</saml:AttributeValue>`);
    const attributes = Object.entries(answer.attributes).map(
      ([name, value]) => `<saml:Attribute Name="${name}">${values(value).join('')}</saml:Attribute>`,
    );
    const format = answer.nameIdFormat ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
    return (
      '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ' +
      'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ' +
      `ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${answer.acs}"${answers}>` +
      `<saml:Issuer>${issuer}</saml:Issuer><samlp:Status>` +
      '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>' +
      `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" ` +
      `IssueInstant="${at(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject>` +
      `<saml:NameID Format="${format}">${xmlOf(answer.subject)}</saml:NameID>` +
      '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">' +
      `<saml:SubjectConfirmationData NotOnOrAfter="${at(300_000)}" Recipient="${answer.acs}"${answers}/>` +
      '</saml:SubjectConfirmation></saml:Subject>' +
      `<saml:Conditions NotBefore="${at(-5000)}" NotOnOrAfter="${at(300_000)}"><saml:AudienceRestriction>` +
      `<saml:Audience>${answer.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
      `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="session-1"><saml:AuthnContext>` +
      '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>' +
      `</saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}` +
      '</saml:AttributeStatement></saml:Assertion></samlp:Response>'
    );
  }
}
