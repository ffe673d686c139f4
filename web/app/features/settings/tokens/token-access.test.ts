import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  expiryDate,
  expiryStatus,
  findTokenPreset,
  parseScopes,
  TOKEN_PRESETS,
  type TokenAccess,
  tokenCapabilities,
} from './token-access.ts';

const allowed = (rights: TokenAccess) => tokenCapabilities(rights).map(({ isAllowed }) => isAllowed);
const rightsOf = (id: string): TokenAccess => {
  const preset = findTokenPreset(id);
  assert.ok(preset);
  return preset;
};

test('each preset works with what its name says, and none with operations of signed-in people', () => {
  assert.deepEqual(allowed(rightsOf('ci')), [true, false, false, false, false]);
  assert.deepEqual(allowed(rightsOf('read')), [false, true, false, false, false]);
  assert.deepEqual(allowed(rightsOf('full')), [true, true, true, true, false]);
});

test('limited scopes make a token useless for everything, and the line says so first', () => {
  const uses = tokenCapabilities({ role: 'TOKEN_ROLE_WEBAPI', webApi: true, scopes: ['project:read'] });
  assert.deepEqual(
    uses.slice(0, 4).map(({ why }) => why),
    Array(4).fill('limited scopes are not accepted'),
  );
});

test('a full role without the Web API permission still brings results of CI', () => {
  assert.deepEqual(allowed({ role: 'TOKEN_ROLE_WEBAPI', webApi: false, scopes: [] }), [
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('an unknown preset in the address becomes the first one, and none stays none', () => {
  assert.equal(findTokenPreset('nonsense'), TOKEN_PRESETS[0]);
  assert.equal(findTokenPreset(undefined), undefined);
});

test('scopes are read from words, each once', () => {
  assert.deepEqual(parseScopes(' project:read, scan:read\nproject:read '), ['project:read', 'scan:read']);
});

test('an expiry is told two weeks ahead', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  assert.equal(expiryDate(90, now), '2026-05-30T00:00:00.000Z');
  assert.equal(expiryStatus('2026-02-28T23:59:59Z', now), 'over');
  assert.equal(expiryStatus('2026-03-15T00:00:00Z', now), 'soon');
  assert.equal(expiryStatus('2026-03-15T00:00:01Z', now), 'later');
});
