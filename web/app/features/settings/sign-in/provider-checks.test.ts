import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerChecks } from './provider-checks.ts';

const outcomes = (isSaml: boolean, error: string) =>
  providerChecks(isSaml, { valid: error === '', error }).map(({ outcome }) => outcome);

test('a test that succeeds has passed every check', () => {
  assert.ok(outcomes(false, '').every((outcome) => outcome === 'passed'));
  assert.deepEqual(outcomes(true, ''), ['passed', 'passed', 'passed']);
});

test('the check that failed is named, with what to do, and later ones were not reached', () => {
  assert.deepEqual(outcomes(true, 'certificate_not_yet_valid'), ['passed', 'failed', 'not reached']);
  const failed = providerChecks(false, { valid: false, error: 'issuer_mismatch' }).find(
    ({ outcome }) => outcome === 'failed',
  );
  assert.match(failed?.advice ?? '', /to the letter/);
});

test('every error that the server may answer leads to a check with advice', () => {
  const openid = 'unreachable timeout tls denied_address bad_response issuer_mismatch endpoint_mismatch no_discovery';
  for (const error of openid.split(' '))
    assert.ok(
      providerChecks(false, { valid: false, error }).some(({ advice }) => advice !== '' && advice !== error),
      error,
    );
  assert.deepEqual(providerChecks(false, { valid: false, error: 'new_one' }), [
    { text: 'The test', outcome: 'failed', advice: 'new_one' },
  ]);
});
