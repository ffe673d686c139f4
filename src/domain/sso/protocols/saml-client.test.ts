import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attackSaml } from '#test/support/sso/attack-saml.ts';
import { FORGERIES } from '#test/support/sso/forged-responses.ts';
import { readIdpMetadata } from './saml-metadata.ts';

describe('forged SAML responses', () => {
  test('are all refused, and so are mutations of each (SSO-05)', async () => {
    const { accepted, tried, good } = await attackSaml({ mutationsEach: 2, seed: 20_261_116 });
    assert.equal(good, 'person@acme.example', 'the response that all others are made from is not accepted');
    assert.deepEqual(accepted, []);
    assert.equal(tried, Object.keys(FORGERIES).length * 2 * 3);
  });
});

describe('the metadata of an identity provider', () => {
  const key = (use: string, text: string) =>
    `<KeyDescriptor${use}><KeyInfo><X509Data><X509Certificate>${text}</X509Certificate></X509Data></KeyInfo>` +
    '</KeyDescriptor>';
  const metadata = (content: string) =>
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.acme.example">' +
    `<IDPSSODescriptor>${content}` +
    '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://x.example/post"/>' +
    '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://x.example/"/>' +
    '</IDPSSODescriptor></EntityDescriptor>';

  test('gives the issuer, the redirect address and the signing certificates', () => {
    const keys = key(' use="signing"', ' AA\nBB ') + key(' use="encryption"', 'CC') + key('', 'DD');
    assert.deepEqual(readIdpMetadata(metadata(keys)), {
      idpIssuer: 'https://id.acme.example',
      idpSsoUrl: 'https://x.example/',
      certificates: ['AABB', 'DD'],
    });
  });

  test('is refused if it is incomplete, of several providers, or no XML', () => {
    const one = metadata(key('', 'AA'));
    for (const text of ['', '{}', metadata(''), `<!DOCTYPE x>${one}`, `<x>${one}${one}</x>`, one.slice(0, -1)])
      assert.equal(readIdpMetadata(text), undefined, text.slice(0, 40));
  });
});
