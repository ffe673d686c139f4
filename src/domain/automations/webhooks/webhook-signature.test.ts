import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Secret } from '#kernel/crypto/secret.ts';
import { signatureHeaders } from './webhook-signature.ts';

const at = new Date('2026-11-16T12:00:00.999Z');
const body = '[{"text":"hello"}]';
const signed = (key: Buffer | string) =>
  `v1,${createHmac('sha256', key).update(`msg_1.1794830400.${body}`).digest('base64')}`;

const headersOf = (secrets: string[], legacy: string | undefined = secrets.at(-1)) =>
  signatureHeaders({
    id: 'msg_1',
    body,
    at,
    secrets: secrets.map((secret) => new Secret(secret)),
    legacySecret: legacy === undefined ? undefined : new Secret(legacy),
  });

test('the signature is that of Standard Webhooks: over id, timestamp and body (WHK-02)', () => {
  const key = randomBytes(32);
  const headers = headersOf([`whsec_${key.toString('base64')}`]);
  assert.equal(headers['webhook-id'], 'msg_1');
  assert.equal(headers['webhook-timestamp'], '1794830400');
  assert.equal(headers['webhook-signature'], signed(key));
});

test('the example of the Standard Webhooks specification has its published signature (WHK-02)', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    at: new Date(1614265330_000),
    secrets: [new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    legacySecret: undefined,
  });
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('a secret without the prefix is used as it is (WHK-02)', () => {
  assert.equal(headersOf(['a plain secret'])['webhook-signature'], signed('a plain secret'));
});

test('the older header is the bare hex digest of the body', () => {
  const expected = createHmac('sha256', 'a plain secret').update(body).digest('hex');
  assert.equal(headersOf(['a plain secret'])['X-Semgrep-Signature-256'], expected);
});

test('during a rotation both secrets sign, and the older header has the old one (WHK-02)', () => {
  const headers = headersOf(['new secret', 'old secret']);
  assert.equal(headers['webhook-signature'], `${signed('new secret')} ${signed('old secret')}`);
  assert.equal(headers['X-Semgrep-Signature-256'], createHmac('sha256', 'old secret').update(body).digest('hex'));
});

test('without a secret nothing is signed', () => {
  assert.deepEqual(Object.keys(headersOf([])), ['webhook-id', 'webhook-timestamp']);
});
