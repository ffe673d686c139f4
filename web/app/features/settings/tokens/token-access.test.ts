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

test('each preset allows what its name says, and none allows user-only operations', () => {
  assert.deepEqual(allowed(rightsOf('ci')), [true, false, false, false, false]);
  assert.deepEqual(allowed(rightsOf('read')), [false, true, false, false, false]);
  assert.deepEqual(allowed(rightsOf('full')), [true, true, true, true, false]);
});

test('limited scopes disallow everything, and that is the first reason given', () => {
  const uses = tokenCapabilities({ role: 'TOKEN_ROLE_WEBAPI', webApi: true, scopes: ['project:read'] });
  assert.deepEqual(
    uses.slice(0, 4).map(({ why }) => why),
    Array(4).fill('limited scopes are not accepted'),
  );
});

test('a full role without the Web API permission can still upload CI results', () => {
  assert.deepEqual(allowed({ role: 'TOKEN_ROLE_WEBAPI', webApi: false, scopes: [] }), [
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('an unknown preset falls back to the first one, and no preset stays undefined', () => {
  assert.equal(findTokenPreset('nonsense'), TOKEN_PRESETS[0]);
  assert.equal(findTokenPreset(undefined), undefined);
});

test('scopes are parsed without duplicates', () => {
  assert.deepEqual(parseScopes(' project:read, scan:read\nproject:read '), ['project:read', 'scan:read']);
});

test('a token expires soon from two weeks ahead', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  assert.equal(expiryDate(90, now), '2026-05-30T00:00:00.000Z');
  assert.equal(expiryStatus('2026-02-28T23:59:59Z', now), 'expired');
  assert.equal(expiryStatus('2026-03-15T00:00:00Z', now), 'soon');
  assert.equal(expiryStatus('2026-03-15T00:00:01Z', now), 'later');
});
