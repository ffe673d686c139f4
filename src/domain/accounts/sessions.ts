import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { count } from '#kernel/contract/proto-fields.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
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

/** Deletes sessions a month after they expired. */
export const deleteExpired = (tx: Tx): Promise<number> =>
  tx.run`delete from session where expires_at < now() - interval '30 days'`;
