import { createHash, createHmac } from 'node:crypto';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';

/** A request to sign, with the headers that the signature covers besides `host`. */
export interface SignableRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  at: Date;
}

export interface StorageKey {
  accessKeyId: string;
  secret: Secret;
  region: string;
  service: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Each segment of a path as the signature wants it: everything but letters, digits and `-._~` is encoded. */
export const encodedSegment = (segment: string): string =>
  encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The headers of AWS Signature Version 4, for a request without a query. */
export function signedHeaders(
  { method, url, headers, body, at }: SignableRequest,
  { accessKeyId, secret, region, service }: StorageKey,
): Record<string, string> {
  const moment = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = moment.slice(0, 8);
  const own = { 'x-amz-content-sha256': sha256(body), 'x-amz-date': moment };
  const covered = Object.entries({ ...headers, ...own, host: url.host }).sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const names = covered.map(([name]) => name).join(';');
  const canonical = [
    method,
    url.pathname,
    '',
    ...covered.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    own['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${reveal(secret)}`);
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return {
    ...headers,
    ...own,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
}
