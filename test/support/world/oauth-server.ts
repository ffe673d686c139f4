import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type JWK } from 'oidc-provider';

export interface OauthClient {
  id: string;
  secret: string;
  /** The accepted method of client authentication; the other one is rejected. */
  way: 'client_secret_post' | 'client_secret_basic';
}

/** The store that the library requires, as far as client credentials need it. */
function memory(): Adapter {
  const kept = new Map<string, AdapterPayload>();
  const unused = () => Promise.reject(new Error('This grant is not in use here.'));
  return {
    upsert: async (id, payload) => void kept.set(id, payload),
    find: async (id) => kept.get(id),
    destroy: async (id) => void kept.delete(id),
    findByUserCode: unused,
    findByUid: unused,
    consume: unused,
    revokeByGrantId: unused,
  };
}

/** A real OAuth 2.0 server on loopback that issues tokens for the client credentials grant. */
export class OauthServer {
  readonly #provider: Provider;
  readonly #server: Server;

  private constructor(server: Server, provider: Provider) {
    this.#server = server;
    this.#provider = provider;
  }

  static async start(clients: readonly OauthClient[]): Promise<OauthServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const provider = new Provider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      adapter: memory,
      clients: clients.map(({ id, secret, way }) => ({
        client_id: id,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: way,
        id_token_signed_response_alg: 'ES256',
      })),
      cookies: { keys: ['no cookie is ever set'] },
      features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
      jwks: { keys: [privateKey.export({ format: 'jwk' }) as JWK] },
      ttl: { ClientCredentials: 60 },
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
    return new OauthServer(server, provider);
  }

  get tokenUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/token`;
  }

  /** Whether this server issued the token of a header, and it is still valid. */
  async accepts(authorization: string): Promise<boolean> {
    const token = await this.#provider.ClientCredentials.find(authorization.replace(/^Bearer /, ''));
    return token?.isValid === true;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
