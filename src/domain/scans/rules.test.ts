import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { durationOf, environmentOf, productOf, statusOf, storedNameOf } from './rules.ts';
import { ScanStatus } from './shape.ts';

test('API statuses and stored statuses correspond one to one', () => {
  for (const status of ScanStatus.options) assert.equal(statusOf(storedNameOf(status)), status);
});

test('products have API names, and unknown ones are unspecified', () => {
  assert.deepEqual(['sast', 'sca', 'secrets', 'ai_sast', 'iac'].map(productOf), [
    'PRODUCT_SAST',
    'PRODUCT_SCA',
    'PRODUCT_SECRETS',
    'PRODUCT_AI_SAST',
    'PRODUCT_UNSPECIFIED',
  ]);
});

test('environments have API names, and unknown ones are local', () => {
  const names: [word: string, place: string][] = [
    ['github-actions', 'GITHUB_ACTIONS'],
    ['gitlab-ci', 'GITLAB_CI'],
    ['bitbucket', 'BITBUCKET'],
    ['azure-pipelines', 'AZURE_PIPELINES'],
    ['semgrep-managed-scan', 'MANAGED_SCANS'],
    ['git', 'LOCAL'],
    ['travis-ci', 'LOCAL'],
    ['toString', 'LOCAL'],
  ];
  for (const [word, place] of names) assert.equal(environmentOf(word), `SCAN_ENVIRONMENT_${place}`, word);
});

test("durations have the API's form for any number", () => {
  const form = /^-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,9})?s$/;
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (seconds) => {
      assert.match(durationOf(seconds), form);
    }),
  );
  assert.deepEqual([0, 12.5, 3].map(durationOf), ['0s', '12.5s', '3s']);
});
