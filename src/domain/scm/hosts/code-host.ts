import type { Secret } from '#kernel/crypto/secret.ts';
import type { HostExchange } from './host-call.ts';
import type { HostDelivery, ReceivedDelivery } from './host-delivery.ts';
import type { ScmProvider, TokenScopes } from './host-shape.ts';

/** An organization, group or person whose repositories are connected. */
export interface HostNamespace {
  path: string;
  kind: 'org' | 'user';
  /** Never changes, unlike the path. */
  id: string;
}

/** What a host says about a credential. */
export interface HostCheck {
  /** Our account at the host: the author of what we write there. */
  account: { id: string; login: string };
  namespace: HostNamespace;
  scopes: TokenScopes;
  tokenExpiresAt?: Date | undefined;
  /** The installation of an app. */
  installation?: { id: string; isSuspended: boolean } | undefined;
}

export interface HostRepository {
  /** Survives renames and transfers. */
  id: string;
  /** The whole path, such as `acme/web`. */
  name: string;
  url: string;
  defaultBranch: string;
  visibility: 'public' | 'private' | 'unknown';
  isArchived: boolean;
  topics: readonly string[];
}

export interface RepositoryPage {
  repositories: HostRepository[];
  /** Empty after the last page. */
  cursor: string;
}

export interface HostPullRequest {
  number: string;
  title: string;
  state: 'open' | 'closed' | 'merged';
  isDraft: boolean;
  headSha: string;
  headRef: string;
  baseRef: string;
  /** True if the source is another repository. */
  isFork: boolean;
  author: string;
  url: string;
}

/** Where a webhook is registered: for all repositories of a namespace, or for one. */
export type HookTarget =
  | { kind: 'namespace'; namespace: HostNamespace }
  | { kind: 'repository'; id: string; name: string };

export interface HookSettings {
  url: string;
  secret: Secret;
  isTlsVerified: boolean;
}

/**
 * A code host: how to ask it, and how to read what it says. An adapter does no input or output, so that the rules for
 * outbound calls and for failures are written once.
 */
export interface CodeHost {
  readonly provider: ScmProvider;
  readonly name: string;
  /** The events that a webhook subscribes to, as the host calls them. */
  readonly hookEvents: readonly string[];
  /** What the host can tell about all repositories of a namespace with one webhook. */
  canHookNamespace(namespace: HostNamespace): boolean;
  apiBaseOf(baseUrl: string): string;
  headersOf(token: Secret): Record<string, string | Secret>;
  check(path: string): HostExchange<HostCheck>;
  listRepositories(namespace: HostNamespace, cursor: string): HostExchange<RepositoryPage>;
  /** Undefined if the host does not have it, or does not show it to us. */
  getRepository(id: string): HostExchange<HostRepository | undefined>;
  getPullRequest(repository: { id: string; name: string }, number: string): HostExchange<HostPullRequest | undefined>;
  /** Creates a webhook, or finds the one that has this address; the id of it. */
  putHook(target: HookTarget, settings: HookSettings, hostHookId?: string): HostExchange<string>;
  deleteHook(target: HookTarget, hostHookId: string): HostExchange<void>;
  /** The delivery, if it is signed with one of the secrets. */
  readDelivery(received: ReceivedDelivery, secrets: readonly Secret[]): HostDelivery | undefined;
}
