import { nameKey } from '#domain/deployments/rules.ts';
import { lockLimit } from '#kernel/db/limit-lock.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ApiToken } from './shape.ts';

const columns = sql`
  id, name, role, has_web_api as "webApi", scopes, created_at as "createdAt", expires_at as "expiresAt",
  last_used_at as "lastUsedAt", suffix,
  coalesce((select account.name from account where account.id = api_token.created_by), '') as "createdBy"`;

export interface NewApiToken {
  deployment: string;
  name: string;
  role: string;
  purpose: string;
  hasWebApi: boolean;
  scopes: string[];
  hash: string;
  suffix: string;
  /** The account; absent for the token of a CI job. */
  createdBy?: string;
  expiresAt: Date;
  /** The CI job that gets the token: the trust that it met, and the project that it is limited to, if any. */
  job?: { trust: string; project: string };
}

export async function insert(tx: Tx, token: NewApiToken): Promise<ApiToken> {
  const inserted = await tx.one(ApiToken)`
    insert into api_token (deployment_id, name, role, purpose, has_web_api, scopes, hash, suffix, created_by,
                           expires_at, ci_trust_id, project_key)
    values (${token.deployment}, ${token.name}, ${token.role}, ${token.purpose}, ${token.hasWebApi}, ${token.scopes},
            ${token.hash}, ${token.suffix}, ${token.createdBy ?? null}, ${token.expiresAt.toISOString()},
            ${token.job?.trust ?? null}, ${token.job?.project ? nameKey(token.job.project) : null})
    returning ${columns}`;
  if (!inserted) throw new Error('The token was not inserted.');
  return inserted;
}

/** Those of CI jobs and identity providers are managed elsewhere. */
const isManagedHereSql = sql`purpose not in ('TOKEN_PURPOSE_CI', 'TOKEN_PURPOSE_SCIM')`;

/** Tokens that are not revoked, newest first. */
export const list = (tx: Tx, deployment: string, { after, limit }: PageWindow): Promise<ApiToken[]> =>
  tx.all(ApiToken)`
    select ${columns} from api_token
    where deployment_id = ${deployment} and revoked_at is null and ${isManagedHereSql}
      ${after ? sql`and id < ${after[0]}` : emptySql}
    order by id desc
    limit ${limit + 1}`;

export const find = (tx: Tx, deployment: string, id: string): Promise<ApiToken | undefined> =>
  tx.one(ApiToken)`
    select ${columns} from api_token where deployment_id = ${deployment} and id = ${id} and revoked_at is null
      and ${isManagedHereSql}`;

export const findForUpdate = (tx: Tx, deployment: string, id: string): Promise<ApiToken | undefined> =>
  tx.one(ApiToken)`
    select ${columns} from api_token
    where deployment_id = ${deployment} and id = ${id} and revoked_at is null and ${isManagedHereSql} for update`;

/** The valid tokens of one creator, whose other requests that count tokens wait for the end of this transaction. */
export async function lockAndCount(
  tx: Tx,
  { deployment, account }: { deployment: string; account: string },
): Promise<number> {
  await lockLimit(tx, { deployment, limit: `tokens of ${account}` });
  const row = await tx.one(RowCount)`
    select count(*) as count from api_token
    where deployment_id = ${deployment} and created_by = ${account} and revoked_at is null and expires_at > now()`;
  return row?.count ?? 0;
}

export const revoke = (tx: Tx, deployment: string, id: string): Promise<number> =>
  tx.run`
    update api_token set revoked_at = now()
    where deployment_id = ${deployment} and id = ${id} and revoked_at is null`;

interface TokenOwner {
  deployment: string;
  account: string;
}

/** Revokes the tokens that an account created. */
export const revokeOf = (tx: Tx, { deployment, account }: TokenOwner): Promise<number> =>
  tx.run`
    update api_token set revoked_at = now()
    where deployment_id = ${deployment} and created_by = ${account} and revoked_at is null`;

/** Makes another account the creator of API tokens. Those of command lines belong to a person and stay theirs. */
export const transfer = (tx: Tx, { deployment, account }: TokenOwner, to: string): Promise<number> =>
  tx.run`
    update api_token set created_by = ${to}
    where deployment_id = ${deployment} and created_by = ${account} and purpose <> 'TOKEN_PURPOSE_CLI'
      and revoked_at is null and expires_at > now()`;

/** Moves the expiry of a replaced token forward to this time; it is never moved back. */
export const expireBy = (tx: Tx, token: { deployment: string; id: string }, at: Date): Promise<number> =>
  tx.run`
    update api_token set expires_at = least(expires_at, ${at.toISOString()})
    where deployment_id = ${token.deployment} and id = ${token.id}`;

export const revokeMany = (
  tx: Tx,
  deployment: string,
  { purpose, role }: { purpose: string; role: string | undefined },
): Promise<number> =>
  tx.run`
    update api_token set revoked_at = now()
    where deployment_id = ${deployment} and purpose = ${purpose} and revoked_at is null
      ${role === undefined ? emptySql : sql`and role = ${role}`}`;
