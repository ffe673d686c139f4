import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { count, id, timestamp } from '#kernel/contract/proto-fields.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const PURPOSE = 'refresh';
const LIFETIME_DAYS = 30;

const Session = z.object({ id: z.string(), account_id: z.string(), generation: count() });
export type Session = z.output<typeof Session>;

/** The content of the refresh cookie, which is sealed so that nobody can forge one. */
const RefreshToken = z.object({ session: z.string(), generation: z.int() });

export async function create(
  tx: Tx,
  client: { account: string; address: string; userAgent: string },
): Promise<Session> {
  const session = await tx.one(Session)`
    insert into session (account_id, address, user_agent, expires_at)
    values (${client.account}, ${client.address}, left(${client.userAgent}, 300),
            now() + make_interval(days => ${LIFETIME_DAYS}))
    returning id, account_id, generation`;
  if (!session) throw new Error('The session was not inserted.');
  return session;
}

export const refreshTokenOf = (key: KeyObject, { id, generation }: Session): string =>
  seal(key, PURPOSE, JSON.stringify({ session: id, generation }));

/**
 * Uses a refresh token: returns the session in its next generation, or undefined.
 * A token of an older generation has been used before, so somebody has a copy: the session ends.
 */
export async function refresh(tx: Tx, key: KeyObject, refreshToken: string): Promise<Session | undefined> {
  const content = unseal(key, PURPOSE, refreshToken);
  const parsed = content && RefreshToken.safeParse(JSON.parse(content.toString('utf8')));
  if (!parsed?.success) return undefined;
  const { session, generation } = parsed.data;
  const next = await tx.one(Session)`
    update session set generation = generation + 1
    from account
    where session.id = ${session} and session.generation = ${generation} and ended_at is null and expires_at > now()
      and account.id = session.account_id and account.disabled_at is null and account.deleted_at is null
    returning session.id, account_id, generation`;
  if (!next) await end(tx, session);
  return next;
}

export const end = (tx: Tx, session: string): Promise<number> =>
  tx.run`update session set ended_at = now() where id = ${session} and ended_at is null`;

export const endAll = (tx: Tx, account: string): Promise<number> =>
  tx.run`update session set ended_at = now() where account_id = ${account} and ended_at is null`;

export const endAllBut = (tx: Tx, account: string, session: string): Promise<number> =>
  tx.run`update session set ended_at = now() where account_id = ${account} and id <> ${session} and ended_at is null`;

const isActiveSql = sql`ended_at is null and expires_at > now()`;

/** Ends a session of this account. */
export const endOne = (tx: Tx, account: string, session: string): Promise<number> =>
  tx.run`
    update session set ended_at = now() where id = ${session} and account_id = ${account} and ${isActiveSql}`;

export async function isActive(tx: Tx, account: string, session: string): Promise<boolean> {
  const rows = await tx.rows`select from session where id = ${session} and account_id = ${account} and ${isActiveSql}`;
  return rows.length === 1;
}

const MAX_LISTED = 100;
const ListedSession = z.object({
  id: id('Session'),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  endedAt: timestamp().optional(),
  address: z.string(),
  userAgent: z.string(),
});

/** The newest sessions of an account, newest first. */
export const list = (tx: Tx, account: string, { includesEnded }: { includesEnded: boolean }) =>
  tx.all(ListedSession)`
    select id, created_at as "createdAt", expires_at as "expiresAt", ended_at as "endedAt", address,
           user_agent as "userAgent"
    from session where account_id = ${account} ${includesEnded ? emptySql : sql`and ${isActiveSql}`}
    order by id desc limit ${MAX_LISTED}::int`;

/** Deletes sessions a month after they expired. */
export const deleteExpired = (tx: Tx): Promise<number> =>
  tx.run`delete from session where expires_at < now() - interval '30 days'`;
