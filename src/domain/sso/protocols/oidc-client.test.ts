import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackOpenId } from '#test/support/sso/attack-openid.ts';

test('forged and mutated ID tokens, and answers of another sign-in, are refused (SSO-03)', async () => {
  const { isGoodAccepted, accepted } = await attackOpenId({ tokens: 300, replays: 30, seed: 20_261_116 });
  assert.equal(isGoodAccepted, true, 'the token that all others are made from is not accepted');
  assert.deepEqual(accepted, []);
});
