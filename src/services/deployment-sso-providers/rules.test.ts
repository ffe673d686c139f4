import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkDiscoveryDocument } from '#domain/sso/protocols/discovery-document.ts';
import { CERTIFICATE, EXPIRED } from '#test/support/world/certificates.ts';
import type { DeploymentSsoProvider, SsoProviderInput } from './contract.ts';
import { checkCertificate } from './discovery.ts';
import { draftOf, isSecretRequired, readCertificate, SECRET_MASK, secretChangeOf, validateProvider } from './rules.ts';

const isHttps = (url: string) => url.startsWith('https://');
const openid: SsoProviderInput = {
  name: 'Acme',
  type: 'SSO_TYPE_OPENID',
  openidData: { clientId: 'parapet', wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration' },
};
const saml: SsoProviderInput = {
  name: 'Acme',
  type: 'SSO_TYPE_SAML2',
  saml2Data: { idpIssuer: 'acme', idpSsoUrl: 'https://id.acme.example:8444/sso', x509cert: CERTIFICATE },
};
const stored = (secret: string): DeploymentSsoProvider['provider'] => {
  const wanted = draftOf(openid);
  return {
    ...wanted,
    id: '1' as DeploymentSsoProvider['provider']['id'],
    simpleData: {},
    openidData: { ...wanted.openidData, clientSecret: secret },
  };
};
const codesOf = (wish: SsoProviderInput) =>
  validateProvider(draftOf(wish), secretChangeOf(wish), isHttps).map(({ pointer, code }) => `${pointer} ${code}`);

describe('a provider', () => {
  test('has the members that its type requires, and none of another type', () => {
    assert.deepEqual(codesOf(openid), []);
    assert.deepEqual(codesOf(saml), []);
    assert.deepEqual(codesOf({ name: 'x', type: 'SSO_TYPE_SIMPLE' }), []);
    assert.deepEqual(codesOf({ name: 'x', type: 'SSO_TYPE_OPENID' }), [
      '#/provider/openidData/clientId REQUIRED',
      '#/provider/openidData/wellKnownUrl REQUIRED',
    ]);
    assert.deepEqual(codesOf({ ...saml, type: 'SSO_TYPE_SIMPLE' }), ['#/provider/saml2Data NOT_OF_TYPE']);
    assert.deepEqual(codesOf({ ...openid, type: 'SSO_TYPE_SIMPLE' }), ['#/provider/openidData NOT_OF_TYPE']);
  });

  test('has only https URLs', () => {
    const { openidData = {} } = openid;
    for (const member of ['wellKnownUrl', 'authUri', 'tokenUri', 'userinfoUri'] as const)
      assert.deepEqual(codesOf({ ...openid, openidData: { ...openidData, [member]: 'http://id.acme.example/' } }), [
        `#/provider/openidData/${member} URL_REFUSED`,
      ]);
  });

  test('has one valid certificate, as PEM or as bare base64', () => {
    const bare = CERTIFICATE.replace(/-----[^-]+-----/g, '');
    for (const text of [CERTIFICATE, bare, bare.replace(/\s/g, '')]) assert.ok(readCertificate(text));
    for (const text of ['', 'x', CERTIFICATE + CERTIFICATE, CERTIFICATE.replace('M', 'N'), bare.slice(0, 100), '🔑'])
      assert.equal(readCertificate(text), undefined);
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readCertificate(text) === undefined));
  });
});

describe('a stored client secret', () => {
  test('is kept if absent or masked, and removed if empty (SEC-01)', () => {
    const change = (clientSecret?: string) =>
      secretChangeOf({ ...openid, openidData: { ...openid.openidData, clientSecret } });
    assert.deepEqual(change(), { kind: 'keep' });
    assert.deepEqual(change(SECRET_MASK), { kind: 'keep' });
    assert.deepEqual(change(''), { kind: 'remove' });
    assert.deepEqual(change('new'), { kind: 'set', text: 'new' });
  });

  test('is kept only for the client and the URLs for which it was stored (SRF-01)', () => {
    const keep = { kind: 'keep' } as const;
    const same = draftOf(openid);
    assert.equal(isSecretRequired(stored(SECRET_MASK), same, keep), false);
    for (const member of ['clientId', 'wellKnownUrl', 'authUri', 'tokenUri', 'userinfoUri'] as const) {
      const moved = { ...same, openidData: { ...same.openidData, [member]: 'https://evil.example/' } };
      assert.equal(isSecretRequired(stored(SECRET_MASK), moved, keep), true);
      assert.equal(isSecretRequired(stored(''), moved, keep), false);
      assert.equal(isSecretRequired(stored(SECRET_MASK), moved, { kind: 'set', text: 'new' }), false);
    }
    assert.equal(isSecretRequired(stored(SECRET_MASK), { ...same, baseUrl: 'https://evil.example/' }, keep), true);
  });
});

describe('a discovery document', () => {
  const document = {
    issuer: 'https://id.acme.example',
    authorization_endpoint: 'https://id.acme.example/auth',
    token_endpoint: 'https://id.acme.example/token',
    jwks_uri: 'https://id.acme.example/keys',
  };
  const problem = (changed: object, data: object = {}) => {
    const provider = stored('');
    const changedProvider = { ...provider, openidData: { ...provider.openidData, ...data } };
    return checkDiscoveryDocument(changedProvider.openidData, { ...document, ...changed }, isHttps);
  };

  test('must have the issuer of its URL (SSO-03)', () => {
    assert.equal(problem({}), undefined);
    assert.equal(problem({ issuer: 'https://evil.example' }), 'issuer_mismatch');
  });

  test('must have the stored endpoints, and only targets that this server may call (SSO-04)', () => {
    assert.equal(problem({}, { tokenUri: 'https://id.acme.example/token' }), undefined);
    assert.equal(problem({}, { tokenUri: 'https://evil.example/token' }), 'endpoint_mismatch');
    assert.equal(problem({}, { userinfoUri: 'https://id.acme.example/me' }), 'endpoint_mismatch');
    assert.equal(problem({ jwks_uri: 'http://127.0.0.1/keys' }), 'denied_address');
  });
});

test('a certificate is valid between its dates', () => {
  assert.equal(checkCertificate(CERTIFICATE, new Date('2030-01-01')), undefined);
  assert.equal(checkCertificate(CERTIFICATE, new Date('2001-01-01')), 'certificate_not_yet_valid');
  assert.equal(checkCertificate(EXPIRED, new Date('2030-01-01')), 'certificate_expired');
});
