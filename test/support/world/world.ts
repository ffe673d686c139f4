import { createSecretKey, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Registry } from 'prom-client';
import * as tokens from '#domain/accounts/api-tokens.ts';
import { hashToken } from '#domain/accounts/authenticator.ts';
import { setServerAdministrator } from '#domain/accounts/server-administrators.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import * as people from '#domain/accounts/store.ts';
import { provisionDeployment } from '#domain/provisioning/provision-deployment.ts';
import { enrollMember, registerProject } from '#domain/teams/enrollment.ts';
import { type Config, readConfig } from '#kernel/config/config.ts';
import { type ContractClient, client } from '#kernel/contract/client.ts';
import { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { hashPassword } from '#kernel/crypto/password.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { makeTokenText, tokenSuffix } from '#kernel/crypto/token-text.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { StaticPages } from '#kernel/http/edge/static-pages.ts';
import { makeLog } from '#kernel/log/log.ts';
import { Egress } from '#kernel/outbound/egress.ts';
import { type Assembly, type AssemblyParts, assemble } from '../../../src/server/assemble.ts';
import { ENGINE_SETTINGS } from '../sandbox/engine.ts';
import { makeDatabase, type TestDatabase } from './database.ts';

/** Everybody can create so many deployments in tests. */
export const DEPLOYMENTS_PER_PERSON = 5;
export const PASSWORD = 'correct horse battery staple';
/** Hashed once, because hashing is slow by design and not the subject of these tests. */
const passwordHash = hashPassword(new Secret(PASSWORD));

export interface TestUser {
  id: string;
  email: string;
  session: string;
  jwt: string;
}

export interface TestDeployment {
  id: string;
  slug: string;
  admin: TestUser;
}

export interface TokenOptions {
  role?: string;
  hasWebApi?: boolean;
  scopes?: string[];
  expiresAt?: Date;
}

let serial = 0;
export const uniqueName = (word: string): string => `${word}${++serial}`;

/** A running server on its own database, with factories for people and deployments. */
export class World {
  readonly keys: KeyRing;
  readonly assembly: Assembly;
  readonly database: TestDatabase;
  baseUrl = '';
  /** How far the clock of the server is ahead. */
  clockOffsetMs = 0;
  #tokenMaker: ReturnType<World['account']> | undefined;
  /** Resolves host names for outbound calls; by default to nothing, so that no test leaves the machine. */
  resolve: (host: string) => readonly string[] = () => [];
  /** The TXT records that the server reads. */
  readonly txtRecords = new Map<string, string>();
  /** The sleeps of the server in milliseconds; in tests they return at once. */
  readonly pausesMs: number[] = [];
  readonly #owner: pg.Pool;
  readonly #isNeighbour: boolean;

  private constructor(
    database: TestDatabase,
    settings: Record<string, string>,
    parts: Partial<AssemblyParts>,
    neighbour?: World,
  ) {
    this.database = database;
    this.#owner = new pg.Pool({ ...database.connection, max: 4, idleTimeoutMillis: 60_000 });
    // A test may end the sessions of its database.
    this.#owner.on('error', () => undefined);
    this.#isNeighbour = neighbour !== undefined;
    this.keys = neighbour?.keys ?? new KeyRing(createSecretKey(randomBytes(32)));
    const config = configOf(settings);
    this.assembly = assemble({
      config,
      connection: database.connection,
      keys: this.keys,
      log: makeLog(process.env['PARAPET_TEST_LOG'] ?? 'silent'),
      registry: new Registry(),
      pages: new StaticPages(),
      clock: () => new Date(Date.now() + this.clockOffsetMs),
      checksPrebuilt: true,
      egress: new Egress({ allow: config.egressAllow, resolve: async (host) => this.resolve(host) }),
      resolveTxt: async (name) => [this.txtRecords.get(name) ?? []].flat().map((text) => [text]),
      // Endless streams end in tests that read complete replies.
      live: { lifetimeMs: 300, lingerMs: 200 },
      feedMs: 20,
      sleep: async (ms) => {
        this.pausesMs.push(ms);
      },
      ...parts,
    });
  }

  /** Starts a server. `parts` replace the defaults of tests. */
  static async start(settings: Record<string, string> = {}, parts: Partial<AssemblyParts> = {}): Promise<World> {
    const world = new World(await makeDatabase(), settings, parts);
    const { port } = await world.assembly.httpServer.listen('127.0.0.1', 0);
    world.baseUrl = `http://127.0.0.1:${port}`;
    world.assembly.setBaseUrl(world.baseUrl);
    return world;
  }

  /** Starts another server on the database of this one, at the same public address. */
  async startBeside(): Promise<World> {
    const other = new World(this.database, {}, {}, this);
    const { port } = await other.assembly.httpServer.listen('127.0.0.1', 0);
    other.baseUrl = `http://127.0.0.1:${port}`;
    other.assembly.setBaseUrl(this.baseUrl);
    return other;
  }

  async stop(): Promise<void> {
    await this.assembly.httpServer.drain(1000);
    await this.assembly.close();
    await this.#owner.end();
    if (!this.#isNeighbour) await this.database.drop();
  }

  /** A client that calls with this credential. */
  as<Contract extends object>(contract: Contract, token?: string): ContractClient<Contract> {
    return client(contract, { baseUrl: this.baseUrl, ...(token === undefined ? {} : { token }) });
  }

  async account(name = uniqueName('person')): Promise<Omit<TestUser, 'session' | 'jwt'>> {
    const email = `${name}@example.com`;
    const hash = await passwordHash;
    const id = await this.#asAuth((tx) => people.insert(tx, { email, name, passwordHash: hash }));
    return { id, email };
  }

  async signIn(account: { id: string; email: string }): Promise<TestUser> {
    const session = await this.#asAuth((tx) =>
      sessions.create(tx, { account: account.id, address: '127.0.0.1', userAgent: 'test' }),
    );
    const claims = { userId: account.id, sessionId: session.id };
    const { token } = await this.assembly.services.accessTokens.issue(
      claims,
      new Date(Date.now() + this.clockOffsetMs),
    );
    return { ...account, session: session.id, jwt: token };
  }

  async deployment(name = uniqueName('Org ')): Promise<TestDeployment> {
    const account = await this.account();
    const id = await this.#asAuth((tx) => provisionDeployment(tx, this.keys, { name, account: account.id }));
    const [row] = await this.queryAsOwner<{ slug: string }>('select slug from deployment where id = $1', [id]);
    return { id, slug: row?.slug ?? '', admin: await this.signIn(account) };
  }

  async member(place: TestDeployment, role = 'ORG_ROLE_MEMBER'): Promise<TestUser> {
    const account = await this.account();
    await this.inDeployment(place, (tx) => enrollMember(tx, { deployment: place.id, account: account.id, role }));
    return this.signIn(account);
  }

  /** Makes an account an administrator of the server. */
  async promote({ id }: { id: string }): Promise<void> {
    await this.#asAuth((tx) => setServerAdministrator(tx, id, true));
  }

  /** A member who is in no team, and so sees nothing until added to one. */
  async memberWithoutTeam(place: TestDeployment, role = 'ORG_ROLE_MEMBER'): Promise<TestUser> {
    const account = await this.account();
    await this.inDeployment(place, (tx) =>
      people.addMembership(tx, { deployment: place.id, account: account.id, role }),
    );
    return this.signIn(account);
  }

  project(place: TestDeployment, name = uniqueName('acme/repo')): Promise<string> {
    return this.inDeployment(place, (tx) => registerProject(tx, { deployment: place.id, name }));
  }

  async token(place: TestDeployment, options: TokenOptions = {}): Promise<{ id: string; text: string }> {
    const text = reveal(makeTokenText('api'));
    // A separate account, so that these tokens do not count for the quotas of callers.
    this.#tokenMaker ??= this.account();
    const { id: tokenMaker } = await this.#tokenMaker;
    const made = await this.inDeployment(place, (tx) =>
      tokens.insert(tx, {
        deployment: place.id,
        name: uniqueName('token'),
        role: options.role ?? 'TOKEN_ROLE_WEBAPI',
        purpose: 'TOKEN_PURPOSE_API',
        hasWebApi: options.hasWebApi ?? true,
        scopes: options.scopes ?? [],
        hash: hashToken(this.keys.derive('api-token'), text),
        suffix: tokenSuffix(text),
        createdBy: tokenMaker,
        expiresAt: options.expiresAt ?? new Date(Date.now() + 3_600_000),
      }),
    );
    return { id: made.id, text };
  }

  /** Runs work in one deployment under the role of the application. */
  inDeployment<Result>(place: { id: string }, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.assembly.db.transaction({ role: 'app', deployment: place.id, isRead: false }, work);
  }

  #asAuth<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.assembly.db.transaction({ role: 'auth', isRead: false }, work);
  }

  /** Queries the tables as owner, without row-level security. */
  async queryAsOwner<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#owner.query<Row>(text, values)).rows;
  }
}

/** The default settings of the program, with limits that do not affect unrelated tests. */
function configOf(settings: Record<string, string>): Config {
  const names = ['WRITE', 'API', 'CHECK_USER', 'CHECK_DEPLOYMENT'];
  const limits = Object.fromEntries(names.map((name) => [`PARAPET_LIMIT_${name}`, '100000000']));
  const dataDir = join(tmpdir(), `parapet-world-${process.pid}`);
  // The disk of the machine that runs the tests does not matter.
  const more = { PARAPET_MIN_FREE_DISK_MB: '0', PARAPET_DEPLOYMENTS_PER_PERSON: String(DEPLOYMENTS_PER_PERSON) };
  return readConfig({ ...limits, ...more, ...ENGINE_SETTINGS, PARAPET_DATA_DIR: dataDir, ...settings });
}
