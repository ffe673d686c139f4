import { createHmac, type KeyObject } from 'node:crypto';
import { orgRoleOfToken, permissionsOf, seesEverything } from '#domain/access/roles.ts';
import type { TokenUsageRecorder } from '#domain/accounts/token-usage.ts';
import type { AccessClaims, AccessTokens } from '#kernel/auth/access-token.ts';
import type { Authenticator, Caller, Credentials } from '#kernel/auth/caller.ts';
import { Batcher } from '#kernel/concurrency/batcher.ts';
import {
  DEPLOYMENT_AMBIGUOUS,
  INVALID_CREDENTIALS,
  TOKEN_PERMISSION_MISSING,
  TOKEN_SCOPE_LIMITED,
  USER_JWT_REQUIRED,
} from '#kernel/contract/common-faults.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { parseTokenText } from '#kernel/crypto/token-text.ts';
import type { Database } from '#kernel/db/database.ts';
import { renderSql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { SqlRow } from '#kernel/db/tx.ts';

export interface CredentialAuthenticatorOptions {
  db: Pick<Database, 'queryAsAuth'>;
  accessTokens: AccessTokens;
  tokenKey: KeyObject;
  tokenUse: TokenUsageRecorder;
  clock: () => Date;
}

/** How a token's text is kept: a keyed hash, by which it is also found. */
export const hashToken = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** The deployment as the path spells it: by its id, by its slug, or not at all. */
interface Place {
  deploymentId: string | null;
  slug: string | null;
}

interface UserQuestion extends AccessClaims, Place {
  /** Nothing names a deployment: the one of a person who has only one is meant. */
  wantsHome: boolean;
}

interface TokenQuestion extends Place {
  hash: string;
}

/**
 * Admits signed-in people and API tokens; one statement tells who they are and what they are in the deployment,
 * and those who knock at the same time share it.
 */
export class CredentialAuthenticator implements Authenticator {
  readonly #options: CredentialAuthenticatorOptions;
  readonly #users = new Batcher<UserQuestion, SqlRow | undefined>((questions) => this.#findUsers(questions));
  readonly #tokens = new Batcher<TokenQuestion, SqlRow | undefined>((questions) => this.#findTokens(questions));

  constructor(options: CredentialAuthenticatorOptions) {
    this.#options = options;
  }

  async authenticate(knock: Credentials): Promise<Caller> {
    // What has not even the shape of a credential is refused without a query.
    if (parseTokenText(knock.credential)) return this.#admitToken(knock);
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(knock.credential)) return this.#admitUser(knock);
    throw INVALID_CREDENTIALS();
  }

  async #admitUser({ credential, deploymentRef, usesOwnDeployment, onIdentified }: Credentials): Promise<Caller> {
    const claims = await this.#options.accessTokens.verify(credential, this.#options.clock());
    if (!claims) throw INVALID_CREDENTIALS();
    const row = await this.#users.submit({
      ...claims,
      ...placeOf(deploymentRef),
      wantsHome: usesOwnDeployment === true,
    });
    if (!row) throw INVALID_CREDENTIALS();
    const role = String(row['role'] ?? '');
    const caller: Caller = {
      kind: 'user',
      credential: `session:${claims.sessionId}`,
      userId: claims.userId,
      name: String(row['name']),
      email: String(row['email']),
      deployment: String(row['deployment_id'] ?? ''),
      role,
      permissions: permissionsOf(role),
      seesEverything: seesEverything(role),
    };
    onIdentified(caller);
    if (usesOwnDeployment && caller.deployment === '') await this.#refuseSeveral(claims.userId);
    return caller;
  }

  async #refuseSeveral(account: string): Promise<void> {
    const homes = await this.#ask(sql`select from membership where account_id = ${account} limit 2`);
    if (homes.length > 1) throw DEPLOYMENT_AMBIGUOUS();
  }

  async #admitToken({
    credential,
    deploymentRef,
    scheme,
    isScannerRoute,
    address,
    onIdentified,
  }: Credentials): Promise<Caller> {
    const hash = hashToken(this.#options.tokenKey, credential);
    const row = await this.#tokens.submit({ hash, ...placeOf(deploymentRef) });
    if (!row) throw INVALID_CREDENTIALS();
    const name = String(row['name']);
    const scopes = row['scopes'] as string[];
    const home = String(row['deployment_id']);
    const role = orgRoleOfToken(String(row['role']));
    const caller: Caller = {
      kind: 'token',
      credential: `token:${row['id']}`,
      userId: '',
      name,
      email: '',
      deployment: deploymentRef === undefined || row['is_home'] === true ? home : '',
      role,
      permissions: permissionsOf(role),
      seesEverything: true,
    };
    onIdentified(caller);
    if (scheme === 'user') throw USER_JWT_REQUIRED();
    if (row['has_web_api'] !== true && !isScannerRoute) throw TOKEN_PERMISSION_MISSING({ name });
    if (scopes.length > 0) throw TOKEN_SCOPE_LIMITED({ name, scopes: scopes.join(' ') });
    this.#options.tokenUse.record({ deployment: home, id: String(row['id']), address });
    return caller;
  }

  async #findUsers(questions: readonly UserQuestion[]): Promise<(SqlRow | undefined)[]> {
    const rows = await this.#ask(sql`
      select asked.number, account.email, account.name, membership.deployment_id, membership.role
      from unnest(${questions.map(({ sessionId }) => sessionId)}::bigint[],
                  ${questions.map(({ userId }) => userId)}::bigint[],
                  ${questions.map(({ deploymentId }) => deploymentId)}::bigint[],
                  ${questions.map(({ slug }) => slug)}::text[],
                  ${questions.map(({ wantsHome }) => wantsHome)}::boolean[])
        with ordinality as asked (session_id, account_id, deployment_id, slug, wants_home, number)
      join session on session.id = asked.session_id and session.ended_at is null and session.expires_at > now()
      join account on account.id = asked.account_id and account.id = session.account_id
        and account.disabled_at is null and account.deleted_at is null
      left join membership on membership.account_id = account.id
        and membership.deployment_id = case when asked.wants_home then ${onlyHome} else ${askedDeployment} end`);
    return inOrder(questions, rows);
  }

  async #findTokens(questions: readonly TokenQuestion[]): Promise<(SqlRow | undefined)[]> {
    const rows = await this.#ask(sql`
      select asked.number, api_token.id, api_token.name, api_token.role, has_web_api, scopes, api_token.deployment_id,
             api_token.deployment_id = ${askedDeployment} as is_home
      from unnest(${questions.map(({ hash }) => hash)}::text[],
                  ${questions.map(({ deploymentId }) => deploymentId)}::bigint[],
                  ${questions.map(({ slug }) => slug)}::text[])
        with ordinality as asked (hash, deployment_id, slug, number)
      join api_token on api_token.hash = asked.hash and revoked_at is null and expires_at > now()`);
    return inOrder(questions, rows);
  }

  #ask(statement: Sql): Promise<SqlRow[]> {
    return this.#options.db.queryAsAuth(renderSql(statement));
  }
}

/** The deployment of a person who has only one. */
const onlyHome = sql`(select min(home.deployment_id) from membership as home
  where home.account_id = asked.account_id having count(*) = 1)`;

const askedDeployment = sql`coalesce(asked.deployment_id, (select id from deployment where slug = asked.slug))`;

const SLUG = /^[\w-]{1,64}$/;

function placeOf(ref = ''): Place {
  if (isInt64(ref)) return { deploymentId: ref, slug: null };
  return { deploymentId: null, slug: SLUG.test(ref) ? ref : null };
}

function inOrder(questions: readonly unknown[], rows: readonly SqlRow[]): (SqlRow | undefined)[] {
  const answers = new Array<SqlRow | undefined>(questions.length);
  for (const row of rows) answers[Number(row['number']) - 1] = row;
  return answers;
}
