import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionOf } from './range.ts';

test('a package is asked for by name, by version and by range, also when its name begins with an @', () => {
  assert.deepEqual(questionOf('lodash'), { name: 'lodash' });
  assert.deepEqual(questionOf('@babel/core'), { name: '@babel/core' });
  assert.deepEqual(questionOf('lodash@4.17.20'), { name: 'lodash', exactVersion: '4.17.20' });
  assert.deepEqual(questionOf(' lodash@<4.17.21 '), { name: 'lodash', versionUpperBound: '<4.17.21' });
  assert.deepEqual(questionOf('@babel/core@>=7.0.0 <8'), {
    name: '@babel/core',
    versionLowerBound: '>=7.0.0',
    versionUpperBound: '<8',
  });
});

test('what is no range is no question, so that nobody reads an answer to another one', () => {
  assert.equal(questionOf(''), undefined);
  assert.equal(questionOf('lodash@'), undefined);
  assert.equal(questionOf('lodash@<'), undefined);
});
