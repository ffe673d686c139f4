import { createHmac, type KeyObject } from 'node:crypto';
import { orgRoleOfToken, permissionsOf, seesEverything } from '#domain/access/roles.ts';
import type { AccessClaims, AccessTokens } from '#kernel/auth/access-token.ts';
import type { Authenticator, Caller, Credentials } from '#kernel/auth/caller.ts';
import { Batcher } from '#kernel/concurrency/batcher.ts';
import {
  INVALID_CREDENTIALS,
  TOKEN_PERMISSION_MISSING,
  TOKEN_SCOPE_LIMITED,
  USER_JWT_REQUIRED,
} from '#kernel/contract/common-faults.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { parseTokenText } from '#kernel/crypto/token-text.ts';
import type { Database } from '#kernel/db/database.ts';
import { renderSql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { TokenUsageRecorder } from './token-usage.ts';

export interface CredentialAuthenticatorOptions {
  db: Pick<Database, 'queryAsAuth'>;
  accessTokens: AccessTokens;
  tokenKey: KeyObject;
  tokenUse: TokenUsageRecorder;
  clock: () => Date;
}

/** The keyed hash under which an API token is stored and looked up. */
export const hashToken = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** The deployment that the path names: by id, by slug, or not at all. */
interface DeploymentLookup {
  deploymentId: string | null;
  slug: string | null;
}

interface UserLookup extends AccessClaims, DeploymentLookup {
  /** The path names no deployment: use the one that the account joined first. */
  usesOwnDeployment: boolean;
}

interface TokenLookup extends DeploymentLookup {
  hash: string;
}

interface UserRow {
  email: string;
  name: string;
  deployment_id: string | null;
  role: string | null;
}

interface TokenRow {
  id: string;
  name: string;
  role: string;
  has_web_api: boolean;
  scopes: string[];
  project_key: string | null;
  deployment_id: string;
  /** Null if the path names no deployment. */
  is_home: boolean | null;
}

/** `number` is the place of the lookup in its batch, counted from 1. */
type Numbered<Row> = Row & { number: string };

const ACCESS_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Authenticates signed-in users and API tokens. One statement finds the identity and the role in the deployment;
 * concurrent requests share that statement.
 */
export class CredentialAuthenticator implements Authenticator {
  readonly #options: CredentialAuthenticatorOptions;
  readonly #users = new Batcher<UserLookup, UserRow | undefined>((lookups) => this.#findUsers(lookups));
  readonly #tokens = new Batcher<TokenLookup, TokenRow | undefined>((lookups) => this.#findTokens(lookups));

  constructor(options: CredentialAuthenticatorOptions) {
    this.#options = options;
  }

  async authenticate(credentials: Credentials): Promise<Caller> {
    // Malformed credentials are refused without a query.
    if (parseTokenText(credentials.credential)) return this.#authenticateToken(credentials);
    if (ACCESS_TOKEN.test(credentials.credential)) return this.#authenticateUser(credentials);
    throw INVALID_CREDENTIALS();
  }

  async #authenticateUser(credentials: Credentials): Promise<Caller> {
    const { credential, deploymentRef, usesOwnDeployment, onIdentified } = credentials;
    const claims = await this.#options.accessTokens.verify(credential, this.#options.clock());
    if (!claims) throw INVALID_CREDENTIALS();
    const row = await this.#users.submit({ ...claims, ...deploymentLookup(deploymentRef), usesOwnDeployment });
    if (!row) throw INVALID_CREDENTIALS();
    const role = row.role ?? '';
    const caller: Caller = {
      kind: 'user',
      credential: `session:${claims.sessionId}`,
      userId: claims.userId,
      name: row.name,
      email: row.email,
      deployment: row.deployment_id ?? '',
      role,
      permissions: permissionsOf(role),
      seesEverything: seesEverything(role),
    };
    onIdentified(caller);
    return caller;
  }

  async #authenticateToken(credentials: Credentials): Promise<Caller> {
    const { credential, deploymentRef, accepted, address, onIdentified } = credentials;
    const hash = hashToken(this.#options.tokenKey, credential);
    const row = await this.#tokens.submit({ hash, ...deploymentLookup(deploymentRef) });
    if (!row) throw INVALID_CREDENTIALS();
    const { id, name, scopes, deployment_id: home } = row;
    const role = orgRoleOfToken(row.role);
    const caller: Caller = {
      kind: 'token',
      credential: `token:${id}`,
      userId: '',
      name,
      email: '',
      deployment: deploymentRef === undefined || row.is_home === true ? home : '',
      role,
      permissions: permissionsOf(role),
      seesEverything: row.project_key === null,
      ...(row.project_key !== null && { onlyName: row.project_key }),
    };
    onIdentified(caller);
    if (accepted === 'user') throw USER_JWT_REQUIRED();
    if (!row.has_web_api && accepted === 'any') throw TOKEN_PERMISSION_MISSING({ name });
    if (scopes.length > 0) throw TOKEN_SCOPE_LIMITED({ name, scopes: scopes.join(' ') });
    this.#options.tokenUse.record({ deployment: home, id, address });
    return caller;
  }

  async #findUsers(lookups: readonly UserLookup[]): Promise<(UserRow | undefined)[]> {
    const rows = await this.#query<Numbered<UserRow>>(sql`
      select lookup.number, account.email, account.name, membership.deployment_id, membership.role
      from unnest(${lookups.map(({ sessionId }) => sessionId)}::bigint[],
                  ${lookups.map(({ userId }) => userId)}::bigint[],
                  ${lookups.map(({ deploymentId }) => deploymentId)}::bigint[],
                  ${lookups.map(({ slug }) => slug)}::text[],
                  ${lookups.map(({ usesOwnDeployment }) => usesOwnDeployment)}::boolean[])
        with ordinality as lookup (session_id, account_id, deployment_id, slug, uses_own_deployment, number)
      join session on session.id = lookup.session_id and session.ended_at is null and session.expires_at > now()
      join account on account.id = lookup.account_id and account.id = session.account_id
        and account.disabled_at is null and account.deleted_at is null
      left join membership on membership.account_id = account.id
        and membership.deployment_id = case when lookup.uses_own_deployment then ${firstDeployment}
                                            else ${namedDeployment} end`);
    return inOrder(lookups, rows);
  }

  async #findTokens(lookups: readonly TokenLookup[]): Promise<(TokenRow | undefined)[]> {
    const rows = await this.#query<Numbered<TokenRow>>(sql`
      select lookup.number, api_token.id, api_token.name, api_token.role, has_web_api, scopes, project_key,
             api_token.deployment_id, api_token.deployment_id = ${namedDeployment} as is_home
      from unnest(${lookups.map(({ hash }) => hash)}::text[],
                  ${lookups.map(({ deploymentId }) => deploymentId)}::bigint[],
                  ${lookups.map(({ slug }) => slug)}::text[])
        with ordinality as lookup (hash, deployment_id, slug, number)
      join api_token on api_token.hash = lookup.hash and revoked_at is null and expires_at > now()`);
    return inOrder(lookups, rows);
  }

  /** Every request runs such a statement, so its rows are typed and not parsed by a schema. */
  async #query<Row>(statement: Sql): Promise<Row[]> {
    return (await this.#options.db.queryAsAuth(renderSql(statement))) as Row[];
  }
}

/** The deployment that an account joined first: joining another one changes nothing for its programs. */
const firstDeployment = sql`(select home.deployment_id from membership as home
  where home.account_id = lookup.account_id order by home.joined_at, home.deployment_id limit 1)`;

const namedDeployment = sql`coalesce(lookup.deployment_id, (select id from deployment where slug = lookup.slug))`;

const SLUG = /^[\w-]{1,64}$/;

function deploymentLookup(ref = ''): DeploymentLookup {
  if (isInt64(ref)) return { deploymentId: ref, slug: null };
  return { deploymentId: null, slug: SLUG.test(ref) ? ref : null };
}

function inOrder<Row>(lookups: readonly unknown[], rows: readonly Numbered<Row>[]): (Row | undefined)[] {
  const found = new Array<Row | undefined>(lookups.length);
  for (const row of rows) found[Number(row.number) - 1] = row;
  return found;
}
