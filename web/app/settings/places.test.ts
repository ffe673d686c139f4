import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesWith, SETTINGS } from './places.ts';

test('a settings page is found by its name and by the other names that people use', () => {
  assert.deepEqual(
    placesWith('saml').map(({ path }) => path),
    ['sign-in'],
  );
  assert.deepEqual(
    placesWith('API key').map(({ path }) => path),
    ['tokens'],
  );
  assert.deepEqual(placesWith('no such thing'), []);
});

test('an empty text finds all settings pages in their order', () => {
  assert.deepEqual(placesWith(''), [...SETTINGS]);
});
