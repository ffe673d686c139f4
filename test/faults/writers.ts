import { Api } from './api.ts';
import type { Installation } from './installation.ts';

/** One write as its client recorded it. */
export interface WriteEffect {
  kind: 'create' | 'join';
  /** Identifies the request in the audit trail. */
  requestId: string;
  key: string;
  /** The name of the team, or the account that joins. */
  subject: string;
  team: string;
  isAcknowledged: boolean;
  /** The id in the reply to a creation. */
  made: string;
}

/** A team for each writer, and people who can join it. */
export interface WriterSetup {
  deployment: string;
  token: string;
  teams: readonly string[];
  people: readonly string[];
}

const PEOPLE = 500;

export async function prepareWriters(
  installation: Installation,
  baseUrl: string,
  writers: number,
): Promise<WriterSetup> {
  const [found] = await installation.look<{ id: string }>('select id from deployment');
  const deployment = String(found?.id);
  const people = await installation.look<{ account_id: string }>(
    `with made as (
       insert into account (email, email_key, name)
       select 'p' || n || '@example.com', 'p' || n || '@example.com', 'P' || n from generate_series(1, $2::int) as n
       returning id)
     insert into membership (deployment_id, account_id, role)
     select $1, id, 'ORG_ROLE_MEMBER' from made returning account_id`,
    [deployment, PEOPLE],
  );
  const token = await installation.token();
  const api = new Api(baseUrl);
  const teams: string[] = [];
  for (let writer = 0; writer < writers; writer++) {
    const path = `/api/permissions/v2/deployments/${deployment}/teams`;
    const { body } = await api.ask({ method: 'POST', path, token, body: { team: { name: `Writer ${writer}` } } });
    teams.push(String((body['team'] as { id: string }).id));
  }
  api.close();
  return { deployment, token, teams, people: people.map((row) => String(row.account_id)) };
}

/** Sends an effect, if need be repeatedly with the same key. */
export function send(api: Api, { deployment, token }: WriterSetup, effect: WriteEffect) {
  const base = `/api/permissions/v2/deployments/${deployment}/teams`;
  const headers = { 'idempotency-key': effect.key, 'x-request-id': effect.requestId };
  return effect.kind === 'create'
    ? api.ask({ method: 'POST', path: base, token, headers, body: { team: { name: effect.subject } } })
    : api.ask({
        method: 'PATCH',
        path: `${base}/${effect.team}`,
        token,
        headers,
        body: { team: { users: [{ userId: effect.subject, action: 'UPDATE_ACTION_ADD' }] } },
      });
}

export const madeBy = (body: Record<string, unknown>): string => String((body['team'] as { id?: string })?.id ?? '');

/** Writes as fast as replies arrive, until it is stopped or the server is gone, and keeps a ledger. */
export class Writer {
  readonly ledger: WriteEffect[] = [];
  readonly unexpected: string[] = [];
  readonly #api: Api;
  readonly #ground: WriterSetup;
  readonly #name: string;
  readonly #index: number;
  #isStopped = false;

  constructor(baseUrl: string, ground: WriterSetup, { cycle, index }: { cycle: number; index: number }) {
    this.#api = new Api(baseUrl);
    this.#ground = ground;
    this.#index = index;
    this.#name = `c${cycle}w${index}`;
  }

  async run(): Promise<void> {
    for (let count = 0; !this.#isStopped; count++) {
      const effect = this.#next(count);
      this.ledger.push(effect);
      try {
        const { status, body } = await send(this.#api, this.#ground, effect);
        effect.isAcknowledged = status === 200;
        effect.made = madeBy(body);
        if (status !== 200) this.unexpected.push(`${status} ${String(body['code'])} for ${effect.requestId}`);
      } catch {
        // The connection broke, so the outcome is unknown.
        break;
      }
    }
    this.#api.close();
  }

  stop(): void {
    this.#isStopped = true;
  }

  #next(count: number): WriteEffect {
    const isCreation = count % 2 === 0;
    const name = `${this.#name}n${count}`;
    return {
      kind: isCreation ? 'create' : 'join',
      requestId: `request_${name}`,
      key: `key-${name}`,
      subject: isCreation ? `Team ${name}` : (this.#ground.people[count % this.#ground.people.length] ?? ''),
      team: this.#ground.teams[this.#index] ?? '',
      isAcknowledged: false,
      made: '',
    };
  }
}
