import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type JWK } from 'oidc-provider';

export interface IdentityClient {
  id: string;
  secret: string;
  redirectUri: string;
  logoutUri: string;
  postLogoutUri: string;
}

/** Whom the provider signs in, with the claims it tells. */
export interface IdentityPerson {
  sub: string;
  [claim: string]: unknown;
}

/** A real OpenID provider on loopback. It asks nobody: it signs in whoever `person` is. */
export class IdentityProvider {
  person: IdentityPerson = { sub: 'nobody' };
  readonly clients = new Map<string, IdentityClient>();
  /** What clients asked for, by path. */
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #sent: string[] = [];
  #provider: Provider | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const idp = new IdentityProvider(server);
    idp.rotateKeys();
    server.on('request', (request, response) => void idp.#answer(request, response));
    return idp;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get wellKnownUrl(): string {
    return `${this.issuer}/.well-known/openid-configuration`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on signs with another key, as after a restart with new keys. */
  rotateKeys(): void {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.#provider = new Provider(this.issuer, {
      adapter: this.#adapter,
      clients: [],
      jwks: { keys: [{ ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig' }] },
      cookies: { keys: ['cookies of a test'] },
      claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      conformIdTokenClaims: false,
      findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...this.person, sub }) }),
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      // The session at the provider ends at once, so that each sign-in asks again who the person is.
      loadExistingGrant: async (context) => {
        const { client, session } = context.oidc;
        if (!client || !session?.accountId) return undefined;
        const grant = new context.oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
      fetch: (url, options) => {
        this.#sent.push(String(options?.body ?? ''));
        // Without the agent of the library, which refuses loopback.
        const { method = 'GET', headers = {}, body = null } = options ?? {};
        return fetch(url, { method, headers, body });
      },
    });
  }

  readonly #stores = new Map<string, Map<string, AdapterPayload>>();
  readonly #adapter = (model: string): Adapter => {
    const kept = this.#stores.get(model) ?? new Map<string, AdapterPayload>();
    this.#stores.set(model, kept);
    const find = async (id: string) => (model === 'Client' ? this.#clientOf(id) : kept.get(id));
    return {
      upsert: async (id, payload) => void kept.set(id, payload),
      find,
      findByUid: async (uid) => [...kept.values()].find((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      destroy: async (id) => void kept.delete(id),
      consume: async (id) => void Object.assign(kept.get(id) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
      revokeByGrantId: async (grantId) => {
        for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id);
      },
    };
  };

  #clientOf(id: string): AdapterPayload | undefined {
    const client = this.clients.get(id);
    return (
      client && {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        post_logout_redirect_uris: [client.postLogoutUri],
        backchannel_logout_uri: client.logoutUri,
        backchannel_logout_session_required: true,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      }
    );
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (!provider) throw new Error('The provider has no keys.');
    this.requests.push(request.url ?? '');
    if (request.url?.startsWith('/interaction/')) {
      const result = { login: { accountId: this.person.sub } };
      return void (await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false }));
    }
    return void (await provider.callback()(request, response));
  }

  /** Tells a client by the back channel that a person has signed out; returns what was sent. */
  async logOut(clientId: string, sub: string, sid: string): Promise<string> {
    const client = await this.#provider?.Client.find(clientId);
    const tell = client?.['backchannelLogout'] as (this: unknown, sub: string, sid: string) => Promise<void>;
    await tell.call(client, sub, sid);
    return this.#sent.at(-1) ?? '';
  }

  /**
   * Opens an address as a browser without a memory, follows the provider's redirects, and returns the query with which
   * the provider sends it back.
   */
  async visit(address: string): Promise<string> {
    const cookies = new Map<string, string>();
    let url = address;
    for (let step = 0; step < 10; step++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const text of response.headers.getSetCookie()) {
        const [pair = ''] = text.split(';');
        const [name = '', ...value] = pair.split('=');
        if (value.join('=') === '') cookies.delete(name);
        else cookies.set(name, value.join('='));
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
      url = new URL(location, url).href;
      if (!url.startsWith(this.issuer)) return new URL(url).search.slice(1);
    }
    throw new Error('The provider redirects for ever.');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
