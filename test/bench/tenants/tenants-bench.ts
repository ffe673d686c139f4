import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { Api } from '#test/faults/api.ts';
import { Installation, type Run, type Settings } from '#test/faults/installation.ts';

const EMAIL = 'admin@example.com';
const PASSWORD = 'a bench of many tenants 7';
/** A person may create only a few deployments. */
const TENANTS_OF_PERSON = 5;

/** One organization, with a token of its own. */
export interface Tenant {
  id: string;
  slug: string;
  token: string;
}

/** The real program with several organizations that know nothing of each other. */
export class TenantsBench {
  readonly program: Run;
  readonly installation: Installation;
  readonly tenants: Tenant[] = [];
  /** The session of the person who created a tenant. */
  readonly #owners = new Map<string, string>();

  private constructor(installation: Installation, program: Run) {
    this.installation = installation;
    this.program = program;
  }

  static async open(count: number, settings: Settings = {}): Promise<TenantsBench> {
    const installation = await Installation.make({
      PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
      PARAPET_DEPLOYMENTS_PER_PERSON: '1000',
      ...settings,
    });
    const bench = new TenantsBench(installation, await installation.start());
    const api = new Api(bench.program.baseUrl);
    try {
      for (let person = 0; bench.tenants.length < count; person++)
        await bench.#addTenants(api, person, Math.min(TENANTS_OF_PERSON, count - bench.tenants.length));
    } finally {
      api.close();
    }
    return bench;
  }

  async #addTenants(api: Api, person: number, count: number): Promise<void> {
    const email = `person-${person}@example.com`;
    await this.installation.query(
      `insert into account (email, email_key, name, password_hash)
       select $1, $1, 'Person', password_hash from account where email_key = $2`,
      [email, EMAIL],
    );
    const signedIn = await post(api, '/api/auth/sessions', { body: { email, password: PASSWORD }, token: '' });
    const jwt = String(signedIn['accessToken']);
    for (let index = 0; index < count; index++) {
      const body = { deploymentName: `Tenant ${person} ${index}` };
      const { deployment } = (await post(api, '/api/agent/deployments', { body, token: jwt })) as {
        deployment: Tenant;
      };
      const { id, slug } = deployment;
      this.#owners.set(id, jwt);
      this.tenants.push({ id, slug, token: await addToken(api, id, jwt) });
    }
  }

  /** Another token of the tenant, which is another reader of events. */
  async addToken({ id }: Tenant): Promise<string> {
    const api = new Api(this.program.baseUrl);
    const token = await addToken(api, id, this.#owners.get(id) ?? '');
    api.close();
    return token;
  }

  tenant(index: number): Tenant {
    return this.tenants[index] ?? assert.fail(`there is no tenant ${index}`);
  }

  /** A list of issues, as a load for the generator. */
  listRequest({ id, token }: Tenant) {
    return {
      baseUrl: this.program.baseUrl,
      method: 'POST',
      path: `/api/agent/deployments/${id}/issues`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ issueTypes: ['ISSUE_TYPE_SAST'], filter: { tab: 'ISSUE_TAB_OPEN' }, limit: 50 }),
    };
  }

  async connection(): Promise<pg.ClientConfig> {
    const running = await this.installation.postmaster();
    return running?.connection ?? assert.fail('PostgreSQL is not running');
  }

  memoryMb(): number {
    const status = readFileSync(`/proc/${this.program.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  }

  async close(): Promise<void> {
    await this.program.end('SIGTERM');
    await this.installation.remove();
  }
}

async function post(api: Api, path: string, { body, token }: { body: object; token: string }) {
  const answer = await api.ask({ method: 'POST', path, body, token });
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function addToken(api: Api, tenant: string, jwt: string): Promise<string> {
  const body = { name: `bench ${randomUUID()}`, role: 'TOKEN_ROLE_WEBAPI', webApi: true };
  return String((await post(api, `/api/tokens/v1/deployments/${tenant}/tokens`, { body, token: jwt }))['secret']);
}
