import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS_SECTIONS, searchSections } from './settings-sections.ts';

test('a settings page is found by its name and its keywords', () => {
  assert.deepEqual(
    searchSections('saml').map(({ path }) => path),
    ['sign-in'],
  );
  assert.deepEqual(
    searchSections('API key').map(({ path }) => path),
    ['tokens'],
  );
  assert.deepEqual(searchSections('no such thing'), []);
});

test('an empty search returns all settings pages in order', () => {
  assert.deepEqual(searchSections(''), [...SETTINGS_SECTIONS]);
});
