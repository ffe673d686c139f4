import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { redeemCode } from '#domain/sso/protocols/oidc-client.ts';
import { beginFlow, type SignInFlow } from '#domain/sso/sign-in-flow.ts';
import type { SignInProvider } from '#domain/sso/sign-in-provider.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { mutate } from './forged-responses.ts';
import { randomOf } from './random-of.ts';

const ISSUER = 'https://id.acme.example';
const CLIENT = 'parapet';
const REDIRECT = 'https://parapet.example/sso/7';
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

type Claims = Record<string, unknown>;
type Header = Record<string, unknown>;

/** A provider in memory: it answers what the client asks for, with the ID token it is told to give. */
class MemoryProvider {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #others = generateKeyPairSync('rsa', { modulusLength: 2048 });
  idToken = '';
  /** The challenge of the flow that the code was issued to; the provider checks it like a real one. */
  challenge: string | undefined;

  readonly egress = {
    accepts: () => true,
    request: async ({ url, body }: { url: string; body?: string }) => this.#answer(new URL(url).pathname, body ?? ''),
  } as unknown as Egress;

  #answer(path: string, body: string) {
    const reply = (value: unknown, status = 200) => ({
      ...{ status, headers: { 'content-type': 'application/json' } },
      body: Buffer.from(JSON.stringify(value)),
    });
    if (path === '/keys') return reply({ keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one' }] });
    if (path !== '/token') return reply(DOCUMENT);
    const verifier = new URLSearchParams(body).get('code_verifier') ?? '';
    const isHolder = this.challenge === undefined || challengeOf(verifier) === this.challenge;
    if (!isHolder) return reply({ error: 'invalid_grant' }, 400);
    return reply({ access_token: 'access', token_type: 'bearer', id_token: this.idToken });
  }

  sign(header: Header, claims: Claims, key: KeyObject = this.#keys.privateKey): string {
    const text = `${json(header)}.${json(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }

  /** Tokens that a careless client accepts. */
  forged(claims: Claims): string[] {
    const good = { alg: 'RS256', kid: 'one' };
    const pem = this.#keys.publicKey.export({ format: 'pem', type: 'spki' });
    const own = this.#others.publicKey.export({ format: 'jwk' });
    const withSecret = (secret: string | Buffer, header: Header) => {
      const text = `${json(header)}.${json(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const now = Math.floor(Date.now() / 1000);
    const changed: Claims[] = [
      ...[{ iss: 'https://evil.example' }, { iss: `${ISSUER}/` }, { iss: undefined }, { aud: 'other' }, { aud: [] }],
      ...[{ aud: undefined }, { aud: [CLIENT, 'other'], azp: 'other' }, { nonce: 'other' }, { nonce: undefined }],
      ...[{ exp: now - 3600 }, { exp: undefined }, { exp: 'never' }, { iat: undefined }, { nbf: now + 3600 }],
      ...[{ sub: undefined }, { sub: 7 }],
    ];
    return [
      ...['none', 'None', 'nOnE', ''].flatMap((alg) => [
        `${json({ ...good, alg })}.${json(claims)}.`,
        `${json({ ...good, alg })}.${json(claims)}`,
      ]),
      withSecret(pem, { alg: 'HS256', kid: 'one' }),
      withSecret('', { alg: 'HS256' }),
      withSecret('a secret of the client', { alg: 'HS256' }),
      ...[
        good,
        { alg: 'RS256' },
        { alg: 'RS256', kid: 'two' },
        { ...good, jwk: own },
        { ...good, jku: 'https://evil.example' },
      ].map((header) => this.sign(header, claims, this.#others.privateKey)),
      this.sign({ ...good, crit: ['exp'] }, claims),
      this.sign({ alg: 'RS512', kid: 'one' }, claims),
      ...changed.map((part) => this.sign(good, { ...claims, ...part })),
    ];
  }
}

const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
};

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const provider = {
  ...{ id: '7', deployment: '1', version: 1, type: 'SSO_TYPE_OPENID', clientId: CLIENT, clientSecret: undefined },
  ...{ wellKnownUrl: `${ISSUER}/.well-known/openid-configuration`, authUri: '', tokenUri: '', userinfoUri: '' },
  ...{ idTokenAlg: '', groupsClaim: 'email', baseUrl: '' },
} as unknown as SignInProvider;

const newFlow = (): SignInFlow =>
  beginFlow({ deployment: '1', provider: '7', version: 1, mode: 'sign-in', account: '', next: '' }, new Date());
const claimsFor = ({ nonce }: SignInFlow): Claims => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: ISSUER, aud: CLIENT, sub: 'person', email: 'a@acme.example', nonce, iat: now, exp: now + 300 };
};

async function isAccepted(idp: MemoryProvider, flow: SignInFlow, parameters: string): Promise<boolean> {
  const access = { egress: idp.egress, now: new Date() };
  const returned = { ...flow, redirectUri: REDIRECT };
  return redeemCode(access, provider, returned, parameters).then(
    () => true,
    () => false,
  );
}

/** Sends forged ID tokens and mutations of good ones, and the answers of one flow in another. */
export async function attackOpenId({ tokens, replays, seed }: { tokens: number; replays: number; seed: number }) {
  const idp = new MemoryProvider();
  const random = randomOf(seed);
  const flow = newFlow();
  const claims = claimsFor(flow);
  const parameters = `code=code&state=${flow.state}`;
  const good = idp.sign({ alg: 'RS256', kid: 'one' }, claims);
  idp.idToken = good;
  const isGoodAccepted = await isAccepted(idp, flow, parameters);
  const accepted: string[] = [];
  const forged = idp.forged(claims);
  for (let n = 0; n < tokens; n++) {
    const text = forged[n] ?? mutate(n % 2 === 0 ? good : (forged[n % forged.length] ?? ''), random);
    if (text === good) continue;
    idp.idToken = text;
    if (await isAccepted(idp, flow, parameters)) accepted.push(text);
  }
  for (let n = 0; n < replays; n++) {
    const [one, other] = [newFlow(), newFlow()];
    // The state of another flow; its code, which a real provider binds by PKCE; and its code without PKCE, but nonce.
    const kind = n % 3;
    idp.challenge = kind === 1 ? challengeOf(one.verifier) : undefined;
    idp.idToken = idp.sign({ alg: 'RS256', kid: 'one' }, claimsFor(kind === 0 ? other : one));
    const query = `code=code&state=${kind === 0 ? one.state : other.state}`;
    if (await isAccepted(idp, other, query)) accepted.push(`replay of kind ${kind}`);
  }
  return { isGoodAccepted, accepted };
}
