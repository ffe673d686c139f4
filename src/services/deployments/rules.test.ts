import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER_SORTS } from './contract.ts';
import { parseUserSort } from './rules.ts';

test('every sort order of the contract is parsed, and a minus reverses it', () => {
  assert.deepEqual(
    USER_SORTS.map((text) => parseUserSort(text)).map(({ by, isDescending }) => `${isDescending ? '-' : ''}${by}`),
    [...USER_SORTS],
  );
  assert.deepEqual(parseUserSort(), { by: 'name', isDescending: false });
});
