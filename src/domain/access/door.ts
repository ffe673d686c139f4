import { createHmac, type KeyObject } from 'node:crypto';
import type { TokenUse } from '#domain/people/token-use.ts';
import type { AccessTokens } from '#kernel/auth/access-token.ts';
import type { Caller, Door, Knock } from '#kernel/auth/caller.ts';
import {
  DEPLOYMENT_AMBIGUOUS,
  INVALID_CREDENTIALS,
  TOKEN_PERMISSION_MISSING,
  TOKEN_SCOPE_LIMITED,
  USER_JWT_REQUIRED,
} from '#kernel/contract/common-faults.ts';
import { isInt64 } from '#kernel/contract/words.ts';
import { parseTokenText } from '#kernel/crypto/token-text.ts';
import type { Database } from '#kernel/db/database.ts';
import { render, type Sql, sql } from '#kernel/db/sql.ts';
import { orgRoleOfToken, permissionsOf, seesEverything } from './roles.ts';

export interface DoorOptions {
  db: Database;
  accessTokens: AccessTokens;
  tokenKey: KeyObject;
  tokenUse: TokenUse;
  clock: () => Date;
}

/** How a token's text is kept: a keyed hash, by which it is also found. */
export const tokenHash = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** Admits signed-in people and API tokens; one statement tells who they are and what they are in the deployment. */
export class PeopleDoor implements Door {
  readonly #options: DoorOptions;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  async admit(knock: Knock): Promise<Caller> {
    // What has not even the shape of a credential is refused without a query.
    if (parseTokenText(knock.credential)) return this.#admitToken(knock);
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(knock.credential)) return this.#admitUser(knock);
    throw INVALID_CREDENTIALS();
  }

  async #admitUser({ credential, deploymentRef, isHomeWanted, known }: Knock): Promise<Caller> {
    const claims = await this.#options.accessTokens.verify(credential, this.#options.clock());
    if (!claims) throw INVALID_CREDENTIALS();
    const [row] = await this.#ask(sql`
      select account.email, account.name, membership.deployment_id, membership.role
      from session
      join account on account.id = session.account_id
      left join membership on membership.account_id = account.id and membership.deployment_id =
        ${isHomeWanted ? onlyHomeOf(claims.userId) : idOf(deploymentRef)}
      where session.id = ${claims.sessionId} and account.id = ${claims.userId}
        and session.ended_at is null and session.expires_at > now()
        and account.disabled_at is null and account.deleted_at is null`);
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
    known(caller);
    if (isHomeWanted && caller.deployment === '') await this.#refuseSeveral(claims.userId);
    return caller;
  }

  async #refuseSeveral(account: string): Promise<void> {
    const homes = await this.#ask(sql`select from membership where account_id = ${account} limit 2`);
    if (homes.length > 1) throw DEPLOYMENT_AMBIGUOUS();
  }

  async #admitToken({ credential, deploymentRef, scheme, isScannerRoute, address, known }: Knock): Promise<Caller> {
    const [row] = await this.#ask(sql`
      select api_token.id, api_token.name, api_token.role, has_web_api, scopes, api_token.deployment_id,
             api_token.deployment_id = ${idOf(deploymentRef)} as is_home
      from api_token
      where hash = ${tokenHash(this.#options.tokenKey, credential)} and revoked_at is null and expires_at > now()`);
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
    known(caller);
    if (scheme === 'user') throw USER_JWT_REQUIRED();
    if (row['has_web_api'] !== true && !isScannerRoute) throw TOKEN_PERMISSION_MISSING({ name });
    if (scopes.length > 0) throw TOKEN_SCOPE_LIMITED({ name, scopes: scopes.join(' ') });
    this.#options.tokenUse.note({ deployment: home, id: String(row['id']), address });
    return caller;
  }

  #ask(statement: Sql): Promise<Record<string, unknown>[]> {
    return this.#options.db.ask(render(statement));
  }
}

/** The deployment of a person who has only one. */
const onlyHomeOf = (account: string): Sql =>
  sql`(select min(deployment_id) from membership where account_id = ${account} having count(*) = 1)`;

/** The id of the deployment that a path spells as id or slug; null where the path names none. */
function idOf(ref: string | undefined): Sql {
  if (ref === undefined) return sql`null::bigint`;
  return isInt64(ref) ? sql`${ref}::bigint` : sql`(select deployment.id from deployment where slug = ${ref})`;
}
