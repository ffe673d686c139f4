import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '#kernel/crypto/secret.ts';
import { encodedSegment, signedHeaders } from './sign-request.ts';

const key = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: new Secret('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'),
  region: 'us-east-1',
  service: 's3',
};

test('the signature is that of the example in the documentation of Amazon S3', () => {
  const headers = signedHeaders(
    {
      method: 'PUT',
      url: new URL('https://examplebucket.s3.amazonaws.com/test%24file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
      at: new Date('2013-05-24T00:00:00Z'),
    },
    key,
  );
  assert.equal(
    headers['authorization'],
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,' +
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
});

test('segments of a path are encoded as the signature wants it', () => {
  assert.equal(encodedSegment("a b/c!'()*~é"), 'a%20b%2Fc%21%27%28%29%2A~%C3%A9');
});
