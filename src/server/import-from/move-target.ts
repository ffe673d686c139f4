import { type ClientReply, type ContractClient, client } from '#kernel/contract/client.ts';
import * as deployments from '#services/deployments/contract.ts';
import * as v1Deployments from '#services/deployments/v1-contract.ts';
import * as imports from '#services/imports/contract.ts';
import * as bulk from '#services/issues/bulk/contract.ts';
import * as issues from '#services/issues/list/contract.ts';
import * as policies from '#services/policies/contract.ts';
import * as projects from '#services/projects/v1-contract.ts';
import * as ruleboards from '#services/ruleboard/contract.ts';
import * as teams from '#services/teams/contract.ts';
import { RemoteFailure, type RetryMeans, withRetries } from './source-api.ts';

export interface TargetAddress {
  baseUrl: string;
  token: string;
}

const CONTRACTS = { deployments, v1Deployments, imports, bulk, issues, policies, projects, ruleboards, teams } as const;
type Clients = { [Name in keyof typeof CONTRACTS]: ContractClient<(typeof CONTRACTS)[Name]> };

/** The server that is moved to, by its public operations, so that permissions, limits and the audit trail apply. */
export class MoveTarget {
  readonly baseUrl: string;
  readonly #clients: Clients;
  readonly #means: RetryMeans;
  #deployment = { id: '', slug: '' };

  constructor({ baseUrl, token }: TargetAddress, means: RetryMeans) {
    this.baseUrl = baseUrl;
    this.#means = means;
    const transport = { baseUrl, token };
    this.#clients = Object.fromEntries(
      Object.entries(CONTRACTS).map(([name, contract]) => [name, client(contract, transport)]),
    ) as unknown as Clients;
  }

  get deployment(): { id: string; slug: string } {
    return this.#deployment;
  }

  /** Finds the deployment of the token. */
  async connect(): Promise<void> {
    const { body } = await this.call('GET /api/v1/deployments', ({ v1Deployments: { listDeployments } }) =>
      listDeployments({}),
    );
    const [first] = body.deployments;
    if (!first) throw new RemoteFailure('The token of PARAPET_TOKEN belongs to no deployment of Parapet.', 403);
    this.#deployment = { id: String(first.id), slug: first.slug };
  }

  /** Calls an operation, again if the server is busy; a refusal is an error. */
  async call<Body>(what: string, send: (clients: Clients) => Promise<ClientReply<Body>>): Promise<ClientReply<Body>> {
    const reply = await this.try(send);
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw refusalOf(what, reply);
  }

  /** Calls an operation whose refusal the caller handles. */
  try<Body>(send: (clients: Clients) => Promise<ClientReply<Body>>): Promise<ClientReply<Body>> {
    return withRetries('Parapet', this.#means, () => send(this.#clients));
  }
}

/** What was refused and why, in one line. */
export const problemOf = ({ status, problem }: ClientReply<unknown>): string =>
  `${status} ${problem.code ?? ''} ${problem.detail ?? ''}`.trim();

/** This server refused something. */
export class TargetRefusal extends RemoteFailure {}

function refusalOf(what: string, reply: ClientReply<unknown>): TargetRefusal {
  const hint = reply.status === 401 || reply.status === 403 ? ' Check the role and scopes of PARAPET_TOKEN.' : '';
  return new TargetRefusal(`Parapet refused ${what}: ${problemOf(reply)}${hint}`, reply.status);
}
