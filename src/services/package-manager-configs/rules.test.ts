import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PackageManagerChange } from './contract.ts';
import { EMPTY_SETTINGS, planPackageManager } from './rules.ts';

const basic = { username: 'u', password: 'p' };
const settings = { ...EMPTY_SETTINGS, name: 'a', url: 'https://a.example.com/', ecosystem: 'npm' as const };
const codesOf = (change: PackageManagerChange, hasCredential = false, isCallable = true) =>
  planPackageManager(change, { settings, hasCredential }, () => isCallable).errors.map(
    ({ pointer, code }) => `${pointer.split('/').slice(2).join('/')} ${code}`,
  );

test('a credential must be of the ecosystem, and one', () => {
  assert.deepEqual(codesOf({ config: {}, npm: { token: 't' } }), []);
  assert.deepEqual(codesOf({ config: {}, maven: basic }), ['maven OTHER_ECOSYSTEM']);
  assert.deepEqual(codesOf({ config: {}, npm: {} }), ['npm ONE_CREDENTIAL']);
  assert.deepEqual(codesOf({ config: {}, npm: { token: 't', basicAuth: basic } }), ['npm ONE_CREDENTIAL']);
  assert.deepEqual(codesOf({ config: {}, codeArtifact: { assumeRoleArn: 'a' } }), ['codeArtifact UNSUPPORTED']);
  assert.deepEqual(codesOf({ config: { ecosystem: 'gomod' }, npm: { token: 't' } }), ['npm OTHER_ECOSYSTEM']);
});

test('a stored credential is not sent to another address or used for another ecosystem', () => {
  assert.deepEqual(codesOf({ config: { url: 'https://b.example.com/' } }, true), ['config/url CREDENTIAL_REQUIRED']);
  assert.deepEqual(codesOf({ config: { url: 'https://a.example.com/x' } }, true), ['config/url CREDENTIAL_REQUIRED']);
  assert.deepEqual(codesOf({ config: { ecosystem: 'pypi' } }, true), ['config/url CREDENTIAL_REQUIRED']);
  assert.deepEqual(codesOf({ config: { url: 'https://b.example.com/' }, npm: { token: 't' } }, true), []);
  assert.deepEqual(codesOf({ config: { url: 'https://b.example.com/' } }), []);
  assert.deepEqual(codesOf({ config: { name: 'b' } }, true), []);
});

test('a credential needs an address that this server may call, and authentication needs a credential', () => {
  assert.deepEqual(codesOf({ config: {}, npm: { token: 't' } }, false, false), ['config/url URL_REFUSED']);
  assert.deepEqual(codesOf({ config: {} }, false, false), []);
  assert.deepEqual(codesOf({ config: { requiresAuth: true } }), ['config/requiresAuth CREDENTIAL_REQUIRED']);
  assert.deepEqual(codesOf({ config: { requiresAuth: true } }, true), []);
});

test('members that are left out stay, and further settings are of the ecosystem', () => {
  const plan = planPackageManager({ config: { name: ' b ' } }, { settings, hasCredential: false });
  assert.deepEqual([plan.settings, plan.credential], [{ ...settings, name: 'b' }, undefined]);
  assert.deepEqual(codesOf({ config: { additionalConfig: { pypi: {} } } }), [
    'config/additionalConfig/pypi OTHER_ECOSYSTEM',
  ]);
});
