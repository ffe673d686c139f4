import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePackageFilter } from './package-filter.ts';

test('reads a package name with an optional version or range, also for scoped names', () => {
  assert.deepEqual(parsePackageFilter('lodash'), { name: 'lodash' });
  assert.deepEqual(parsePackageFilter('@babel/core'), { name: '@babel/core' });
  assert.deepEqual(parsePackageFilter('lodash@4.17.20'), { name: 'lodash', exactVersion: '4.17.20' });
  assert.deepEqual(parsePackageFilter(' lodash@<4.17.21 '), { name: 'lodash', versionUpperBound: '<4.17.21' });
  assert.deepEqual(parsePackageFilter('@babel/core@>=7.0.0 <8'), {
    name: '@babel/core',
    versionLowerBound: '>=7.0.0',
    versionUpperBound: '<8',
  });
});

test('rejects an invalid range instead of ignoring it', () => {
  assert.equal(parsePackageFilter(''), undefined);
  assert.equal(parsePackageFilter('lodash@'), undefined);
  assert.equal(parsePackageFilter('lodash@<'), undefined);
});
