import type { JWK } from 'jose';
import { z } from 'zod';
import type { Egress } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';

const DISCOVERY_PATH = '/.well-known/openid-configuration';
const MAX_AGE_MS = 3_600_000;
/** An unknown key id causes a new download at most this often, so that made-up ones do not flood the issuer. */
const MIN_AGE_MS = 60_000;
/** Keys that were valid are still used so long when the issuer does not answer. */
const MAX_STALE_MS = 24 * MAX_AGE_MS;
const MAX_ISSUERS = 1_000;
const TIMEOUT_MS = 5_000;

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });
const KeySet = z.object({ keys: z.array(z.looseObject({ kid: z.string().optional(), kty: z.string() })).max(100) });

/** The keys of an issuer cannot be read; the message says why, in a sentence. */
export class IssuerUnusable extends Error {
  override readonly name = 'IssuerUnusable';
}

export interface KeyRequest {
  issuer: string;
  keyId: string;
  /** Whose limit of outbound calls a download counts against. */
  tenant: string;
}

interface StoredKeys {
  keys: ReadonlyMap<string, JWK>;
  loadedAt: number;
  /** When the last download was tried, and why it failed. */
  triedAt: number;
  failure?: IssuerUnusable;
}

/** The public keys of OpenID issuers, found by their discovery documents and kept for an hour. */
export class IssuerKeys {
  readonly #egress: Pick<Egress, 'request'>;
  readonly #clock: () => Date;
  readonly #stored = new Map<string, StoredKeys>();
  readonly #loading = new Map<string, Promise<StoredKeys>>();

  constructor(egress: Pick<Egress, 'request'>, clock: () => Date) {
    this.#egress = egress;
    this.#clock = clock;
  }

  /** The key with this id, or undefined if the issuer has none. Throws IssuerUnusable. */
  async find({ issuer, keyId, tenant }: KeyRequest): Promise<JWK | undefined> {
    const now = this.#clock().getTime();
    const stored = this.#stored.get(issuer);
    if (stored && !needsDownload(stored, keyId, now)) return keyOf(stored, keyId, now);
    const loading = this.#loading.get(issuer) ?? this.#load(issuer, tenant, stored);
    this.#loading.set(issuer, loading);
    try {
      return keyOf(await loading, keyId, now);
    } finally {
      this.#loading.delete(issuer);
    }
  }

  async #load(issuer: string, tenant: string, before: StoredKeys | undefined): Promise<StoredKeys> {
    const triedAt = this.#clock().getTime();
    const loaded = await this.#download(issuer, tenant).then(
      (keys): StoredKeys => ({ keys, loadedAt: triedAt, triedAt }),
      (error): StoredKeys => ({
        keys: before?.keys ?? new Map(),
        loadedAt: before?.loadedAt ?? 0,
        triedAt,
        failure: failureOf(error),
      }),
    );
    if (this.#stored.size >= MAX_ISSUERS) this.#stored.clear();
    this.#stored.set(issuer, loaded);
    return loaded;
  }

  async #download(issuer: string, tenant: string): Promise<ReadonlyMap<string, JWK>> {
    const discovery = Discovery.safeParse(await this.#get(issuer.replace(/\/$/, '') + DISCOVERY_PATH, tenant));
    if (!discovery.success) throw new IssuerUnusable('Its discovery document is not valid.');
    // OpenID Discovery 4.3: exactly the same, so that one issuer cannot speak for another.
    if (discovery.data.issuer !== issuer) throw new IssuerUnusable('Its discovery document names another issuer.');
    const { data } = KeySet.safeParse(await this.#get(discovery.data.jwks_uri, tenant));
    if (!data) throw new IssuerUnusable('Its key set is not valid.');
    return new Map(data.keys.flatMap((key) => (key.kid === undefined ? [] : [[key.kid, key as JWK] as const])));
  }

  async #get(url: string, tenant: string): Promise<unknown> {
    const headers = { accept: 'application/json' };
    const reply = await this.#egress.request({ url, method: 'GET', headers, tenant, timeoutMs: TIMEOUT_MS });
    if (reply.status !== 200) throw new IssuerUnusable(`It answered with the status ${reply.status}.`);
    try {
      return JSON.parse(reply.body.toString('utf8'));
    } catch {
      throw new IssuerUnusable('It did not answer with JSON.');
    }
  }
}

const needsDownload = ({ keys, loadedAt, triedAt }: StoredKeys, keyId: string, now: number): boolean =>
  now - triedAt >= MIN_AGE_MS && (now - loadedAt >= MAX_AGE_MS || !keys.has(keyId));

function keyOf({ keys, loadedAt, failure }: StoredKeys, keyId: string, now: number): JWK | undefined {
  const key = keys.get(keyId);
  if (key && now - loadedAt < MAX_STALE_MS) return key;
  if (failure) throw failure;
  return undefined;
}

function failureOf(error: unknown): IssuerUnusable {
  if (error instanceof IssuerUnusable) return error;
  if (error instanceof EgressFailure) return new IssuerUnusable(error.message);
  throw error;
}
