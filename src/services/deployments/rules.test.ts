import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { USER_SORTS } from './contract.ts';
import { nameOfEmail, parseUserSort } from './rules.ts';

test('every sort order of the contract is parsed, and a minus reverses it', () => {
  assert.deepEqual(
    USER_SORTS.map((text) => parseUserSort(text)).map(({ by, isDescending }) => `${isDescending ? '-' : ''}${by}`),
    [...USER_SORTS],
  );
  assert.deepEqual(parseUserSort(), { by: 'name', isDescending: false });
});

test('the default name of an account is not empty', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      assert.notEqual(nameOfEmail(email).trim(), '');
      assert.ok(email.startsWith(nameOfEmail(email)));
    }),
  );
});
