import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerChecks } from './provider-checks.ts';

const outcomes = (isSaml: boolean, error: string) =>
  providerChecks(isSaml, { valid: error === '', error }).map(({ outcome }) => outcome);

test('a successful test passes every check', () => {
  assert.ok(outcomes(false, '').every((outcome) => outcome === 'passed'));
  assert.deepEqual(outcomes(true, ''), ['passed', 'passed', 'passed']);
});

test('the failed check has advice, and later checks are not reached', () => {
  assert.deepEqual(outcomes(true, 'certificate_not_yet_valid'), ['passed', 'failed', 'not reached']);
  const failed = providerChecks(false, { valid: false, error: 'issuer_mismatch' }).find(
    ({ outcome }) => outcome === 'failed',
  );
  assert.match(failed?.advice ?? '', /must be exactly/);
});

test('every server error maps to a check with advice', () => {
  const openid = 'unreachable timeout tls denied_address bad_response issuer_mismatch endpoint_mismatch no_discovery';
  for (const error of openid.split(' '))
    assert.ok(
      providerChecks(false, { valid: false, error }).some(({ advice }) => advice !== '' && advice !== error),
      error,
    );
  assert.deepEqual(providerChecks(false, { valid: false, error: 'new_one' }), [
    { text: 'Test', outcome: 'failed', advice: 'new_one' },
  ]);
});
