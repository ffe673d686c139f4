import { X509Certificate } from 'node:crypto';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { DeploymentSsoProvider, SsoProviderInput } from './contract.ts';

/** What stands for a stored secret; it says nothing about the secret, not even its length. */
export const SECRET_MASK = '********';

type Provider = DeploymentSsoProvider['provider'];
/** A provider as it shall be stored: every member is there, the secret apart. */
export type SsoProviderDraft = Omit<Provider, 'id' | 'simpleData' | 'openidData'> & {
  openidData: Omit<Provider['openidData'], 'clientSecret'>;
};

/** The wish with everything that is absent made empty. */
export function draftOf(wish: SsoProviderInput): SsoProviderDraft {
  const { openidData: openid = {}, saml2Data: saml = {} } = wish;
  return {
    name: wish.name.trim(),
    type: wish.type,
    displayName: (wish.displayName ?? wish.name).trim(),
    emailDomain: (wish.emailDomain ?? '').toLowerCase(),
    baseUrl: wish.baseUrl ?? '',
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

/** What a request does to the secret: absent and the mask say that nothing changes. */
export function secretChangeOf(wish: SsoProviderInput): SsoSecretChange {
  const text = wish.openidData?.clientSecret;
  if (text === undefined || text === SECRET_MASK) return { kind: 'keep' };
  return text === '' ? { kind: 'remove' } : { kind: 'set', text };
}

/** A stored secret stays only with the client and the addresses that it was stored for. */
export function isSecretRequired(before: Provider, wanted: SsoProviderDraft, change: SsoSecretChange): boolean {
  if (change.kind !== 'keep' || before.openidData.clientSecret === '') return false;
  const { clientSecret: _, ...openid } = before.openidData;
  const isSameData = Object.entries(openid).every(
    ([member, text]) => wanted.openidData[member as keyof typeof openid] === text,
  );
  return !isSameData || before.baseUrl !== wanted.baseUrl || before.type !== wanted.type;
}

const PEM = /^-----BEGIN CERTIFICATE-----[\sA-Za-z\d+/=]+-----END CERTIFICATE-----\s*$/;
const BASE64 = /^[\sA-Za-z\d+/=]+$/;

/** Exactly one certificate, as PEM or as the bare base64 that metadata of identity providers holds. */
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

/** Everything about a provider that is wrong, by itself and for its type. */
export function validateProvider(
  wanted: SsoProviderDraft,
  change: SsoSecretChange,
  calls: (url: string) => boolean,
): FieldError[] {
  const { type, openidData: openid, saml2Data: saml } = wanted;
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
  if (!isSaml && !isEmpty(saml)) refuse('saml2Data', 'NOT_OF_TYPE', `does not go with ${type}`);
  const hasOpenId = !isEmpty(openid) || change.kind === 'set';
  if ((isSaml || type === 'SSO_TYPE_SIMPLE') && hasOpenId)
    refuse('openidData', 'NOT_OF_TYPE', `does not go with ${type}`);
  if (saml.x509cert !== '' && !readCertificate(saml.x509cert))
    refuse('saml2Data/x509cert', 'NOT_A_CERTIFICATE', 'is not one X.509 certificate');
  for (const [member, url] of urlsOf(wanted)) {
    // Where only a browser goes, any https address will do; what this server calls must be one that it may call.
    const isForBrowsers = BROWSED.includes(member) && url.startsWith('https://') && URL.canParse(url);
    if (url !== '' && !isForBrowsers && !calls(url))
      refuse(member, 'URL_REFUSED', 'is not an https address that this server may use');
  }
  return errors;
}

const BROWSED: readonly string[] = ['baseUrl', 'openidData/authUri', 'saml2Data/idpSsoUrl'];

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
