import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsIn, readIdentity } from './identity-claims.ts';
import type { SsoRefusal } from './sso-refusal.ts';

const provider = { issuer: 'https://id.example', groupsClaim: 'groups', isEmailTrusted: false };
const read = (claims: Record<string, unknown>, more: Partial<typeof provider> = {}) =>
  readIdentity({ sub: 's', email: 'a@acme.example', ...claims }, { ...provider, ...more });
const checkOf = (claims: Record<string, unknown>) => {
  try {
    read(claims);
  } catch (error) {
    return (error as SsoRefusal).check;
  }
  return undefined;
};

test('groups come from a list, one text or a path, and nothing else', () => {
  assert.deepEqual(groupsIn({ groups: ['a', ' b ', '', 7, null, 'a'] }, 'groups'), ['a', 'b']);
  assert.deepEqual(groupsIn({ groups: 'a' }, 'groups'), ['a']);
  assert.deepEqual(groupsIn({ realm_access: { roles: ['x'] } }, 'realm_access.roles'), ['x']);
  assert.deepEqual(groupsIn({ 'https://acme.example/groups': ['x'] }, 'https://acme.example/groups'), ['x']);
  for (const path of ['__proto__', 'constructor.name', 'groups.length', 'a.b.c', ''])
    assert.deepEqual(groupsIn({ groups: ['a'] }, path), []);
});

test('an address counts as verified only if the provider says so, or is trusted and does not deny it', () => {
  assert.equal(read({}).isEmailVerified, false);
  assert.equal(read({ email_verified: true }).isEmailVerified, true);
  assert.equal(read({ email_verified: 'true' }).isEmailVerified, true);
  for (const value of [1, 'yes', {}, null]) assert.equal(read({ email_verified: value }).isEmailVerified, false);
  assert.equal(read({}, { isEmailTrusted: true }).isEmailVerified, true);
  assert.equal(read({ email_verified: false }, { isEmailTrusted: true }).isEmailVerified, false);
});

test('a missing subject or address, and an address that two readers split differently, are refused', () => {
  assert.equal(checkOf({ sub: '' }), 'claims');
  for (const email of [
    undefined,
    '',
    'a',
    ['a@acme.example'],
    'a@b@acme.example',
    'a@acme.example\n',
    'a b@acme.example',
  ])
    assert.equal(checkOf({ email }), email === 'a@acme.example\n' ? undefined : 'email_present', String(email));
  assert.equal(read({ email: 'a@acme.example\n' }).email, 'a@acme.example');
  for (const email of ['a@acme.example, b@evil.example', '<a@acme.example>', 'a@acme.example\0', 'a@аcme.example'])
    assert.equal(checkOf({ email }), 'email_present', email);
});

test('the name is clean, and falls back to the address', () => {
  assert.equal(read({ name: ' Ada\u202e Lovelace\n' }).name, 'Ada Lovelace');
  assert.equal(read({ given_name: 'Ada', family_name: 'L' }).name, 'Ada L');
  assert.equal(read({ name: 7 }).name, 'a');
});
