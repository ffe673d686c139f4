import { deviceCookie, deviceIn } from '#domain/accounts/device-cookie.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import type * as people from '#domain/accounts/store.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { refreshCookie } from './refresh-cookie.ts';

export type SessionCall = Pick<Call, 'services' | 'answer' | 'now' | 'request'>;

/** Issues an access token and sets the refresh cookie. */
export async function sessionReply(
  { services, answer, now }: SessionCall,
  session: sessions.Session,
  account: people.Account,
) {
  const claims = { userId: account.id, sessionId: session.id };
  const { token, expiresAt } = await services.accessTokens.issue(claims, now);
  answer.cookies.push(refreshCookie(sessions.refreshTokenOf(services.keys.derive('refresh'), session)));
  answer.actor = { ...anonymousCaller, kind: 'user', userId: account.id, credential: `session:${session.id}` };
  answer.recordEffect({ object: `session/${session.id}` });
  return {
    accessToken: token,
    expiresAt,
    user: { id: account.id as Id<'User'>, email: account.email, name: account.name },
  };
}

/** Opens a session for an authenticated account. */
export async function signIn(call: SessionCall, tx: Tx, account: people.Account) {
  const { address, userAgent, cookie } = call.request;
  const { answer, services, now } = call;
  if (account.password_hash !== undefined) {
    const owner = { id: account.id, password_hash: account.password_hash };
    const key = services.keys.derive('device');
    const known = deviceIn(key, cookie, now);
    answer.cookies.push(deviceCookie(key, owner, { ...(known && { known }), now }));
  }
  return sessionReply(call, await sessions.create(tx, { account: account.id, address, userAgent }), account);
}

export const hasValidPasswordLength = (password: string): boolean =>
  [...password].length >= 12 && [...password].length <= 1024;
