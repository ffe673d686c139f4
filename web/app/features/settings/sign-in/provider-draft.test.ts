import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  draftFromPreset,
  draftFromProvider,
  EMPTY_PROVIDER,
  findProviderPreset,
  PROVIDER_PRESETS,
  type ProviderRecord,
  providerBody,
} from './provider-draft.ts';

const entry: ProviderRecord = {
  enabled: true,
  provider: {
    name: 'okta',
    type: 'SSO_TYPE_OPENID',
    displayName: 'Okta',
    emailDomain: 'example.com',
    baseUrl: '',
    openidData: {
      clientId: 'parapet',
      clientSecret: '********',
      wellKnownUrl: 'https://example.okta.com/.well-known/openid-configuration',
      authUri: '',
      tokenUri: '',
      userinfoUri: '',
    },
    saml2Data: { idpIssuer: '', idpSsoUrl: '', x509cert: '', spEntityId: '', unspecifiedAuthnContext: false },
  },
};

test('a stored secret is neither shown nor sent back', () => {
  const draft = draftFromProvider(entry);
  assert.equal(draft.clientSecret, '');
  const { provider } = providerBody(draft);
  assert.equal('clientSecret' in (provider.openidData ?? {}), false);
  assert.equal('saml2Data' in provider, false);
});

test('a new secret is sent as typed, and other values are trimmed', () => {
  const { provider } = providerBody({ ...draftFromProvider(entry), clientId: ' x ', clientSecret: ' s ' });
  assert.deepEqual([provider.openidData?.clientId, provider.openidData?.clientSecret], ['x', ' s ']);
});

test('a SAML provider is sent without OpenID members', () => {
  const { provider } = providerBody({ ...EMPTY_PROVIDER, type: 'SSO_TYPE_SAML2', name: 'idp', clientId: 'left over' });
  assert.equal('openidData' in provider, false);
  assert.ok(provider.saml2Data);
});

test('a preset fills in only URLs that are the same for all customers', () => {
  for (const preset of PROVIDER_PRESETS) assert.doesNotMatch(draftFromPreset(preset).wellKnownUrl, /[A-Z]{3}/);
  assert.equal(findProviderPreset('nonsense'), undefined);
});
