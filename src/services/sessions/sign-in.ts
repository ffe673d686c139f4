import * as sessions from '#domain/people/sessions.ts';
import type * as people from '#domain/people/store.ts';
import { nobody } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/group.ts';
import { refreshCookie } from './cookie.ts';

export type SessionCall = Pick<Call, 'powers' | 'answer' | 'now' | 'request'>;

/** Answers with a new access token and the cookie to refresh it. */
export async function reply({ powers, answer, now }: SessionCall, session: sessions.Session, account: people.Account) {
  const claims = { userId: account.id, sessionId: session.id };
  const { token, expiresAt } = await powers.accessTokens.issue(claims, now);
  answer.headers['set-cookie'] = refreshCookie(sessions.ticketOf(powers.keys.derive('refresh'), session));
  answer.actor = { ...nobody, kind: 'user', userId: account.id, credential: `session:${session.id}` };
  answer.changed({ object: `session/${session.id}` });
  return {
    accessToken: token,
    expiresAt,
    user: { id: account.id as Id<'User'>, email: account.email, name: account.name },
  };
}

/** Opens a session for an account whose owner has proved to be here. */
export async function signIn(call: SessionCall, tx: Tx, account: people.Account) {
  const { address, userAgent } = call.request;
  return reply(call, await sessions.open(tx, { account: account.id, address, userAgent }), account);
}

export const isLongEnough = (password: string): boolean => [...password].length >= 12 && [...password].length <= 1024;
