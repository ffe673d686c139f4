import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { USER_SORTS } from './contract.ts';
import { nameOfEmail, parseUserSort } from './rules.ts';

test('every order that the contract names is understood, and a minus turns it round', () => {
  assert.deepEqual(
    USER_SORTS.map((text) => parseUserSort(text)).map(({ by, isDescending }) => `${isDescending ? '-' : ''}${by}`),
    [...USER_SORTS],
  );
  assert.deepEqual(parseUserSort(), { by: 'name', isDescending: false });
});

test('whoever is invited without a name gets one that is not empty', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      assert.notEqual(nameOfEmail(email).trim(), '');
      assert.ok(email.startsWith(nameOfEmail(email)));
    }),
  );
});
