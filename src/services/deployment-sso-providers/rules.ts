import { X509Certificate } from 'node:crypto';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { DeploymentSsoProvider, SsoProviderInput } from './contract.ts';

/** The placeholder for a stored secret; it does not reveal its length. */
export const SECRET_MASK = '********';

type Provider = DeploymentSsoProvider['provider'];
/** A provider as it is stored: all members except the secret. */
export type SsoProviderDraft = Omit<Provider, 'id' | 'simpleData' | 'openidData'> & {
  openidData: Omit<Provider['openidData'], 'clientSecret'>;
};

/** The input with empty defaults for absent members. */
export function draftOf(input: SsoProviderInput): SsoProviderDraft {
  const { openidData: openid = {}, saml2Data: saml = {} } = input;
  return {
    name: input.name.trim(),
    type: input.type,
    displayName: (input.displayName ?? input.name).trim(),
    emailDomain: (input.emailDomain ?? '').toLowerCase(),
    baseUrl: input.baseUrl ?? '',
    openidData: {
      clientId: openid.clientId ?? '',
      wellKnownUrl: openid.wellKnownUrl ?? '',
      authUri: openid.authUri ?? '',
      tokenUri: openid.tokenUri ?? '',
      userinfoUri: openid.userinfoUri ?? '',
    },
    saml2Data: {
      idpIssuer: saml.idpIssuer ?? '',
      idpSsoUrl: saml.idpSsoUrl ?? '',
      x509cert: saml.x509cert ?? '',
      unspecifiedAuthnContext: saml.unspecifiedAuthnContext ?? false,
      spEntityId: saml.spEntityId ?? '',
    },
  };
}

export type SsoSecretChange = { kind: 'keep' } | { kind: 'remove' } | { kind: 'set'; text: string };

/** What a request does to the secret: it is unchanged if absent or masked. */
export function secretChangeOf(input: SsoProviderInput): SsoSecretChange {
  const text = input.openidData?.clientSecret;
  if (text === undefined || text === SECRET_MASK) return { kind: 'keep' };
  return text === '' ? { kind: 'remove' } : { kind: 'set', text };
}

/** A stored secret is kept only for the client and the URLs for which it was stored. */
export function isSecretRequired(before: Provider, draft: SsoProviderDraft, change: SsoSecretChange): boolean {
  if (change.kind !== 'keep' || before.openidData.clientSecret === '') return false;
  const { clientSecret: _, ...openid } = before.openidData;
  const isSameData = Object.entries(openid).every(
    ([member, text]) => draft.openidData[member as keyof typeof openid] === text,
  );
  return !isSameData || before.baseUrl !== draft.baseUrl || before.type !== draft.type;
}

const PEM = /^-----BEGIN CERTIFICATE-----[\sA-Za-z\d+/=]+-----END CERTIFICATE-----\s*$/;
const BASE64 = /^[\sA-Za-z\d+/=]+$/;

/** Parses exactly one certificate, as PEM or as the bare base64 of SAML metadata. */
export function readCertificate(text: string): X509Certificate | undefined {
  const isPem = PEM.test(text);
  if (!isPem && !BASE64.test(text)) return undefined;
  try {
    return new X509Certificate(isPem ? text : Buffer.from(text, 'base64'));
  } catch {
    return undefined;
  }
}

const isEmpty = (data: object) => Object.values(data).every((value) => value === '' || value === false);

/** The errors of a provider, in general and for its type. */
export function validateProvider(
  draft: SsoProviderDraft,
  change: SsoSecretChange,
  isCallable: (url: string) => boolean,
): FieldError[] {
  const { type, openidData: openid, saml2Data: saml } = draft;
  const errors: FieldError[] = [];
  const refuse = (member: string, code: string, detail: string) =>
    errors.push({ pointer: `#/provider/${member}`, code, detail });
  const need = (member: string, text: string) => {
    if (text === '') refuse(member, 'REQUIRED', `is required for ${type}`);
  };
  const isOpenId = type === 'SSO_TYPE_OPENID';
  const isSaml = type === 'SSO_TYPE_SAML2';
  if (isOpenId) {
    need('openidData/clientId', openid.clientId);
    need('openidData/wellKnownUrl', openid.wellKnownUrl);
  }
  if (isSaml) {
    need('saml2Data/idpIssuer', saml.idpIssuer);
    need('saml2Data/idpSsoUrl', saml.idpSsoUrl);
    need('saml2Data/x509cert', saml.x509cert);
  }
  if (!isSaml && !isEmpty(saml)) refuse('saml2Data', 'NOT_OF_TYPE', `is not allowed for ${type}`);
  const hasOpenId = !isEmpty(openid) || change.kind === 'set';
  if ((isSaml || type === 'SSO_TYPE_SIMPLE') && hasOpenId)
    refuse('openidData', 'NOT_OF_TYPE', `is not allowed for ${type}`);
  if (saml.x509cert !== '' && !readCertificate(saml.x509cert))
    refuse('saml2Data/x509cert', 'NOT_A_CERTIFICATE', 'is not a single X.509 certificate');
  for (const [member, url] of urlsOf(draft)) {
    // Any https URL is allowed where only a browser goes; URLs that this server calls must be allowed targets.
    const isBrowserUrl = BROWSER_MEMBERS.includes(member) && url.startsWith('https://') && URL.canParse(url);
    if (url !== '' && !isBrowserUrl && !isCallable(url))
      refuse(member, 'URL_REFUSED', 'is not an https address that this server may use');
  }
  return errors;
}

const BROWSER_MEMBERS: readonly string[] = ['baseUrl', 'openidData/authUri', 'saml2Data/idpSsoUrl'];

const urlsOf = ({
  baseUrl,
  openidData: openid,
  saml2Data: saml,
}: SsoProviderDraft): [member: string, url: string][] => [
  ['baseUrl', baseUrl],
  ['openidData/wellKnownUrl', openid.wellKnownUrl],
  ['openidData/authUri', openid.authUri],
  ['openidData/tokenUri', openid.tokenUri],
  ['openidData/userinfoUri', openid.userinfoUri],
  ['saml2Data/idpSsoUrl', saml.idpSsoUrl],
];
