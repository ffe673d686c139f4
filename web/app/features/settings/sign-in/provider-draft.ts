export type SsoType =
  | 'SSO_TYPE_SCMHOST'
  | 'SSO_TYPE_OPENID'
  | 'SSO_TYPE_SAML2'
  | 'SSO_TYPE_GITLAB'
  | 'SSO_TYPE_GOOGLE'
  | 'SSO_TYPE_SIMPLE'
  | 'SSO_TYPE_WORKOS';

/** A provider as edited in the form. */
export interface ProviderDraft {
  type: SsoType;
  enabled: boolean;
  name: string;
  displayName: string;
  emailDomain: string;
  baseUrl: string;
  clientId: string;
  /** A new secret; the stored secret is never shown and stays unchanged if this is empty. */
  clientSecret: string;
  wellKnownUrl: string;
  authUri: string;
  tokenUri: string;
  userinfoUri: string;
  idpIssuer: string;
  idpSsoUrl: string;
  x509cert: string;
  spEntityId: string;
  unspecifiedAuthnContext: boolean;
}

export const EMPTY_PROVIDER: ProviderDraft = {
  type: 'SSO_TYPE_OPENID',
  enabled: false,
  name: '',
  displayName: '',
  emailDomain: '',
  baseUrl: '',
  clientId: '',
  clientSecret: '',
  wellKnownUrl: '',
  authUri: '',
  tokenUri: '',
  userinfoUri: '',
  idpIssuer: '',
  idpSsoUrl: '',
  x509cert: '',
  spEntityId: '',
  unspecifiedAuthnContext: false,
};

export interface ProviderRecord {
  enabled: boolean;
  provider: {
    name: string;
    type: SsoType;
    displayName: string;
    emailDomain: string;
    baseUrl: string;
    openidData: Pick<
      ProviderDraft,
      'clientId' | 'clientSecret' | 'wellKnownUrl' | 'authUri' | 'tokenUri' | 'userinfoUri'
    >;
    saml2Data: Pick<ProviderDraft, 'idpIssuer' | 'idpSsoUrl' | 'x509cert' | 'spEntityId' | 'unspecifiedAuthnContext'>;
  };
}

export function draftFromProvider({ enabled, provider }: ProviderRecord): ProviderDraft {
  const { name, type, displayName, emailDomain, baseUrl, openidData, saml2Data } = provider;
  return { type, enabled, name, displayName, emailDomain, baseUrl, ...openidData, ...saml2Data, clientSecret: '' };
}

export const isSaml = ({ type }: Pick<ProviderDraft, 'type'>): boolean => type === 'SSO_TYPE_SAML2';
export const hasOAuthClient = ({ type }: Pick<ProviderDraft, 'type'>): boolean =>
  type !== 'SSO_TYPE_SAML2' && type !== 'SSO_TYPE_SIMPLE';

/** Whether people can sign in with a provider of this type. */
export const canSignIn = ({ type }: Pick<ProviderDraft, 'type'>): boolean => type !== 'SSO_TYPE_SIMPLE';

/** The request body of a draft; members that do not apply to the type and an unchanged secret are omitted. */
export function providerBody(draft: ProviderDraft) {
  const { type, name, displayName, emailDomain, baseUrl } = draft;
  const text = (value: string) => value.trim();
  const openidData = {
    clientId: text(draft.clientId),
    wellKnownUrl: text(draft.wellKnownUrl),
    authUri: text(draft.authUri),
    tokenUri: text(draft.tokenUri),
    userinfoUri: text(draft.userinfoUri),
    ...(draft.clientSecret === '' ? {} : { clientSecret: draft.clientSecret }),
  };
  const saml2Data = {
    idpIssuer: text(draft.idpIssuer),
    idpSsoUrl: text(draft.idpSsoUrl),
    x509cert: text(draft.x509cert),
    spEntityId: text(draft.spEntityId),
    unspecifiedAuthnContext: draft.unspecifiedAuthnContext,
  };
  return {
    enabled: draft.enabled,
    provider: {
      type,
      name: text(name),
      ...(text(displayName) === '' ? {} : { displayName: text(displayName) }),
      emailDomain: text(emailDomain),
      baseUrl: text(baseUrl),
      ...(hasOAuthClient(draft) ? { openidData } : {}),
      ...(isSaml(draft) ? { saml2Data } : {}),
    },
  };
}

export interface ProviderPreset {
  id: string;
  name: string;
  type: 'SSO_TYPE_OPENID' | 'SSO_TYPE_SAML2' | 'SSO_TYPE_SCMHOST';
  /** A template of the discovery URL, with placeholders in capitals. */
  urlTemplate: string;
  /** The discovery URL, if it is the same for all customers. */
  wellKnownUrl?: string;
  /** Where to find the values at the provider. */
  valuesLocation: string;
}

const DISCOVERY = '.well-known/openid-configuration';

export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  {
    id: 'okta',
    name: 'Okta',
    type: 'SSO_TYPE_OPENID',
    urlTemplate: `https://YOUR-ORG.okta.com/${DISCOVERY}`,
    valuesLocation: 'Applications ▸ your application ▸ General: client id and secret.',
  },
  {
    id: 'entra',
    name: 'Microsoft Entra',
    type: 'SSO_TYPE_OPENID',
    urlTemplate: `https://login.microsoftonline.com/TENANT-ID/v2.0/${DISCOVERY}`,
    valuesLocation: 'App registrations ▸ your application: Endpoints, and Certificates & secrets.',
  },
  {
    id: 'google',
    name: 'Google',
    type: 'SSO_TYPE_OPENID',
    urlTemplate: `https://accounts.google.com/${DISCOVERY}`,
    wellKnownUrl: `https://accounts.google.com/${DISCOVERY}`,
    valuesLocation: 'Google Cloud ▸ APIs & Services ▸ Credentials ▸ OAuth client.',
  },
  {
    id: 'keycloak',
    name: 'Keycloak',
    type: 'SSO_TYPE_OPENID',
    urlTemplate: `https://HOST/realms/REALM/${DISCOVERY}`,
    valuesLocation: 'Realm settings ▸ Endpoints, and Clients ▸ your client ▸ Credentials.',
  },
  {
    id: 'auth0',
    name: 'Auth0',
    type: 'SSO_TYPE_OPENID',
    urlTemplate: `https://TENANT.auth0.com/${DISCOVERY}`,
    valuesLocation: 'Applications ▸ your application ▸ Settings.',
  },
  {
    id: 'gitlab',
    name: 'GitLab',
    type: 'SSO_TYPE_OPENID',
    urlTemplate: `https://GITLAB-HOST/${DISCOVERY}`,
    wellKnownUrl: `https://gitlab.com/${DISCOVERY}`,
    valuesLocation: 'Settings ▸ Applications, with the scopes openid, profile and email.',
  },
  {
    id: 'github',
    name: 'GitHub',
    type: 'SSO_TYPE_SCMHOST',
    urlTemplate: '',
    valuesLocation: 'Settings ▸ Developer settings ▸ OAuth Apps. For GitHub Enterprise Server also enter its base URL.',
  },
  {
    id: 'oidc',
    name: 'Other OpenID Connect',
    type: 'SSO_TYPE_OPENID',
    urlTemplate: `https://HOST/${DISCOVERY}`,
    valuesLocation: 'Where the provider registers clients.',
  },
  {
    id: 'saml',
    name: 'SAML 2.0',
    type: 'SSO_TYPE_SAML2',
    urlTemplate: '',
    valuesLocation: 'In the metadata of the provider: entityID, SingleSignOnService and X509Certificate.',
  },
];

export const findProviderPreset = (id: string | undefined): ProviderPreset | undefined =>
  PROVIDER_PRESETS.find((preset) => preset.id === id);

export const draftFromPreset = (preset: ProviderPreset): ProviderDraft => ({
  ...EMPTY_PROVIDER,
  type: preset.type,
  name: preset.name,
  wellKnownUrl: preset.wellKnownUrl ?? '',
});
