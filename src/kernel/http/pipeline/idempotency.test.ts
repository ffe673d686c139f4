import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { identifyRequest } from './idempotency.ts';

const sealingKey = createSecretKey(randomBytes(32));
const digestOf = (request: unknown) =>
  identifyRequest({ deployment: '1', credential: 'c', operation: 'o', key: 'k', request, sealingKey }).digest;

test('requests with integers that only a bigint represents are told apart', () => {
  assert.equal(digestOf([{ number: 9223372036854775808n }]), digestOf([{ number: 9223372036854775808n }]));
  assert.notEqual(digestOf([{ number: 9223372036854775808n }]), digestOf([{ number: 9223372036854775809n }]));
  assert.notEqual(digestOf([{ number: 9223372036854775808n }]), digestOf([{ number: '9223372036854775808' }]));
});
