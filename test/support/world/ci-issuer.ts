import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWK, SignJWT } from 'jose';

const PAIR = generateKeyPairSync('rsa', { modulusLength: 2048 });

export interface SigningKey {
  id: string;
  privateKey: KeyObject;
  jwk: JWK;
}

/** A key for tokens of CI jobs. All have the same numbers, because generating them is slow, and differ by their ids. */
export const signingKey = (id: string = randomUUID(), pair = PAIR): SigningKey => ({
  id,
  privateKey: pair.privateKey,
  jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' } as JWK,
});

/** Signs a token as an issuer of CI jobs does. */
export function signJobToken(key: SigningKey, claims: Record<string, unknown>, now = new Date()): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const payload = { jti: randomUUID(), iat: seconds, nbf: seconds, exp: seconds + 300, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.id }).sign(key.privateKey);
}

/** An OpenID issuer on loopback that publishes its keys, like that of a CI service. */
export class CiIssuer {
  readonly #server: Server;
  readonly url: string;
  keys: SigningKey[] = [signingKey()];
  /** The issuer of the discovery document. */
  announced: string;
  /** How often the keys were downloaded. */
  downloads = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.announced = this.url;
    server.on('request', (request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/.well-known/openid-configuration')
        return response.end(JSON.stringify({ issuer: this.announced, jwks_uri: `${this.url}/keys` }));
      this.downloads++;
      return response.end(JSON.stringify({ keys: this.keys.map(({ jwk }) => jwk) }));
    });
  }

  static async start(): Promise<CiIssuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CiIssuer(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
