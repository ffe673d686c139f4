import { type Profile, SAML, SamlStatusError, ValidateInResponseTo } from '@node-saml/node-saml';
import { z } from 'zod';
import type { IdentityClaims } from '../identity-claims.ts';
import type { SignInFlow } from '../sign-in-flow.ts';
import type { SignInProvider } from '../sign-in-provider.ts';
import { type SsoCheck, SsoRefusal } from '../sso-refusal.ts';
import type { ProviderAnswer } from './oidc-client.ts';
import { inspectSamlResponse } from './saml-document.ts';

const SKEW_MS = 60_000;
const MAX_AGE_MS = 10 * 60_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** The addresses of this server as a service provider, one set for each identity provider. */
export const samlAddressesOf = (baseUrl: string, provider: Pick<SignInProvider, 'id' | 'spEntityId'>) => {
  const metadata = `${baseUrl}/api/auth/sso/saml/${provider.id}/metadata`;
  return {
    metadata,
    acs: `${baseUrl}/api/auth/sso/saml/${provider.id}/acs`,
    entityId: provider.spEntityId || metadata,
  };
};

const pemOf = (text: string): string => {
  const base64 = text.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
};

function samlOf(baseUrl: string, provider: SignInProvider, requestId?: string): SAML {
  const { acs, entityId } = samlAddressesOf(baseUrl, provider);
  return new SAML({
    // Two certificates while the provider rolls over from one to the next; keys in the response are ignored.
    idpCert: [provider.x509cert, provider.secondX509cert].filter((text) => text !== '').map(pemOf),
    issuer: entityId,
    callbackUrl: acs,
    entryPoint: provider.idpSsoUrl,
    audience: entityId,
    acceptedClockSkewMs: SKEW_MS,
    maxAssertionAgeMs: MAX_AGE_MS,
    identifierFormat: null,
    disableRequestedAuthnContext: provider.unspecifiedAuthnContext,
    // One signature is enough, of the response or of the assertion: claims are read from what it covers.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.never,
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
  });
}

/** An id may not begin with a digit. */
const requestIdOf = ({ state }: SignInFlow): string => `_${state}`;

/** Where the browser goes to sign in: an authentication request in the redirect binding. */
export const samlAuthorizationUrl = (baseUrl: string, provider: SignInProvider, flow: SignInFlow): Promise<string> =>
  samlOf(baseUrl, provider, requestIdOf(flow)).getAuthorizeUrlAsync('', undefined, {});

/** What the administrator of the identity provider imports. */
export const samlMetadata = (baseUrl: string, provider: SignInProvider): string =>
  samlOf(baseUrl, provider).generateServiceProviderMetadata(null, null);

const Confirmation = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: z.tuple([
    z.object({ $: z.object({ Recipient: z.string(), NotOnOrAfter: z.string(), InResponseTo: z.string().optional() }) }),
  ]),
});
const VerifiedAssertion = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1).max(512), IssueInstant: z.string() }),
    Subject: z.tuple([z.object({ SubjectConfirmation: z.tuple([Confirmation]) })]),
    Conditions: z.tuple([z.looseObject({ $: z.object({ NotOnOrAfter: z.string() }) })]),
  }),
});

/** Verifies a response and returns what its signed assertion says. */
export async function redeemSamlResponse(
  baseUrl: string,
  provider: SignInProvider,
  flow: SignInFlow | undefined,
  encoded: string,
): Promise<ProviderAnswer> {
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  const isExact = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/\s+/g, '').replace(/=+$/, '');
  // Whoever decodes leniently may read another document than was checked.
  if (!isExact || !Buffer.from(text, 'utf8').equals(bytes))
    throw new SsoRefusal('provider_answer', 'The response is not base64 of UTF-8 text.');
  const envelope = inspectSamlResponse(text);
  const profile = await verify(samlOf(baseUrl, provider), encoded);
  const { acs } = samlAddressesOf(baseUrl, provider);
  const { Assertion: assertion } = assertionOf(profile);
  const [{ SubjectConfirmation }] = assertion.Subject;
  const [{ $: confirmation, SubjectConfirmationData }] = SubjectConfirmation;
  const { Recipient: recipient, InResponseTo: inResponseTo = '' } = SubjectConfirmationData[0].$;
  if (profile.issuer !== provider.idpIssuer)
    throw new SsoRefusal('issuer', `The issuer is ${profile.issuer}, but ${provider.idpIssuer} is expected.`);
  if (confirmation.Method !== BEARER) throw new SsoRefusal('claims', 'The subject is not confirmed as bearer.');
  if (recipient !== acs || (envelope.destination !== '' && envelope.destination !== acs))
    throw new SsoRefusal('audience', `The response is for ${recipient}, but ${acs} is expected.`);
  const expected = flow ? requestIdOf(flow) : '';
  if (inResponseTo !== expected || envelope.inResponseTo !== expected)
    throw new SsoRefusal('same_browser', 'The response does not answer the request of this browser.');
  if (profile.nameIDFormat === TRANSIENT || !profile.nameID)
    throw new SsoRefusal('claims', 'The NameID is transient: configure a persistent one or the e-mail address.');
  return {
    issuer: profile.issuer,
    claims: claimsOf(profile, provider),
    idpSession: profile.sessionIndex ?? '',
    signOutUrl: '',
    usedOnce: `assertion ${assertion.$.ID}`,
  };
}

async function verify(saml: SAML, encoded: string): Promise<Profile> {
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded });
    if (profile) return profile;
  } catch (error) {
    throw refusalOfSaml(error);
  }
  throw new SsoRefusal('provider_answer', 'The response has no assertion.');
}

function refusalOfSaml(error: unknown): SsoRefusal {
  const text = error instanceof Error ? error.message : 'The response cannot be read.';
  if (error instanceof SamlStatusError) return new SsoRefusal('provider_answer', text);
  const checks: [pattern: RegExp, check: SsoCheck][] = [
    [/audience/i, 'audience'],
    [/expired|not yet valid|too old|clock/i, 'time'],
    [/signature|signed/i, 'signature'],
  ];
  return new SsoRefusal(checks.find(([pattern]) => pattern.test(text))?.[1] ?? 'claims', text);
}

function assertionOf(profile: Profile): z.output<typeof VerifiedAssertion> {
  const parsed = VerifiedAssertion.safeParse(profile.getAssertion?.());
  if (!parsed.success) throw new SsoRefusal('claims', 'The assertion lacks its subject confirmation or conditions.');
  return parsed.data;
}

const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const NAME_ATTRIBUTES = [
  'name',
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
];

/** The attributes as claims. Only those of the verified assertion are read. */
function claimsOf(profile: Profile, { emailClaim }: SignInProvider): IdentityClaims {
  const attributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  const first = (names: readonly string[]) =>
    names.map((name) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined)).find(Boolean);
  const isAddress = profile.nameIDFormat.endsWith(':emailAddress');
  return {
    ...attributes,
    sub: profile.nameID,
    name: first(NAME_ATTRIBUTES),
    email: first(emailClaim === '' ? EMAIL_ATTRIBUTES : [emailClaim]) ?? (isAddress ? profile.nameID : undefined),
    // SAML has no word for it: the setting of the provider decides.
    email_verified: undefined,
  };
}
